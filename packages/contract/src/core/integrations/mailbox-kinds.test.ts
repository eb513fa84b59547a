import { expect, test } from 'vitest'
import { mailboxKinds } from './index.ts'

test('a mailbox is opened by accounts of mail alone: never by a calendar of the same owner, nor by a password', () => {
  expect(mailboxKinds).toEqual(['gmail', 'microsoft'])
})
