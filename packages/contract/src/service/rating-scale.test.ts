import { expect, test } from 'vitest'
import { abilitiesOf } from '../channels/index.ts'
import { defaultSettings } from '../people/settings.ts'
import { readGrade, scaleMessage } from './rating-scale.ts'

const { rating } = defaultSettings
const read = (text: string) => {
  const grade = readGrade(rating.options, text)
  return grade && (grade.comment ? [grade.value, grade.comment] : grade.value)
}

test.each([
  ['5', 5],
  [' 5. ', 5],
  ['5️⃣', 5],
  ['５', 5],
  ['nota 4', 4],
  ['Nota: 4!', 4],
  ['3 estrelas', 3],
  ['ÓTIMO', 5],
  ['otimo', 5],
  ['Péssimo.', 1],
  ['5 – Ótimo', 5],
  ['*5* - ótimo', 5],
  ['4/5', 4],
  ['5, fui muito bem atendida', [5, 'fui muito bem atendida']],
  ['2\nDemorou demais', [2, 'Demorou demais']],
])('%j is the grade %j', (text, grade) => {
  expect(read(text)).toEqual(grade)
})

test.each([
  '',
  'obrigado!',
  '7',
  '0',
  '55',
  '2026',
  '4,5',
  '3-4 unidades',
  '1:30',
  '5/12',
  '5 pedidos não chegaram',
  'Foi 5',
  '5 5',
  '-5',
  '👏',
  '⭐⭐⭐⭐⭐⭐',
  'cinco pedidos',
])('%j is no grade', (text) => {
  expect(read(text)).toBeUndefined()
})

test.each([
  ['⭐⭐⭐⭐⭐', 5],
  ['🌟 🌟', 2],
  ['5 👏👏', 5],
  ['Ótimo ❤️', 5],
  ['(4)', 4],
  ['"4"', 4],
  ['cinco!', 5],
  ['Três', 3],
  ['5 pontos!', 5],
])('%j is a grade too', (text, value) => {
  expect(read(text)).toBe(value)
})

test('a channel with lists carries the scale to press, one without carries it to type, by its grades', () => {
  const pressed = scaleMessage(rating, abilitiesOf('waba', {}))
  expect(pressed).toMatchObject({ body: rating.question, interactive: { kind: 'list', button: 'Avaliar' } })
  expect(pressed.interactive?.options.map((one) => one.title)).toEqual([
    '5 – Ótimo',
    '4 – Bom',
    '3 – Regular',
    '2 – Ruim',
    '1 – Péssimo',
  ])
  const eleven = {
    ...rating,
    options: Array.from({ length: 11 }, (_, value) => ({ value, label: `Nota ${value}`, message: '' })),
  }
  expect(scaleMessage(eleven, abilitiesOf('waba', {}))).toEqual({
    body: `${rating.question}\n\n${eleven.options.map(({ value }) => `${value} – Nota ${value}`).join('\n')}`,
  })
})

test('a long name is cut in its button and still read', () => {
  const options = [
    { value: 1, label: 'Não recomendaria a ninguém que conheço', message: '' },
    { value: 2, label: 'Recomendaria', message: '' },
  ]
  const [first] = scaleMessage({ ...rating, options }, abilitiesOf('telegram', {})).interactive?.options ?? []
  expect(first?.title).toHaveLength(24)
  expect(readGrade(options, first?.title ?? '')).toMatchObject({ value: 1 })
})

test.each([`5 a${' '.repeat(300_000)}x`, `${'.'.repeat(300_000)}x`, `a${'!'.repeat(300_000)}x`])(
  'however much is written, what no grade is in is read at once',
  (text) => {
    expect(read(text)).toBeUndefined()
  },
)
