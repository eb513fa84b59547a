import type { HeavyTask } from '../../../kit/heavy/child.ts'
import { type MailToShow, type ShownMail, shownMail } from './shown-mail.ts'

export const run: HeavyTask<MailToShow, never, ShownMail> = async (mail) => shownMail(mail)
