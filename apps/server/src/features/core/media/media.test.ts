import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32, deflateSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import { zipSync } from 'fflate'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'

process.env.MEDIA_MAX_MB = '2'
const { app, as, createQuickMessage, ownerUrl, seedTenant, schema, withTenant } = await startTestApp()
const { presentMedia, providerAddress } = await import('./media.present.ts')
const { readFileBytes, safeName, storeFile } = await import('./media.service.ts')
const { parseRange } = await import('./media.routes.ts')
const { sweepBytes, sweepFiles } = await import('./sweep.ts')
const { storage } = await import('../../../kit/storage.ts')

const upload = async (user: TestUser, bytes: Buffer | string, name: string, type: string) => {
  reader = user
  const boundary = '----balcao'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  const reply = await app.inject({
    method: 'POST',
    url: '/api/media',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return { status: reply.statusCode, body: reply.json() }
}
/** As a program with a token does, of whoever was stored for last. */
let reader: TestUser | undefined
const fetchFile = (url: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'GET',
    url,
    headers: { ...(reader && { authorization: `Bearer ${reader.token}` }), ...headers },
  })
const fetchAs = (url: string, cookie = '') => app.inject({ method: 'GET', url, headers: { cookie } })
/** The session of a browser, without the log-in's password. */
const openSession = async ({ tenantId, id }: TestUser) => {
  const { openSession: open } = await import('../../people/auth/sessions.ts')
  const reply = { setCookie: vi.fn() }
  const session = await withTenant(tenantId, (tx) => open(tx, { id, tokenVersion: 1 }))
  const { setMediaCookie } = await import('../../people/auth/media-cookie.ts')
  setMediaCookie({ protocol: 'http' }, reply, session)
  const [name, value] = reply.setCookie.mock.calls[0] ?? []
  return { cookie: `${name}=${value}`, refreshToken: session.refreshToken }
}
/** A folder of our own: others upload at the same time. */
const systemTemporary = process.env.TMPDIR
const temporary = mkdtempSync(join(tmpdir(), 'balcao-media-test-'))
beforeAll(() => {
  process.env.TMPDIR = temporary
})
afterAll(() => {
  if (systemTemporary === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = systemTemporary
  rmSync(temporary, { recursive: true })
})
const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('balcao-upload-'))
const storedFiles = (tenantId: number) => withTenant(tenantId, (tx) => tx.db.select().from(schema.files))
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b7a75' } })

test('a picture is stored with its size and a small upright thumbnail, and its link shows it', async () => {
  const { agent } = await seedTenant()
  const jpeg = await picture(1_200, 800).withExif({ IFD0: {} }).withMetadata({ orientation: 6 }).jpeg().toBuffer()

  const { status, body } = await upload(agent, jpeg, 'praia de verão.jpg', 'image/jpeg')

  expect(status).toBe(201)
  expect(body).toMatchObject({
    kind: 'image',
    mime: 'image/jpeg',
    name: 'praia de verão.jpg',
    size: jpeg.length,
    width: 800,
    height: 1_200,
  })
  const file = await fetchFile(body.url)
  expect(file.statusCode).toBe(200)
  expect(file.rawPayload.equals(jpeg)).toBe(true)
  expect(file.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  expect(file.headers['content-disposition']).toMatch(/^inline; filename\*=UTF-8''praia%20de%20ver%C3%A3o.jpg/)
  expect(file.headers['cache-control']).toMatch(/^private, max-age=\d+/)
  const thumb = await sharp((await fetchFile(body.thumbUrl)).rawPayload).metadata()
  expect(thumb).toMatchObject({ format: 'webp', width: 320, height: 480 })
})

const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from('<script>alert(1)</script>')])
const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(300, 1)])
test.each([
  [
    'SVG with a script',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'a.svg',
    'image/svg+xml',
    'application/octet-stream',
  ],
  [
    'SVG behind a prologue',
    '<?xml version="1.0"?><svg onload="alert(1)"/>',
    'a.png',
    'image/png',
    'application/octet-stream',
  ],
  [
    'HTML named picture',
    '<!doctype html><script>alert(1)</script>',
    'foto.jpg',
    'image/jpeg',
    'application/octet-stream',
  ],
  ['HTML after words', 'olá\n<html><body onload=alert(1)>', 'nota.txt', 'text/plain', 'application/octet-stream'],
  ['HTML called text', ' \n<html>', 'a.txt', 'text/html', 'application/octet-stream'],
  ['a polyglot that is no readable picture', gif, 'a.gif', 'image/gif', 'application/octet-stream'],
  ['a program with two endings', program, 'boleto.pdf.exe', 'application/pdf', 'application/octet-stream'],
  ['a shell script', '#!/bin/sh\nrm -rf /', 'a.txt', 'text/plain', 'application/octet-stream'],
  ['PHP', '<?php echo 1;', 'a.pht', 'image/png', 'application/octet-stream'],
  ['a spreadsheet of text', 'nome;valor\n"=1+1";2', 'lista.csv', 'application/vnd.ms-excel', 'text/csv'],
  ['plain text', 'bom dia, à vista', 'nota.txt', 'text/plain', 'text/plain'],
  ['text nobody names', 'bom dia', 'nota', 'text/html', 'application/octet-stream'],
])('%s is stored by its content and only downloaded', async (_name, bytes, name, type, mime) => {
  const { agent } = await seedTenant()

  const { status, body } = await upload(agent, bytes, name, type)

  expect(status).toBe(201)
  expect(body).toMatchObject({ mime, kind: 'document', thumbUrl: null })
  const file = await fetchFile(body.url)
  expect(file.headers['content-disposition']).toMatch(/^attachment/)
  expect(file.headers).toMatchObject({ 'content-type': mime, 'x-content-type-options': 'nosniff' })
  expect(file.headers['content-security-policy']).toBe("default-src 'none'; sandbox")
})

test('a PDF is shown, with nothing of our origin within its reach', async () => {
  const { agent } = await seedTenant()
  const { body } = await upload(
    agent,
    '%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF',
    'a.pdf',
    'text/html',
  )
  expect(body).toMatchObject({ mime: 'application/pdf', kind: 'document' })
  const file = await fetchFile(body.url)
  expect(file.headers['content-disposition']).toMatch(/^inline/)
  expect(file.headers['content-security-policy']).toMatch(/^default-src 'none'/)
})

const pngChunk = (name: string, body: Buffer) => {
  const named = Buffer.concat([Buffer.from(name), body])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
test('a picture too large to open is refused, and nothing stays behind', async () => {
  const { agent, tenantId } = await seedTenant()
  const bomb = Buffer.concat([
    Buffer.from('89504E470D0A1A0A', 'hex'),
    pngChunk('IHDR', Buffer.from('00009C4000009C400802000000', 'hex')), // 40,000 × 40,000
    pngChunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  const { status, body } = await upload(agent, bomb, 'bomba.png', 'image/png')
  expect({ status, error: body.error }).toEqual({ status: 422, error: 'ERR_MEDIA_TYPE' })
  expect(await storedFiles(tenantId)).toEqual([])
  expect(leftovers()).toEqual([])
})

test('a file above the limit is refused early, and a missing one is a field error', async () => {
  const { agent, tenantId } = await seedTenant()
  expect(await upload(agent, Buffer.alloc(2 * 1024 * 1024 + 1), 'a.bin', 'application/zip')).toMatchObject({
    status: 413,
    body: { error: 'ERR_TOO_LARGE' },
  })
  expect(await upload(agent, Buffer.alloc(3 * 1024 * 1024), 'a.bin', 'application/zip')).toMatchObject({
    status: 413,
    body: { error: 'ERR_TOO_LARGE' },
  })
  expect(await as(agent).post('/media', { file: 'x' })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'file' }] },
  })
  expect(await storedFiles(tenantId)).toEqual([])
  expect(leftovers()).toEqual([])
})

test('a zip that would unfold into a hundred megabytes is kept as it is, at once (T34)', async () => {
  const { agent } = await seedTenant()
  for (const inside of ['[Content_Types].xml', 'mimetype', 'a']) {
    const bomb = Buffer.from(zipSync({ [inside]: new Uint8Array(100_000_000) }))
    const [startedAt, before] = [Date.now(), process.memoryUsage().arrayBuffers]
    expect(await upload(agent, bomb, 'planilha.docx', 'application/zip')).toMatchObject({
      status: 201,
      body: { mime: 'application/zip', size: bomb.length },
    })
    expect(Date.now() - startedAt).toBeLessThan(3_000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
  }
})

test('a file opens by its link however long its name is, in any script', async () => {
  const { agent } = await seedTenant()
  for (const name of [
    `${'a'.repeat(200)}.txt`,
    `${'ç'.repeat(150)}.txt`,
    `${'😀'.repeat(61)}a`,
    `${'你'.repeat(200)}.txt`,
  ]) {
    const { body } = await upload(agent, 'bom dia', name, 'text/plain')
    expect(body.name).not.toContain('\ufffd')
    expect((await fetchFile(body.url)).body).toBe('bom dia')
  }
})

test('without room on the disk an upload says so, and nothing is half stored', async () => {
  const { agent, tenantId } = await seedTenant()
  const noRoom = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const put = vi.spyOn(await storage(), 'put').mockRejectedValueOnce(new Error('cannot move', { cause: noRoom }))
  const { status, body } = await upload(agent, 'x', 'a.txt', 'text/plain')
  put.mockRestore()
  expect({ status, error: body.error }).toEqual({ status: 507, error: 'ERR_STORAGE_FULL' })
  expect(await storedFiles(tenantId)).toEqual([])
  expect((await upload(agent, 'x', 'a.txt', 'text/plain')).status).toBe(201)
})

test.each([
  ['no boundary', 'multipart/form-data', '--b\r\n'],
  [
    'no end',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
  ],
  ['no beginning', 'multipart/form-data; boundary=b', 'abc'],
  ['a broken head', 'multipart/form-data; boundary=b', '--b\r\n\0\0: \r\n\r\nabc\r\n--b--\r\n'],
  ['an empty body', 'multipart/form-data; boundary=b', ''],
])('an upload with %s is a field to correct', async (_name, type, payload) => {
  const { agent } = await seedTenant()
  const reply = await app.inject({
    method: 'POST',
    url: '/api/media',
    headers: { authorization: `Bearer ${agent.token}`, 'content-type': type },
    payload,
  })
  expect([reply.statusCode, reply.json().error]).toEqual([422, 'ERR_VALIDATION'])
  expect(leftovers()).toEqual([])
})

test('an address nobody could have meant is answered like any other that leads nowhere', async () => {
  for (const url of ['/api/%', '/%ff', `/api/media/${'a'.repeat(3_000)}/x`])
    expect((await fetchFile(url)).json()).toMatchObject({ error: 'ERR_NOT_FOUND', requestId: expect.any(String) })
})

test('an upload the browser gives up on leaves nothing behind', async () => {
  const { agent, tenantId } = await seedTenant()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo // a TCP server's
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST /api/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agent.token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n` +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/zip\r\n\r\nPK half a file',
  )
  await vi.waitFor(() => expect(leftovers()).toHaveLength(1))
  socket.destroy()
  await vi.waitFor(() => expect(leftovers()).toEqual([]))
  expect(await storedFiles(tenantId)).toEqual([])
})

test('a link works only for the file, variant, company and time it was made for', async () => {
  const [a, b] = [await seedTenant(), await seedTenant()]
  const { body } = await upload(a.agent, await picture(20, 20).png().toBuffer(), 'a.png', 'image/png')
  const { body: other } = await upload(b.agent, 'segredo', 'b.txt', 'text/plain')
  reader = a.agent
  const expectRefused = async (url: string) =>
    expect((await fetchFile(url)).json()).toMatchObject({ error: 'ERR_MEDIA_LINK' })

  await expectRefused(body.url.replace(body.id, other.id))
  await expectRefused(body.url.replace('v=file', 'v=thumb'))
  await expectRefused(body.url.replace(/t=\d+/, `t=${b.tenantId}`))
  await expectRefused(body.url.replace(/e=(\d+)/, (_all: string, e: string) => `e=${Number(e) + 1}`))
  await expectRefused(body.url.replace(/s=.*/, 's='))
  await expectRefused(`${body.url}&a=anyone`)
  await expectRefused(other.url)
  await expectRefused(`/api/media/${body.id}/a.png`)
  expect((await fetchFile(`/api/media/..%2f..%2fsecret/a.png?${body.url.split('?')[1]}`)).statusCode).toBe(422)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 })
  await expectRefused(body.url)
  vi.useRealTimers()
  expect((await fetchFile(body.url)).statusCode).toBe(200)
})

test('a link ends with the session that asks: logged out, blocked, of another company, or nobody at all', async () => {
  const [a, b] = [await seedTenant(), await seedTenant()]
  const { body } = await upload(a.agent, await picture(20, 20).png().toBuffer(), 'a.png', 'image/png')
  const refusal = async (cookie?: string) => (await fetchAs(body.url, cookie)).json().error
  const [here, there, theirs] = [await openSession(a.agent), await openSession(a.agent), await openSession(b.agent)]

  expect((await fetchAs(body.url, here.cookie)).statusCode).toBe(200)
  expect((await fetchAs(body.thumbUrl, here.cookie)).headers['cache-control']).toBe('private, max-age=300')
  expect(await refusal()).toBe('ERR_SESSION_EXPIRED')
  expect(await refusal(theirs.cookie)).toBe('ERR_MEDIA_LINK')
  for (const forged of [`${here.cookie}x`, here.cookie.replace(/=\d+/, `=${b.tenantId}`), 'jmedia=1.2.3', 'jmedia='])
    expect(await refusal(forged)).toBe('ERR_SESSION_EXPIRED')
  expect((await fetchAs(`/api/media/${body.id}/a.png`, here.cookie)).json().error).toBe('ERR_MEDIA_LINK')

  const { closeSession, renewSession } = await import('../../people/auth/sessions.ts')
  await renewSession(here.refreshToken)
  expect((await fetchAs(body.url, here.cookie)).statusCode).toBe(200)
  await closeSession(here.refreshToken)
  expect(await refusal(here.cookie)).toBe('ERR_SESSION_EXPIRED')
  expect((await fetchAs(body.url, there.cookie)).statusCode).toBe(200)
  await as(a.admin).put(`/users/${a.agent.id}`, { isBlocked: true })
  expect(await refusal(there.cookie)).toMatch(/ERR_USER_BLOCKED|ERR_SESSION_EXPIRED/)
})

test('a link for a page without a log-in lives five minutes at most', async () => {
  const { agent, tenantId } = await seedTenant()
  const { body } = await upload(agent, 'x', 'a.txt', 'text/plain')
  const { url } = presentMedia(await readFileBytes(tenantId, body.id), { tenantId, access: 'anyone' })
  expect((await fetchAs(url)).statusCode).toBe(200)
  expect((await fetchAs(url.replace('a=anyone', 'a=session'))).json().error).toBe('ERR_MEDIA_LINK')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 + 1_000 })
  expect((await fetchAs(url)).json().error).toBe('ERR_MEDIA_LINK')
  vi.useRealTimers()
})

test('a provider fetches a file at an address that is whole, good for minutes and for this file alone', async () => {
  const { tenantId, agent } = await seedTenant()
  const { body } = await upload(agent, 'x', 'a b.txt', 'text/plain')
  const address = providerAddress(tenantId, body, 'https://balcao.loja.com.br')?.() ?? ''
  expect(address).toMatch(/^https:\/\/balcao\.loja\.com\.br\/api\/media\//)
  const path = address.replace('https://balcao.loja.com.br', '')
  expect((await fetchAs(path)).body).toBe('x')
  expect((await fetchAs(path.replace(`t=${tenantId}`, `t=${tenantId + 1}`))).json().error).toBe('ERR_MEDIA_LINK')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 })
  expect((await fetchAs(path)).json().error).toBe('ERR_MEDIA_LINK')
  vi.useRealTimers()
  for (const unreachable of ['http://localhost:3000', 'https://balcao.local', 'http://balcao.loja.com.br'])
    expect(providerAddress(tenantId, body, unreachable)).toBeUndefined()
})

test('a link keeps its address for half an hour', async () => {
  const { agent, tenantId } = await seedTenant()
  const { body } = await upload(agent, 'x', 'a.txt', 'text/plain')
  const row = await readFileBytes(tenantId, body.id)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:01Z') })
  const first = presentMedia(row, { tenantId }).url
  vi.setSystemTime(new Date('2026-03-01T12:29:59Z'))
  expect(presentMedia(row, { tenantId }).url).toBe(first)
  vi.setSystemTime(new Date('2026-03-01T12:30:01Z'))
  expect(presentMedia(row, { tenantId }).url).not.toBe(first)
  vi.useRealTimers()
  expect(row.bytes.toString()).toBe('x')
})

test('a player may ask for a part', async () => {
  const { agent } = await seedTenant()
  const { body } = await upload(agent, '0123456789', 'a.txt', 'text/plain')
  const part = async (range: string) => {
    const reply = await fetchFile(body.url, { range })
    return [reply.statusCode, reply.headers['content-range'], reply.body]
  }
  expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await part('bytes=5-500')).toEqual([206, 'bytes 5-9/10', '56789'])
  expect(await part('bytes=10-')).toEqual([416, 'bytes */10', ''])
  expect(await part('bytes=0-1,4-5')).toEqual([200, undefined, '0123456789'])
  const etag = String((await fetchFile(body.url)).headers.etag)
  expect((await fetchFile(body.url, { 'if-none-match': etag })).statusCode).toBe(304)
  expect((await fetchFile(body.url, { range: 'bytes=0-1', 'if-range': '"other"' })).statusCode).toBe(200)
  expect(parseRange('bytes=4-2', 10)).toBe('whole')
  expect(parseRange('lines=1-2', 10)).toBe('whole')
})

/** As if the hold of every file had been given so long ago. */
const letTimePass = (tenantId: number, hours: number) =>
  withTenant(tenantId, (tx) =>
    tx.db.update(schema.fileUses).set({ expiresAt: sql`expires_at - make_interval(hours => ${hours})` }),
  )
const quickMessage = (tenantId: number, userId: string, key: string, mediaId: string) =>
  createQuickMessage({ tenantId }, { userId, message: 'Veja', key, mediaId })

test('an upload nobody attached is swept away after two days, row and bytes; what is attached or new stays', async () => {
  const { agent, tenantId } = await seedTenant()
  const put = async (text: string) => (await upload(agent, text, `${text}.txt`, 'text/plain')).body
  const [lost, attached] = [await put('perdido'), await put('anexado')]
  await quickMessage(tenantId, agent.id, 'anexo', attached.id)
  await letTimePass(tenantId, 47)
  await sweepFiles()
  expect(await storedFiles(tenantId)).toHaveLength(2)
  await letTimePass(tenantId, 2)
  const fresh = await put('novo')

  await sweepFiles()

  const left = (await storedFiles(tenantId)).map((file) => file.id)
  expect(left.sort()).toEqual([attached.id, fresh.id].sort())
  expect((await fetchFile(lost.url)).statusCode).toBe(404)
  expect((await fetchFile(attached.url)).body).toBe('anexado')
})

test('what a visitor uploaded and never sent is gone after two hours', async () => {
  const { agent, tenantId } = await seedTenant()
  const ours = (await upload(agent, 'nosso', 'nosso.txt', 'text/plain')).body
  await storeFile({ tenantId, bytes: Buffer.from('do visitante'), name: 'visitante.txt' })
  await letTimePass(tenantId, 3)
  await sweepFiles()
  expect((await storedFiles(tenantId)).map((file) => file.id)).toEqual([ours.id])
})

test('a file lives as long as its last use: replaced and deleted rows let go of it, another row keeps it', async () => {
  const { agent, tenantId } = await seedTenant()
  const [first, second] = await Promise.all(
    ['um', 'dois'].map(async (text) => (await upload(agent, text, `${text}.txt`, 'text/plain')).body.id as string),
  )
  if (!first || !second) throw new Error('nothing was stored')
  const a = await quickMessage(tenantId, agent.id, 'a', first)
  const b = await quickMessage(tenantId, agent.id, 'b', first)
  const left = async () => {
    await letTimePass(tenantId, 72)
    await sweepFiles()
    return (await storedFiles(tenantId)).map((file) => file.id).sort()
  }
  const change = (id: string, mediaId: string | null) =>
    withTenant(tenantId, (tx) =>
      tx.db.update(schema.quickMessageParts).set({ mediaId }).where(eq(schema.quickMessageParts.quickMessageId, id)),
    )
  await change(a, second)
  expect(await left()).toEqual([first, second].sort())
  await change(b, null)
  await sweepFiles()
  expect(await storedFiles(tenantId)).toHaveLength(2) // held for a while: it may be taken up again
  expect(await left()).toEqual([second])
  await withTenant(tenantId, (tx) => tx.db.delete(schema.quickMessages))
  expect(await left()).toEqual([])
})

test('every column that names a file refers to it, and its use is written by itself', async () => {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string; uses: number }>(`
    select c.relname || '.' || a.attname as name, count(g.oid)::int as uses
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_trigger g on g.tgrelid = c.oid and g.tgname ~ ('^file_use_[a-z]+_' || a.attname || '$')
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname ~ '(^|_)(media|file|picture|image|photo|avatar|logo|attachment)_ids?$' and c.relname <> 'file_uses'
    group by 1 order by 1`)
  await client.end()
  expect(rows.map(({ name }) => name)).toContain('messages.media_id')
  expect(rows.filter(({ uses }) => uses !== 3)).toEqual([])
})

test('bytes that no row names are swept away after a day', async () => {
  const { agent, tenantId } = await seedTenant()
  const { body } = await upload(agent, 'meu', 'meu.txt', 'text/plain')
  const disk = await storage()
  const folder = join(process.env.DATA_DIR ?? '', 'media', String(tenantId))
  for (const name of ['velho', 'novo']) await disk.write(`${tenantId}/${name}`, Readable.from(['x']), 'text/plain')
  const longAgo = new Date(Date.now() - 25 * 3_600_000)
  for (const name of ['velho', body.id]) await utimes(join(folder, name), longAgo, longAgo)

  await sweepBytes()

  const left: string[] = []
  for await (const page of disk.list(String(tenantId))) left.push(...page)
  expect(left.sort()).toEqual([`${tenantId}/${body.id}`, `${tenantId}/novo`].sort())
})

test('sound is measured, and a browser recording is sound although its container could hold pictures', async () => {
  const { tenantId } = await seedTenant()
  const wav = Buffer.alloc(44 + 16_000)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + 16_000, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(8_000, 24)
  wav.writeUInt32LE(8_000, 28)
  wav.writeUInt16LE(1, 32)
  wav.writeUInt16LE(8, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(16_000, 40)
  expect(await storeFile({ tenantId, bytes: wav, name: 'a.wav' })).toMatchObject({
    kind: 'audio',
    mime: 'audio/wav',
    durationMs: 2_000,
  })

  const webm = Buffer.concat([
    Buffer.from('1A45DFA39F4286810142F7810142F2810442F381084282847765626D', 'hex'),
    Buffer.alloc(64),
  ])
  expect(
    await storeFile({ tenantId, bytes: webm, name: 'voz.webm', declaredMime: 'audio/webm;codecs=opus' }),
  ).toMatchObject({ kind: 'audio', mime: 'audio/webm' })
  expect(await storeFile({ tenantId, bytes: webm, name: 'a.webm' })).toMatchObject({
    kind: 'video',
    mime: 'video/webm',
  })
})

test('names lose folders, tricks and length, never their ending', () => {
  expect(safeName('../../etc/passwd')).toBe('passwd')
  expect(safeName('..\\..\\a\u0000b.png')).toBe('ab.png')
  expect(safeName('relatorio\u202Efdp.exe')).toBe('relatoriofdp.exe')
  expect(safeName('...')).toBe('arquivo')
  expect(safeName(`${'a'.repeat(300)}.pdf`)).toMatch(/^a{116}\.pdf$/)
})

test('what came without a name is called what it is', async () => {
  const { tenantId } = await seedTenant()
  const pdf = { tenantId, bytes: Buffer.from('%PDF-1.4\n%%EOF'), name: '' }
  expect(await storeFile(pdf)).toMatchObject({ name: 'documento.pdf' })
  expect(await storeFile({ ...pdf, bytes: Buffer.from([0, 1, 2]) })).toMatchObject({ name: 'documento' })
})

test('the bytes of another company are not there', async () => {
  const [a, b] = [await seedTenant(), await seedTenant()]
  const { body } = await upload(b.agent, 'x', 'a.txt', 'text/plain')
  await expect(readFileBytes(a.tenantId, body.id)).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' })
})
