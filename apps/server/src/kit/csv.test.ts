import { expect, test } from 'vitest'
import { csvCell, toCsv } from './csv.ts'

test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tcmd', '\r=1', '\n=1'])(
  'a text that begins like a formula is shown, not run: %j (T29)',
  (text) => {
    expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/)
    expect(csvCell(text)).toContain(text)
  },
)

test('numbers stay numbers, and a text keeps to its cell', () => {
  expect([csvCell(-2), csvCell(1.5), csvCell(null), csvCell(true)]).toEqual(['-2', '1.5', '', 'Sim'])
  const rows = [{ name: 'a;=1\r\n"b"' }]
  expect(toCsv([{ label: 'Nome', value: (row) => row.name }], rows)).toBe('\uFEFFNome\r\n"a;=1\r\n""b"""\r\n')
})
