import { createHeavy } from '../../../kit/heavy/heavy.ts'
import { type MailToShow, type ShownMail, shownMail } from './shown-mail.ts'

const task = new URL('./shown-mail.task.ts', import.meta.url)
const limits = { processes: 1, memoryMb: 800, timeMs: 20_000, mostWaiting: 20, niceness: 0 } // somebody waits for it
/** What is seen first is short enough for a thread, which is there sooner. */
const atFirst = createHeavy<MailToShow, never, ShownMail>(task, { ...limits, inThread: true, restMs: 120_000 })
const whole = createHeavy<MailToShow, never, ShownMail>(task, limits)

/** As long as whoever answers people may take over it, whatever is written there: some tens of milliseconds. */
const longestHere = 48 * 1024

/** `shownMail`, of a long one elsewhere. Throws ERR_TOO_HEAVY for one that nobody could read. */
export const showMail = async (tenantId: number, mail: MailToShow): Promise<ShownMail> => {
  if (mail.html.length <= longestHere) return shownMail(mail)
  return mail.isWhole ? whole(tenantId, { input: mail }) : atFirst(tenantId, { input: mail })
}

/** Somebody opens a conversation with formatted mail, and will ask for it in a moment. */
export const expectMail = () => atFirst.warm({ html: '<p></p>', pictures: {}, isWithRemote: false, isWhole: false })
