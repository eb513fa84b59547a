import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('what begins like a formula is shown, not run, also as the first of several', () => {
  const cells = ['=1+1', '\n=1', "'=1", ['@a', 'b'], -2, 'a-b']
  expect(toCsv(['Nome'], [cells])).toBe(`\uFEFFNome\r\n'=1+1;"'\n=1";''=1;'@a, b;-2;a-b\r\n`)
})
