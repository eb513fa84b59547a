import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => fs.readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')
/** What V8 is told of memory. */
const flagsIn = (line = '') => line.match(/--(max-semi-space-size|heap-growing-percent)=\d+/g)

test('the server gets the same memory however it is started', () => {
  const [bySelf] = /const smallHeap = .*/.exec(read('scripts/run.mjs')) ?? []
  const flags = flagsIn(bySelf)
  expect(flags).toHaveLength(2)
  for (const [file, line] of [
    ['deploy/balcao.service', /^ExecStart=.*/m],
    ['deploy/Dockerfile', /^CMD .*/m],
    ['bench/servers.ts', /.*apps\/server\/dist\/main\.js.*/],
  ] as const)
    expect(flagsIn(line.exec(read(file))?.[0]), file).toEqual(flags)
})
