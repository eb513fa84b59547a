import { birthdayRule } from '@balcao/contract/operations/birthdays.ts'
import type { Live } from '../../../kit/live.ts'

export const birthdaysKey = ['birthdays'] as const

export const birthdaysLive: Live = {
  'audience.changed': (cache, { rules }) => {
    if (rules.includes(birthdayRule)) void cache.invalidateQueries({ queryKey: birthdaysKey })
  },
  'message.status': (cache, { status }) => {
    if (status === 'failed') void cache.invalidateQueries({ queryKey: birthdaysKey })
  },
}
