import { dropFiles } from './kept-files.ts'
import { outgoing, removeEntries } from './outbox-entries.ts'
import { emptyTrays, fullTrays } from './tray.ts'
import { stopUploads } from './uploads.ts'

/** What is lost when this person leaves this browser now: messages on their way, and conversations with files to send. */
export const countUnsent = () => ({ messages: outgoing().length, trays: fullTrays() })

/** Nothing of the person at this browser stays in it; drafts do, which the server has as well. */
export const discardUnsent = async (): Promise<void> => {
  removeEntries()
  emptyTrays()
  stopUploads()
  await dropFiles()
}
