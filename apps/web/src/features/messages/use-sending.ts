import type { Media } from '@balcao/contract/media.ts'
import type { MessageSend } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { v7 } from 'uuid'
import { useCurrentSession } from '../../kit/session.ts'
import { type Abilities, sendableAs } from './abilities.ts'
import { attachmentsOf, detach } from './attachments.ts'
import type { Quoted } from './composer-target.tsx'
import { sendMessage, undoMs } from './outbox.ts'

type Given = {
  ticket: Ticket
  abilities: Abilities
  replying: Quoted | null
  seenSeq: () => number
}
type How = { media?: Media; batch?: string; atOnce?: boolean }

/** Puts what was written, attached or recorded on its way, answering what it answers. */
export const useSending = ({ ticket, abilities, replying, seenSeq }: Given) => {
  const { configuracoes, user } = useCurrentSession()
  const mustSign = configuracoes.signed === true
  const signs = mustSign || user.configs.signature

  const send = (over: Partial<MessageSend>, { media, batch, atOnce = false }: How = {}) => {
    const isNote = over.type === 'note'
    const quoted = isNote ? null : replying
    sendMessage({
      ticketId: ticket.id,
      contactId: ticket.contactId,
      quoted: quoted && { id: quoted.id, body: quoted.body, type: quoted.type, fromMe: quoted.fromMe },
      media: media ?? null,
      batch,
      delayMs: user.configs.undoSend && !atOnce ? undoMs : 0,
      send: {
        type: 'text',
        body: '',
        mediaId: media?.id ?? null,
        quotedId: quoted?.id ?? null,
        location: null,
        contact: null,
        template: null,
        interactive: null,
        mentions: [],
        sign: signs && !isNote,
        seenSeq: seenSeq(),
        ...over,
      },
    })
  }

  /** The files with their captions, then the words; a single file takes the words as its caption. */
  const sendAll = (words: string, atOnce: boolean) => {
    const files = attachmentsOf(ticket.id).flatMap((file) => {
      const type = sendableAs(file.kind, abilities)
      return file.media && type ? [{ ...file, media: file.media, type }] : []
    })
    const takesWords = files.length === 1 && files[0]?.type !== 'audio' && !files[0]?.caption.trim()
    const how = { batch: v7(), atOnce }
    for (const { id, type, media, caption } of files) {
      send({ type, body: takesWords ? words : caption.trim() }, { ...how, media })
      detach(ticket.id, id)
    }
    if (words && !takesWords) send({ body: words }, how)
  }
  return { send, sendAll, signs, mustSign }
}
