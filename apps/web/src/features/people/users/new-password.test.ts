import { newPassword } from '@balcao/contract/people/auth.ts'
import { expect, test } from 'vitest'
import { generatePassword } from './new-password.ts'

test('a generated password passes the rule, has no look-alikes and does not repeat', () => {
  const made = Array.from({ length: 200 }, () => generatePassword())
  expect(new Set(made).size).toBe(200)
  for (const one of made) {
    expect(newPassword.safeParse(one).success).toBe(true)
    expect(one).toMatch(/^[^01ilo]{5}-[^01ilo]{5}-[^01ilo]{4}$/)
    expect(one).not.toMatch(/[IO]/)
  }
})
