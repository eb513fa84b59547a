import type { Page } from '@balcao/contract/common.ts'
import type { BirthdayContact, BirthdayGreeting, birthdayResult } from '@balcao/contract/conversations/message-calls.ts'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'
import { pagedList } from '../../../kit/paged-list.ts'

export const birthdaysToday = {
  ...pagedList<Page<BirthdayContact>>(['contacts', 'birthdays'], '/contactsBirthday'),
  staleTime: 0,
}
export const sendBirthdays = (body: BirthdayGreeting) =>
  api.post<z.output<typeof birthdayResult>>('/messages/sendBirthday', body, { timeoutMs: longTimeoutMs })
