import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => fs.readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')
/** What V8 is told of memory and threads. */
const flagsIn = (line = '') => line.match(/--(max-semi-space-size|heap-growing-percent|v8-pool-size)=\d+/g)

test('the server gets the same of V8 however it is started', () => {
  const inScript = /^const v8Flags = .*/m
  const [bySelf] = inScript.exec(read('scripts/run.mjs')) ?? []
  const flags = flagsIn(bySelf)
  expect(flags).toHaveLength(3)
  for (const [file, line] of [
    ['deploy/balcao.service', /^ExecStart=.*/m],
    ['deploy/Dockerfile', /^CMD .*/m],
    ['bench/servers.ts', inScript],
  ] as const)
    expect(flagsIn(line.exec(read(file))?.[0]), file).toEqual(flags)
})
