import { expect, test } from 'vitest'
import { keptSkip, readSkip, skipText } from './audience.ts'
import { campaignContent } from './content.ts'
import { missingOf } from './variables.ts'

const saying = (body: string) => campaignContent.parse({ parts: [{ kind: 'text', body }] })

test('whoever is left out for want of a variable is told which', () => {
  const lacking = missingOf(saying('Oi, {{name}} de {{extra.cidade}}'), 'extra.cidade')
  expect(keptSkip(lacking)).toBe('missingVariable:extra.cidade')
  expect(skipText(lacking)).toBe('Falta “cidade”')
  expect(skipText(missingOf(saying('{{name}}'), 'name'))).toBe('Falta “Nome completo do contato”')
  expect(skipText(readSkip('optedOut'))).toBe('Pediu para não receber')
  expect(readSkip('missingVariable')).toEqual({ reason: 'missingVariable', missing: null })
  expect(readSkip('missingVariable:extra.hora: minuto')).toEqual({
    ...{ reason: 'missingVariable', missing: 'extra.hora: minuto' },
  })
})

test('of very many variables only the first are told apart, each by a name of bounded length', () => {
  const names = Array.from({ length: 40 }, (_, n) => `extra.campo ${n}`)
  const content = saying(names.map((name) => `{{${name}}}`).join(' '))
  expect(new Set(names.map((name) => keptSkip(missingOf(content, name)))).size).toBe(21)
  const long = `extra.${'x'.repeat(3_000)}`
  expect(keptSkip(missingOf(saying(`{{${long}}}`), long)).length).toBeLessThan(130)
})
