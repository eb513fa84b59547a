import type { MessageSend } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useQueryClient } from '@tanstack/react-query'
import { v7 } from 'uuid'
import { useCurrentSession } from '../../../kit/session.ts'
import type { Abilities } from '../../conversations/messages/abilities.ts'
import { conversationQuery } from '../../conversations/messages/api.ts'
import { newerThan } from '../../conversations/messages/conversation.ts'
import { sendMessage, undoMs } from '../../conversations/messages/outbox.ts'
import { handOver, trayOf } from '../../conversations/messages/tray.ts'
import { type ChosenFile, uploadOf } from '../../conversations/messages/uploads.ts'
import { typeOf } from './sendable.ts'
import type { SendHow } from './writing-place.ts'

type Given = { ticket: Ticket; abilities: Abilities }

/** Puts what was written, attached or recorded on its way to the customer, answering what it answers. */
export const useSending = ({ ticket, abilities }: Given) => {
  const cache = useQueryClient()
  const { configuracoes, user, userId, username } = useCurrentSession()
  const mustSign = configuracoes.signed === true
  const signs = !abilities.showsAuthor && (mustSign || user.configs.signature)

  const signature = signs ? `*${username}*:\n`.length : 0

  const send = (over: Partial<MessageSend>, { quoted: answered, seenSeq, file, batch, atOnce = false }: SendHow) => {
    const isNote = over.type === 'note'
    const conversation = cache.getQueryData(conversationQuery(ticket.id).queryKey)
    const quoted = isNote ? null : answered
    sendMessage({
      ticketId: ticket.id,
      contactId: ticket.contactId,
      quoted: quoted && { id: quoted.id, body: quoted.body, type: quoted.type, fromMe: quoted.fromMe },
      file: file && { ...file, takes: abilities.files },
      batch,
      newer: isNote ? [] : newerThan(conversation, seenSeq, userId),
      delayMs: user.configs.undoSend && !atOnce ? undoMs : 0,
      send: {
        type: 'text',
        body: '',
        mediaId: null,
        quotedId: quoted?.id ?? null,
        location: null,
        contact: null,
        template: null,
        interactive: null,
        mentions: [],
        sign: signs && !isNote,
        seenSeq: conversation ? seenSeq : null,
        ...over,
      },
    })
  }

  /** The files with their captions, then the words; a single file takes the words as its caption, if they fit. */
  const sendAll = (words: string, how: SendHow) => {
    const items = trayOf(ticket.id)
    const [first] = items
    const kindOf = (item: ChosenFile) => typeOf(item, uploadOf(item.id), abilities) ?? item.kind
    const fits = words.length <= abilities.textLimits.caption - signature
    const takesWords = items.length === 1 && first && kindOf(first) !== 'audio' && !first.caption.trim() && fits
    const together = { ...how, batch: v7() }
    for (const { caption, ...file } of items) {
      send({ type: kindOf(file), body: takesWords ? words : caption.trim() }, { ...together, file })
      handOver(ticket.id, file.id)
    }
    if (words && !takesWords) send({ body: words }, together)
  }
  return { send, sendAll, signs, mustSign, longest: abilities.textLimits.text - signature }
}
