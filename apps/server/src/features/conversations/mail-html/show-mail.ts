import { createHeavy } from '../../../kit/heavy/heavy.ts'
import { type MailToShow, type ShownMail, shownMail } from './shown-mail.ts'

const inAnotherProcess = createHeavy<MailToShow, never, ShownMail>(new URL('./shown-mail.task.ts', import.meta.url), {
  processes: 1,
  memoryMb: 800,
  timeMs: 20_000,
  mostWaiting: 20,
  niceness: 0, // somebody waits for it
})

/** As long as whoever answers people may take over it, whatever is written there: some tens of milliseconds. */
const longestHere = 48 * 1024

/** `shownMail`, of a long one in a process of its own. Throws ERR_TOO_HEAVY for one that nobody could read. */
export const showMail = async (tenantId: number, mail: MailToShow): Promise<ShownMail> =>
  mail.html.length <= longestHere ? shownMail(mail) : inAnotherProcess(tenantId, { input: mail })
