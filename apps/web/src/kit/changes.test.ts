import { expect, test } from 'vitest'
import { changeLines } from './changes.ts'

const line = (before: unknown, after: unknown) => changeLines([{ label: 'Campo', before, after }])[0]

test('only what is not the same any more is told, as people read it', () => {
  expect(line('Vendas', 'Vendas')).toBeUndefined()
  expect(line('Vendas', 'Loja')).toBe('Campo: “Vendas” → “Loja”')
  expect(line('', 'Loja')).toBe('Campo: vazio → “Loja”')
  expect(line(true, false)).toBe('Campo: sim → não')
  expect(line(50, 1200)).toBe('Campo: 50 → 1.200')
  expect(line(['a'], ['a', 'b'])).toBe('Campo: 1 item → 2 itens')
})

test('ids and structures are not shown to anybody, and a long text is cut', () => {
  expect(line('0193a1c2-7b1e-7c44-9d2f-1f2e3d4c5b6a', null)).toBe('Campo: alterado')
  expect(line({ token: 'a' }, { token: 'b' })).toBe('Campo: alterado')
  expect(line('', 'x'.repeat(200))).toBe(`Campo: vazio → “${'x'.repeat(80)}…”`)
})
