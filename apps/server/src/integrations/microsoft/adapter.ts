import { consentedMail } from '../consented-mail.ts'

export const microsoft = consentedMail<'microsoft'>('Outlook')
