import { expect, test } from 'vitest'
import { whoSees } from './use-who-sees.ts'

const plain = { nullticket: false, supervisorAdmin: false, DirectTicketsToWallets: false }

test('a channel without a queue says who sees its conversations', () => {
  expect(whoSees(plain, true)).toBe('só administradores e supervisores veem as conversas.')
  expect(whoSees({ ...plain, supervisorAdmin: true }, true)).toBe('só administradores veem as conversas.')
  expect(whoSees({ ...plain, DirectTicketsToWallets: true }, true)).toMatch(/donos da carteira/)
  expect(whoSees({ ...plain, nullticket: true }, true)).toBe('toda a equipe vê as conversas.')
  expect(whoSees(plain, false)).toBe('toda a equipe vê as conversas.')
})
