import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startTestApp } from './kit.ts'

const { app, seedTenant } = await startTestApp()
await seedTenant() // before there is anybody, every address leads to the set-up
const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
/** The address as it stands, which clients and proxies would tidy up. */
const get = (path: string) => {
  const socket = connect(Number(url.port), url.hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

test.each([
  '/../../package.json',
  '/assets/../../../package.json',
  '/assets/..%2f..%2f..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/assets/..%5c..%5cpackage.json',
  '/assets/%00../package.json',
  '/assets//etc/passwd',
  '//etc/passwd',
  '/etc/passwd%00.html',
  '/webchat/assets/..%2f..%2fpackage.json',
  '/webchat/assets/../frame.html',
  '/webchat/assets/..%2fframe.html',
  '/index.html%00',
  '/.env',
  '/%2e%2e%2f%2e%2e%2fdata/secret',
])('%s leads to no file outside what we serve (T35)', async (path) => {
  const answer = await get(path)
  expect(answer).not.toMatch(/"name": ?"|root:|__BALCAO/)
  expect(answer).toMatch(/^HTTP\/1\.1 (404|200 OK[\s\S]+(<!doctype html>|<!DOCTYPE html>))/)
})
