import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

test('the browser and the system are told in the words of people', () => {
  const chrome =
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36'
  expect(deviceOf(chrome)).toBe('Chrome no Android')
  expect(deviceOf(`${chrome} Edg/130.0`.replace('Linux; Android 15', 'Windows NT 10.0'))).toBe('Edge no Windows')
  const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'
  expect(deviceOf(safari)).toBe('Safari no iOS')
  expect(deviceOf('curl/8')).toBeUndefined()
})
