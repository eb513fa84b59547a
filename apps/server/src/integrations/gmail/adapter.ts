import { consentedMail } from '../consented-mail.ts'

export const gmail = consentedMail<'gmail'>('Gmail')
