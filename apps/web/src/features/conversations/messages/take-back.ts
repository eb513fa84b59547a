import type { Quoted } from './composer-target.tsx'
import { readDraft, writeDraft } from './drafts.ts'
import { writeMailHead } from './mail-head.ts'
import { withdraw } from './outbox.ts'
import { makeReady } from './ready.ts'
import { attachMedia, putBack } from './tray.ts'

export type TakenBack = { isNote: boolean; quoted: Quoted | null }

/**
 * Brings what was not sent back to where it was written: words, files and captions. The caller sets the quote and the
 * mode. Undefined when it had already left.
 */
export const takeBack = (ticketId: string, id: string): TakenBack | undefined => {
  const gone = withdraw(id)
  const [first] = gone
  if (!first) return undefined
  const kind = first.send.type === 'note' ? 'note' : 'message'
  const words: string[] = []
  const parts = gone.flatMap((one) => one.part ?? [])
  const [from] = parts
  if (from) makeReady(ticketId, { ...from, parts: parts.map((one) => one.part) })
  const mail = gone.find(({ send }) => send.mail)?.send.mail
  if (mail) writeMailHead(ticketId, { subject: mail.subject, cc: mail.cc, bcc: mail.bcc })
  for (const { send, message, file, part } of gone) {
    if (part) continue
    const isCaption = file !== null && gone.length > 1
    if (file) putBack(ticketId, { ...file, caption: isCaption ? send.body : '' })
    else if (message.media) attachMedia(ticketId, message.media)
    if (send.body && !isCaption) words.push(send.body)
  }
  writeDraft({ ticketId, kind }, [...words, readDraft({ ticketId, kind }).body].filter(Boolean).join('\n'))
  return {
    isNote: kind === 'note',
    quoted: gone.find(({ message }) => message.quoted)?.message.quoted ?? null,
  }
}
