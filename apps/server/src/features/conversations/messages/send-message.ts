import type { Abilities, Capability } from '@balcao/contract/channels/abilities.ts'
import { isWindowOpen } from '@balcao/contract/channels/window.ts'
import type { Purpose } from '@balcao/contract/contacts/consent.ts'
import { carriedAs, numberedText } from '@balcao/contract/conversations/interactive.ts'
import {
  type Interactive,
  type Message,
  type MessagePayload,
  type MessageSend,
  mayGoTogether,
} from '@balcao/contract/conversations/messages.ts'
import { type Prepared, type Tx, withTenantAfter } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { fillTemplate } from '../../channels/templates/use-template.ts'
import { areMembers } from '../../contacts/groups/members.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { sendableFile } from '../../core/media/stored-files.ts'
import { cleanHtml } from '../mail-html/clean-html.ts'
import { callColleagues, findCalled } from '../mentions/call-colleagues.ts'
import { commitTicketChange } from '../tickets/commit-ticket-changes.ts'
import { explainMove } from '../tickets/hand-over.ts'
import { planChange, toCommit } from '../tickets/ticket-changes.ts'
import { lockTicket as findLocked } from '../tickets/ticket-rows.ts'
import { canSee, viewerOf } from '../tickets/tickets.policy.ts'
import { takeWay } from '../tickets/ways.ts'
import { type MessageRow, presentMessage } from '../timeline/messages.present.ts'
import { newMessage } from '../timeline/new-message.ts'
import { type MailBody, storeMessages } from '../timeline/store.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { type ReachedTicket, reachedTicketColumns, type TicketState } from '../timeline/ticket-state.ts'
import { holdAlbum } from './albums.ts'
import { messageById, quotable, unseenByMe } from './messages.queries.ts'
import { countQuickUse } from './quick-uses.ts'
import { requireSupport } from './reach.ts'
import { prefersSigned, signedText } from './signature.ts'
import { readVariables } from './variable-context.ts'
import { requireVisible } from './visible.ts'
import { writeOutgoing } from './write-outgoing.ts'

/**
 * Writes a message of a person and queues it for its channel, or keeps it as a note for the team. The client's id makes
 * it one message however often the request arrives.
 */
export const sendMessage = async (actor: Actor, ticketId: string, input: MessageSend): Promise<Message> => {
  const directory = await getDirectory(actor.tenantId)
  const { way } = input
  const sending = withTenantAfter(actor.tenantId, openingAsks(actor, ticketId, input), (tx, opened) =>
    sendOpened(tx, directory, actor, ticketId, input, opened),
  )
  const outcome = await (way ? sending.catch((error) => explainMove(error, { actor, ticketId, ...way })) : sending)
  if (!('newer' in outcome)) return outcome
  throw new AppError('ERR_CONFLICT', {
    message: 'A conversa continuou enquanto você escrevia. Confira antes de enviar.',
    details: outcome,
  })
}
/** The same in an open transaction. */
export const sendIn = async (
  tx: Tx,
  directory: Directory,
  actor: Actor,
  ticketId: string,
  input: MessageSend,
): Promise<Message | Held> =>
  sendOpened(tx, directory, actor, ticketId, input, await tx.trip(...openingAsks(actor, ticketId, input)))

/** The conversation, locked; the message, if it was sent before; what others wrote since its writer last looked. */
const openingAsks = ({ tenantId, userId }: Actor, ticketId: string, { id, seenSeq }: MessageSend): Ask[] => [
  [lockStatement, [tenantId, ticketId]],
  [messageById, [tenantId, id]],
  ...(seenSeq === null ? [] : [[unseenByMe, [tenantId, ticketId, seenSeq, userId]] satisfies Ask]),
]
const sendOpened = async (
  tx: Tx,
  directory: Directory,
  actor: Actor,
  ticketId: string,
  input: MessageSend,
  [locked = [], sentBefore = [], unseen = []]: object[][],
): Promise<Message | Held> => {
  let ticket = visible(locked as ReachedTicket[], directory, actor)
  const [sent] = sentBefore as MessageRow[]
  if (sent) return again(sent, actor, ticketId, directory)

  const isNote = input.type === 'note'
  checkStatus(ticket, isNote)
  if (!isNote) {
    if (!input.way) checkChannel(ticket, input)
    const newer = unseen as MessageRow[]
    if (newer.length && !input.force) {
      await tellHeld(tx, ticket, actor)
      return { newer: newer.map((row) => presentMessage(row, tx.tenantId, directory.people)) }
    }
    if (input.way) {
      await takeWay(tx, actor, ticketId, input.way)
      ticket = visible(await tx.rows(lockStatement, [tx.tenantId, ticketId]), directory, actor)
      checkChannel(ticket, input)
    }
  }
  const file = input.mediaId ? await findFile(tx, actor, input) : null
  const quoted = input.quotedId ? await findQuoted(tx, actor, directory, ticket, input.quotedId) : null
  const filled = await fill(tx, { ticket, actor, directory, input, file })
  const album = mayGoTogether(ticket.abilities.supports, input.type) ? input.album : undefined
  const members = input.called?.length ? await findMembers(tx, ticket, input.called) : null
  const called = isNote ? findCalled(directory, factsOf(ticket), actor, input.mentions) : null
  const written = await write(tx, {
    ticket,
    actor,
    directory,
    input: filled.input,
    file,
    quoted,
    payload: withAlbum(payloadOf(filled.payload, called?.named, members), album),
    purpose: filled.purpose,
    mailBody: filled.mailBody,
  })
  if (album) holdAlbum(tx, ticket.id, album)
  const { quickMessageId } = input
  if (quickMessageId) await countQuickUse(tx, { quickMessageId, userId: actor.userId })
  if (called) await callColleagues(tx, actor, written, called)
  else if (!ticket.userId) await takeUp(tx, ticket.id, actor, directory)
  return written
}
const payloadOf = (
  filled: MessagePayload | null,
  mentions: MessagePayload['mentions'] = [],
  called: MessagePayload['called'] | null,
): MessagePayload | null => {
  if (mentions.length) return { mentions }
  return called ? { ...filled, called } : filled
}
const withAlbum = (payload: MessagePayload | null, album: MessageSend['album']): MessagePayload | null =>
  album ? { ...payload, album: { id: album.id } } : payload
/** Members of the group it calls, each still there. */
const findMembers = async (tx: Tx, ticket: ReachedTicket, called: NonNullable<MessageSend['called']>) => {
  if (!ticket.isGroup) throw fieldErrors({ path: 'called', message: 'Só em grupos se menciona alguém.' })
  requireSupport(ticket, 'mentions')
  const there = await areMembers(
    tx,
    ticket.contactId,
    called.map(({ id }) => id),
  )
  if (called.some(({ id }) => !there.has(id)))
    throw fieldErrors({ path: 'called', message: 'Um dos mencionados não está mais no grupo.' })
  return called
}
/** Not sent: what was said while it was being written comes first. */
type Held = { newer: Message[] }

/** Assigns an unassigned ticket to the person who replies. */
const takeUp = async (tx: Tx, ticketId: string, actor: Actor, directory: Directory) => {
  const before = await findLocked(tx, ticketId)
  if (!before) return
  const change = planChange(before, { status: 'open', userId: actor.userId }, actor, directory)
  await commitTicketChange(tx, toCommit(before, change, { kind: 'reply' }), byUser(actor))
}

/** What templates and choices say, and what their channel needs besides. */
const fill = async (tx: Tx, { ticket, actor, directory, input, file }: Filling): Promise<Filled> => {
  if (input.type === 'template' && input.template) {
    const use = input.template
    const { template, text, isMarketing } = await fillTemplate(tx, {
      connectionId: ticket.connectionId,
      use,
      fileKind: file?.kind ?? null,
      context: await readVariables(tx, actor, directory, ticket.id),
    })
    const purpose = isMarketing ? 'marketing' : 'service'
    return { input: { ...input, body: text, sign: false }, payload: { template }, purpose }
  }
  if (input.mail) {
    const { html, ...head } = input.mail
    const references = input.quotedId ? await referencesTo(tx, input.quotedId) : []
    const mail = { ...head, references, isFormatted: html !== null }
    return { input, payload: { mail }, mailBody: html === null ? undefined : writtenMail(html), purpose: 'service' }
  }
  if (input.type === 'poll' && input.interactive)
    return {
      input,
      payload: { interactive: { ...input.interactive, selectable: input.interactive.selectable ?? 1 } },
      purpose: 'service',
    }
  if (input.type !== 'buttons' || !input.interactive) return { input, payload: null, purpose: 'service' }
  if (numberedText(input.interactive, input.body).length > ticket.abilities.textLimits.text)
    throw fieldErrors({ path: 'body', message: 'O texto e as opções juntos são longos demais. Encurte um deles.' })
  const interactive = asCarried(ticket.abilities, input.interactive, input.body)
  return { input, payload: { interactive }, purpose: 'service' }
}
/** Choices are kept as the customer sees them, for whoever reads the conversation. */
export const asCarried = (abilities: Abilities, interactive: Interactive, body: string): Interactive => {
  const way = carriedAs(abilities, interactive, body)
  return way === 'text' ? interactive : { ...interactive, kind: way }
}
/** An answer names what it answers, after all that was answered before. */
const referencesTo = async (tx: Tx, quotedId: string): Promise<string[]> => {
  const [quoted] = await tx.rows<{ id: string | null; references: string[] }>(mailThread, [tx.tenantId, quotedId])
  return [...(quoted?.references ?? []), ...(quoted?.id ? [quoted.id] : [])].slice(-100)
}
const mailThread: Prepared = {
  name: 'mail_thread',
  text: `select provider_id as id, coalesce(payload #> '{mail,references}', '[]') as references
    from messages m where tenant_id = $1 and id = $2 and exists (select from connections n
      where n.tenant_id = $1 and n.id = m.connection_id and n.abilities->'supports' @> '["mail"]')`,
}

type Filling = Pick<Draft, 'ticket' | 'actor' | 'directory' | 'input' | 'file'>
/** What one of ours wrote is cleaned before it leaves: pictures of other places stay out. */
const writtenMail = (html: string): MailBody => ({ html: cleanHtml(html, { draw: () => undefined }), pictures: [] })

type Filled = { input: MessageSend; payload: MessagePayload | null; purpose: Purpose; mailBody?: MailBody }

const write = async (tx: Tx, draft: Draft): Promise<Message> => {
  const { ticket, actor, directory, input, file, quoted, payload, purpose, mailBody } = draft
  const author = byUser(actor)
  const { body, isSigned } = signed(draft)
  const { type } = input
  const says = { id: input.id, body, file, quoted, payload: payload ?? null }
  if (type === 'note') {
    const making = { tenantId: tx.tenantId, people: directory.people, now: new Date() }
    const note = newMessage(making, { ...says, ticket, author, type, fromMe: true, status: 'received' })
    storeMessages(tx, { messages: [note], tickets: [] })
    return note.message
  }
  const { messages } = await writeOutgoing(tx, {
    ticket,
    directory,
    author,
    cause: 'chat',
    purpose,
    drafts: [
      {
        ...says,
        type,
        mailBody,
        isSigned,
        location: type === 'location' ? input.location : null,
        contacts: type === 'contact' && input.contact ? [input.contact] : [],
      },
    ],
  })
  const [message] = messages
  if (!message) throw new AppError('ERR_CREATING_MESSAGE')
  return message
}

const visible = ([ticket]: ReachedTicket[], directory: Directory, actor: Actor): ReachedTicket => {
  if (!ticket || !canSee(viewerOf(directory, actor.userId), factsOf(ticket))) throw new AppError('ERR_NO_TICKET_FOUND')
  return ticket
}
const lockStatement: Prepared = {
  name: 'ticket_lock_to_send',
  text: `select ${reachedTicketColumns} from tickets t where t.tenant_id = $1 and t.id = $2 for no key update of t`,
}

const again = (sent: MessageRow, actor: Actor, ticketId: string, directory: Directory): Message => {
  if (sent.ticketId !== ticketId || sent.userId !== actor.userId) throw new AppError('ERR_DUPLICATED')
  return presentMessage(sent, actor.tenantId, directory.people)
}

const checkStatus = (ticket: TicketState, isNote: boolean) => {
  if (ticket.status === 'closed') throw new AppError('ERR_TICKET_CLOSED')
  if (ticket.status === 'pending' && !isNote) {
    throw new AppError('ERR_INVALID_TRANSITION', { message: 'Aceite o atendimento antes de responder.' })
  }
}

const checkChannel = (ticket: ReachedTicket, { type, quotedId }: MessageSend) => {
  // Choices reach every channel, as a numbered text where it has no buttons; a note never comes here; every other type
  // is a capability's name.
  if (type !== 'buttons') requireSupport(ticket, type as Capability)
  if (quotedId) requireSupport(ticket, 'reply')
  if (type !== 'template' && !isWindowOpen(ticket.abilities, ticket.windowFrom, { isByPerson: true }))
    throw new AppError('ERR_WINDOW_CLOSED')
}

/** Whoever wrote it may be in another conversation by now, or gone. */
const tellHeld = async (tx: Tx, ticket: TicketState, actor: Actor) => {
  const [contact] = await tx.rows<{ name: string }>(contactName, [tx.tenantId, ticket.contactId])
  const text = `Sua resposta para ${contact?.name ?? 'o cliente'} não saiu: a conversa continuou enquanto você escrevia.`
  const notice = { ticketId: ticket.id, kind: 'held' as const, text, messageId: null }
  await emit(tx, 'ticket.notice', notice, { kind: 'users', userIds: [actor.userId] })
}
const contactName: Prepared = {
  name: 'contact_name_of_held',
  text: 'select name from contacts where tenant_id = $1 and id = $2',
}

const findFile = async (tx: Tx, actor: Actor, { mediaId, type }: MessageSend): Promise<StoredFile> => {
  const [file] = await tx.rows<StoredFile>(sendableFile, [tx.tenantId, mediaId, actor.userId, actor.queueIds])
  if (!file) throw fieldErrors({ path: 'mediaId', message: 'Arquivo não encontrado. Envie-o de novo.' })
  // Whether it fits a template is for the template to say.
  const isFitting =
    type === 'document' || type === 'template' || type === file.kind || (type === 'sticker' && file.kind === 'image')
  if (!isFitting) throw fieldErrors({ path: 'mediaId', message: 'O arquivo não é do tipo escolhido.' })
  return file
}

/** Of any conversation with this contact, as far as this person may see it. */
const findQuoted = async (tx: Tx, actor: Actor, directory: Directory, ticket: TicketState, quotedId: string) => {
  const unknown = fieldErrors({ path: 'quotedId', message: 'A mensagem respondida não existe nesta conversa.' })
  const [found] = await tx.rows<Quotable>(quotable, [tx.tenantId, quotedId, ticket.contactId])
  if (!found) throw unknown
  const { ticketId, ...quoted } = found
  if (ticketId !== ticket.id)
    await requireVisible(tx, actor, directory, ticketId).catch((error) => {
      throw error instanceof AppError ? unknown : error
    })
  return quoted
}
type Quotable = NonNullable<Message['quoted']> & { ticketId: string }

type Draft = {
  ticket: ReachedTicket
  actor: Actor
  directory: Directory
  input: MessageSend
  file: StoredFile | null
  quoted: Message['quoted']
  payload?: MessagePayload | null
  mailBody?: MailBody
  purpose: Purpose
}
/**
 * The text with the writer's name above it, where that is asked for. A template's words are the approved ones and no
 * others, and a poll's are its question.
 */
const signed = ({ ticket, actor, directory, input }: Draft) => {
  const maySign = !['note', 'template', 'poll'].includes(input.type) && input.body.trim() !== ''
  const isAsked =
    maySign &&
    (directory.settings.signed || (input.sign === 'preferred' ? prefersSigned(directory, actor.userId) : input.sign))
  const body = signedText(input.body, { abilities: ticket.abilities, name: actor.name, isAsked })
  if (body !== input.body && body.length > ticket.abilities.textLimits.text)
    throw fieldErrors({
      path: 'body',
      message: 'O texto e a sua assinatura juntos são longos demais. Encurte o texto.',
    })
  return { body, isSigned: isAsked }
}
