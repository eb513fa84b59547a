import { expect, test } from 'vitest'
import { cityOf, timezoneOptions } from './timezones.ts'

test('zones are called by their city, Brazil first and with its clock', () => {
  const [brazil, others] = timezoneOptions()
  expect(brazil?.items[0]).toEqual({ value: 'America/Sao_Paulo', label: 'São Paulo (GMT-3)' })
  expect(brazil?.items.at(-1)).toEqual({ value: 'America/Noronha', label: 'Fernando de Noronha (GMT-2)' })
  expect(others?.items).toContainEqual({ value: 'Europe/Lisbon', label: 'Lisbon, Europe' })
  expect(cityOf('America/Porto_Velho')).toBe('Porto Velho')
})

test('a zone the browser does not know stays chosen', () => {
  const values = timezoneOptions('Etc/Estranho').flatMap(({ items }) => items.map(({ value }) => value))
  expect(values).toContain('Etc/Estranho')
  expect(new Set(values).size).toBe(values.length)
})
