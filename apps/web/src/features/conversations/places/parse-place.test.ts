import { expect, test } from 'vitest'
import { parsePlace } from './parse-place.ts'

test.each([
  ['-23.55052, -46.63331', { latitude: -23.55052, longitude: -46.63331 }],
  ['https://www.google.com/maps/@-23.55,-46.63,17z', { latitude: -23.55, longitude: -46.63 }],
  ['https://maps.google.com/?q=-23.55,-46.63', { latitude: -23.55, longitude: -46.63 }],
  ['https://www.google.com/maps/place/X/@-1,-2,17z/data=!3m1!3d-23.5!4d-46.6', { latitude: -23.5, longitude: -46.6 }],
  ['https://www.openstreetmap.org/#map=15/-23.55/-46.63', { latitude: -23.55, longitude: -46.63 }],
  ['https://www.openstreetmap.org/?mlat=-23.5&mlon=-46.6', { latitude: -23.5, longitude: -46.6 }],
  ['Praça da Sé', null],
  ['95, 10', null],
])('%s', (text, place) => {
  expect(parsePlace(text)).toEqual(place)
})
