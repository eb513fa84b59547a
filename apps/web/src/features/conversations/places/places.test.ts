import { expect, test } from 'vitest'
import { addressOf, cepIn } from './api.ts'
import { asMessage } from './as-message.ts'

test('a CEP is told from other numbers', () => {
  expect(['01001-000', ' 01001000 ', '-23.5, -46.6', '0100-1000', '010010001'].map(cepIn)).toEqual([
    '01001000',
    '01001000',
    null,
    null,
    null,
  ])
})

test('an address leaves out what the postal service does not know', () => {
  const city = { city: 'Rio Branco', state: 'AC', latitude: null, longitude: null }
  expect(addressOf({ ...city, cep: '69900-970', street: '', district: '' })).toBe('Rio Branco – AC – CEP 69900-970')
  expect(addressOf({ ...city, cep: '69900-000', street: 'Rua A', district: 'Centro' })).toBe(
    'Rua A – Centro, Rio Branco – AC – CEP 69900-000',
  )
})

test('a place without its point goes as words with a link', () => {
  const store = { name: 'Loja', address: 'Rua A, 1', latitude: null, longitude: null }
  expect(asMessage(store)).toEqual({
    body: '*Loja*\nRua A, 1\nhttps://www.google.com/maps/search/?api=1&query=Rua%20A%2C%201',
  })
  expect(asMessage({ ...store, name: ' ', latitude: 0, longitude: -46 })).toEqual({
    type: 'location',
    location: { latitude: 0, longitude: -46, address: 'Rua A, 1' },
  })
})
