import { attachMedia } from './attachments.ts'
import type { Quoted } from './composer-target.tsx'
import { readDraft, writeDraft } from './drafts.ts'
import { withdraw } from './outbox.ts'

export type TakenBack = { isNote: boolean; quoted: Quoted | null }

/**
 * Brings what was not sent back to where it was written: words, files and captions. The caller sets the quote and the
 * mode. Undefined when it had already left.
 */
export const takeBack = (ticketId: string, id: string): TakenBack | undefined => {
  const gone = withdraw(id)
  const [first] = gone
  if (!first) return undefined
  const words: string[] = []
  for (const { send, message } of gone) {
    const isCaption = message.media !== null && gone.length > 1
    if (message.media) attachMedia(ticketId, message.media, isCaption ? send.body : '')
    if (send.body && !isCaption) words.push(send.body)
  }
  writeDraft(ticketId, [...words, readDraft(ticketId).body].filter(Boolean).join('\n'))
  return {
    isNote: first.send.type === 'note',
    quoted: gone.find(({ message }) => message.quoted)?.message.quoted ?? null,
  }
}
