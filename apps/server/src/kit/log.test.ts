import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import '../../test/kit.ts' // an environment of its own, before anything reads it

test('at no level does the log tell what opens a door', () => {
  const file = new URL('./log.ts', import.meta.url).href
  // The reader of uploads tells the headers of each at level trace.
  const script = `const { log } = await import(${JSON.stringify(file)})
    log.trace({ busboyOptions: { headers: { authorization: 'Bearer abre-te' } }, headers: { cookie: 'jrt=abre-te' } }, 'dito')`
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, LOG_LEVEL: 'trace' },
    encoding: 'utf8',
  })
  expect(said).toContain('dito')
  expect(said).not.toContain('abre-te')
})
