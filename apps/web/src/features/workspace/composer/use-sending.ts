import { type MessageSend, mayGoTogether, mostInAlbum } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { VariableContext } from '@balcao/contract/variables.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { v7 } from 'uuid'
import { useCurrentSession } from '../../../kit/session.ts'
import type { Abilities } from '../../conversations/messages/abilities.ts'
import { conversationQuery, mailSignatureQuery } from '../../conversations/messages/api.ts'
import { newerThan } from '../../conversations/messages/conversation.ts'
import { emptyMailHead, isEmptyHead, readMailHead } from '../../conversations/messages/mail-head.ts'
import { sendMessage, undoMs } from '../../conversations/messages/outbox.ts'
import { goingOut, makeReady, readyOf } from '../../conversations/messages/ready.ts'
import { handOver, trayOf } from '../../conversations/messages/tray.ts'
import { type ChosenFile, uploadOf } from '../../conversations/messages/uploads.ts'
import { typeOf } from './sendable.ts'
import type { SendHow } from './writing-place.ts'

type Given = { ticket: Ticket; abilities: Abilities; context: VariableContext }

/** Puts what was written, attached or recorded on its way to the customer, answering what it answers. */
export const useSending = ({ ticket, abilities, context }: Given) => {
  const cache = useQueryClient()
  const { configuracoes, user, userId, username } = useCurrentSession()
  const mustSign = configuracoes.signed === true
  const signs = !abilities.showsAuthor && (mustSign || user.configs.signature)

  const isMail = Boolean(abilities.channel?.mailLimits)
  const ofMail = useQuery({ ...mailSignatureQuery(ticket, user.configs.mailSignature), enabled: isMail && signs })
  const below = (isMail && signs && ofMail.data) || ''
  const opening = signs && !isMail ? `*${username}*:\n` : ''
  const signature = opening.length

  const longest = abilities.textLimits.text - signature

  const send = (
    over: Partial<MessageSend>,
    { quoted: answered, seenSeq, file, media, part, batch, atOnce = false, called: all }: SendHow,
  ) => {
    const isNote = over.type === 'note'
    const conversation = cache.getQueryData(conversationQuery(ticket.id).queryKey)
    const quoted = isNote || abilities.why('reply') ? null : answered
    const mail = takesHead(over, abilities) ? headOf(ticket.id) : undefined
    const called = all?.filter(({ name }) => over.body?.toLowerCase().includes(`@${name.toLowerCase()}`))
    sendMessage({
      ticketId: ticket.id,
      contactId: ticket.contactId,
      quoted: quoted && {
        id: quoted.id,
        body: quoted.body,
        type: quoted.type,
        fromMe: quoted.fromMe,
        authorName: quoted.authorName,
      },
      media,
      part,
      payload:
        called?.length || over.album || over.interactive || mail || (below && !isNote && over.body)
          ? {
              ...(over.album && { album: { id: over.album.id } }),
              ...(called?.length && { called }),
              ...choicesOf(over),
              ...(below && !isNote && over.body && { signature: below }),
              ...(mail && { mail: { ...mail, references: [], isFormatted: false } }),
            }
          : null,
      file: file && { ...file, takes: abilities.files },
      batch,
      newer: isNote ? [] : newerThan(conversation, seenSeq, userId),
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
        ...(called?.length && { called }),
        ...(mail && { mail: { ...mail, html: null } }),
        sign: signs && !isNote,
        seenSeq: conversation ? seenSeq : null,
        ...over,
      },
    })
  }

  /**
   * The parts of a quick message, then the files with their captions, then the words; a single file takes the words as its
   * caption, if they fit. All of it is taken back together; the first of them counts as a use of the quick message.
   */
  const sendAll = (words: string, given: SendHow) => {
    const ready = readyOf(ticket.id)
    let quickMessageId = ready?.quickMessageId
    const how = { ...given, batch: v7() }
    const sendOne: typeof send = (over, more) => {
      send({ ...over, ...(quickMessageId && { quickMessageId }) }, more)
      quickMessageId = undefined
    }
    const going = goingOut(ready, { abilities, context, longest }).filter(({ type }) => type)
    const signed = going.findIndex(({ body }) => body)
    const parts = going.flatMap(({ part, type, body }, at): Piece[] => {
      if (!type || !ready) return []
      const { media, interactive } = part
      const { key, quickMessageId: of } = ready
      const over = { type, body, interactive, ...(at !== signed && { sign: false }) }
      return [{ over, how: { media, part: { quickMessageId: of, key, part } } }]
    })
    makeReady(ticket.id, null)
    const typeOfFile = (item: ChosenFile) => typeOf(item, uploadOf(item.id), abilities)
    // What this channel does not carry stays in the draft.
    const items = trayOf(ticket.id).filter((item) => typeOfFile(item) !== null)
    const [first] = items
    const kindOf = (item: ChosenFile) => typeOfFile(item) ?? item.kind
    const fits = words.length <= abilities.textLimits.caption - signature
    const takesWords = items.length === 1 && first && kindOf(first) !== 'audio' && !first.caption.trim() && fits
    const files = items.map(
      ({ caption, ...file }): Piece => ({
        over: { type: kindOf(file), body: takesWords ? words : caption.trim() },
        how: { file },
      }),
    )
    const said: Piece[] = words && !takesWords ? [{ over: { type: 'text', body: words }, how: {} }] : []
    // A mail begins with its words.
    const pieces = abilities.channel?.mailLimits ? [...parts, ...said, ...files] : [...parts, ...files, ...said]
    const albums = albumsOf(
      pieces.map(({ over }) => over.type),
      abilities,
    )
    for (const [at, piece] of pieces.entries()) {
      const album = albums[at]
      sendOne({ ...piece.over, ...(album && { album }) }, { ...how, ...piece.how })
    }
    for (const { id } of items) handOver(ticket.id, id)
    if (abilities.channel?.mailLimits) emptyMailHead(ticket.id)
  }
  return { send, sendAll, signs, mustSign, opening, below, longest }
}

/** One message of what is being sent. */
type Piece = { over: Partial<MessageSend> & Pick<MessageSend, 'type'>; how: Partial<SendHow> }

/** What stands together and the channel sends as one goes as one group. */
export const albumsOf = (
  types: readonly MessageSend['type'][],
  { channel }: Pick<Abilities, 'channel'>,
): MessageSend['album'][] => {
  if (!channel) return []
  const albums: MessageSend['album'][] = []
  for (let from = 0; from < types.length; ) {
    const isFit = (type: MessageSend['type'] | undefined) => type !== undefined && mayGoTogether(channel.supports, type)
    const end = types.findIndex((type, at) => at >= from && !isFit(type))
    const of = Math.min((end < 0 ? types.length : end) - from, mostInAlbum)
    if (of > 1) albums.push(...Array(of).fill({ id: v7(), of }))
    else albums.push(undefined)
    from += Math.max(of, 1)
  }
  return albums
}

/** Notes, and what has a form of its own, have no subject. */
const takesHead = ({ type = 'text' }: Partial<MessageSend>, { channel }: Abilities) =>
  channel?.mailLimits && !['note', 'template', 'buttons', 'poll'].includes(type)

/** Nothing where nothing was written there: the message goes on with the conversation's subject. */
const headOf = (ticketId: string) => {
  const { subject, ...copies } = readMailHead(ticketId)
  const head = { subject: subject.trim(), ...copies }
  return isEmptyHead(head) ? undefined : head
}

const choicesOf = ({ interactive }: Partial<MessageSend>) => interactive && { interactive }
