import { type Abilities, capabilities } from '@balcao/contract/channels/abilities.ts'
import { unreachableBecause } from '@balcao/contract/channels/index.ts'
import { isWindowOpen } from '@balcao/contract/channels/window.ts'
import { numberedText } from '@balcao/contract/conversations/interactive.ts'
import type { ForwardBody, ForwardTarget } from '@balcao/contract/conversations/message-calls.ts'
import { errorCodes } from '@balcao/contract/errors.ts'
import { sql } from 'drizzle-orm'
import { v5, v7 } from 'uuid'
import { type Tx, withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError, fieldErrors, sentenceOf } from '../../../kit/errors.ts'
import { binding } from '../../../kit/sql.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { canSee, viewerOf, visibleTickets } from '../tickets/tickets.policy.ts'
import { createTicket } from '../tickets/tickets.service.ts'
import { writeLines } from '../timeline/lines.ts'
import type { MessageRow } from '../timeline/messages.present.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { type ReachedTicket, type TicketState, ticketStateColumns } from '../timeline/ticket-state.ts'
import { alreadySent, forwardTargets, lockActive, type TargetRow } from './forward.queries.ts'
import { messageColumns, messageJoins } from './messages.queries.ts'
import { type OutgoingDraft, writeOutgoing } from './write-outgoing.ts'

/**
 * Sends messages on to other contacts, in the order they were written, each target by itself: what one channel or
 * conversation refuses is told and holds nothing else back. The same `requestId` twice forwards once.
 */
export const forwardMessages = async (actor: Actor, input: ForwardBody): Promise<ForwardTarget[]> => {
  const directory = await getDirectory(actor.tenantId)
  const visible = await visibleContacts(actor)
  const requestId = input.requestId ?? v7()
  const { sources, targets } = await withTenant(actor.tenantId, async (tx) => {
    if (input.channelId) await requireChannel(tx, input.channelId)
    const sources = await readSources(tx, actor, directory, input.messages)
    const seen = await tx.db.execute<{ id: string }>(
      sql`select c.id from contacts c where c.tenant_id = ${tx.tenantId} and c.merged_into_id is null
        and c.id in (${sql.join(
          input.contact.map((id) => sql`${id}::uuid`),
          sql`, `,
        )}) and ${visible ?? sql`true`}`,
    )
    if (seen.rows.length < input.contact.length) throw new AppError('ERR_NO_CONTACT_FOUND')
    const rows = await tx.rows<TargetRow>(forwardTargets, [tx.tenantId, input.contact, input.channelId])
    const active = await readActive(tx, rows)
    const plans = rows.map((row) => planOf({ row, sources, active: active.get(row.activeId ?? ''), actor, directory }))
    return { sources, targets: input.contact.flatMap((id) => plans.find((plan) => plan.row.contactId === id) ?? []) }
  })
  if (input.dryRun) return targets.map(({ target }) => target)
  const results: ForwardTarget[] = []
  // One decision after the other: each takes its own conversation's lock, and 20 are the most.
  for (const plan of targets) results.push(await deliver(actor, directory, requestId, plan, sources))
  return results
}

type Source = { row: MessageRow; type: Carried; body: string }
type Carried = 'text' | 'poll' | 'image' | 'audio' | 'video' | 'document' | 'sticker' | 'location' | 'contact'
type Plan = { row: TargetRow; target: ForwardTarget }

const requireChannel = async (tx: Tx, channelId: string) => {
  const { rows } = await tx.db.execute(
    sql`select from connections where tenant_id = ${tx.tenantId} and id = ${channelId}::uuid and deleted_at is null`,
  )
  if (!rows.length) throw new AppError('ERR_NO_WAPP_FOUND')
}

/** Every one of them, or nothing: a message one may not see is a message that is not there. */
const readSources = async (tx: Tx, actor: Actor, directory: Directory, ids: string[]): Promise<Source[]> => {
  const { values, bind } = binding()
  const text = `select ${messageColumns} from messages m ${messageJoins} join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    where m.tenant_id = ${bind(tx.tenantId)} and m.id = any(${bind(ids)}::uuid[]) and not m.is_deleted
      and ${visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind)} order by m.seq`
  const rows = await tx.rows<MessageRow>({ name: '', text }, values)
  if (rows.length < ids.length) throw new AppError('ERR_FETCH_WAPP_MSG')
  return rows.map(sourceOf)
}

const sourceOf = (row: MessageRow): Source => {
  switch (row.type) {
    case 'note':
    case 'system':
    case 'reaction':
    case 'unsupported':
      throw fieldErrors({ path: 'messages', message: 'Notas, avisos e mensagens não suportadas não são encaminhadas.' })
    case 'template':
      return { row, type: 'text', body: row.body }
    case 'buttons':
      return {
        row,
        type: 'text',
        body: row.payload?.interactive ? numberedText(row.payload.interactive, row.body) : row.body,
      }
    case 'text':
    case 'poll':
    case 'location':
    case 'contact':
      return { row, type: row.type, body: row.body }
    default:
      if (!row.file)
        throw fieldErrors({
          path: 'messages',
          message: 'Um dos arquivos ainda não chegou. Tente de novo em instantes.',
        })
      // What was written down of an audio is for the team.
      return { row, type: row.type, body: row.payload?.transcript ? '' : row.body }
  }
}

const readActive = async (tx: Tx, rows: TargetRow[]): Promise<Map<string, TicketState>> => {
  const ids = rows.flatMap((row) => row.activeId ?? [])
  const text = `select ${ticketStateColumns} from tickets t where t.tenant_id = $1 and t.id = any($2::uuid[])`
  const found = await tx.rows<TicketState>({ name: 'forward_active', text }, [tx.tenantId, ids])
  return new Map(found.map((ticket) => [ticket.id, ticket]))
}

type Planning = {
  row: TargetRow
  sources: Source[]
  active: TicketState | undefined
  actor: Actor
  directory: Directory
}
const planOf = ({ row, sources, active, actor, directory }: Planning): Plan => {
  const { connection } = row
  const contact = { id: row.contactId, name: row.name }
  const channel = connection && { id: connection.id, name: connection.name }
  const refused = (problem: string): Plan => ({ row, target: { contact, channel, ticketId: null, count: 0, problem } })
  if (!connection) return refused('Escolha o canal: ainda não há conversa com este contato.')
  const problem =
    unreachableBecause({ number: row.number, identities: row.identities }, connection.kind, connection.abilities) ??
    windowProblem(connection.abilities, row.windowFrom) ??
    (active && ticketProblem(active, actor, directory))
  if (problem) return refused(problem)
  const going = sources.filter((source) => carriedAs(source, connection.abilities))
  if (!going.length) return refused(`O canal ${connection.name} não aceita este tipo de mensagem.`)
  return {
    row,
    target: {
      contact,
      channel,
      ticketId: active?.id ?? null,
      count: going.length,
      problem: going.length < sources.length ? leftOut(sources.length - going.length, connection.name) : null,
    },
  }
}
const leftOut = (count: number, channel: string) =>
  count === 1
    ? `Uma mensagem não vai: o canal ${channel} não aceita o tipo dela.`
    : `${count} mensagens não vão: o canal ${channel} não aceita o tipo delas.`

/** How a channel carries it: as it is, a file at least as a document, a poll as lines; null when not at all. */
const carriedAs = ({ type }: Source, { supports }: Abilities): Carried | null => {
  const ways: Carried[] =
    type === 'sticker'
      ? ['sticker', 'image', 'document']
      : type === 'poll'
        ? ['poll', 'text']
        : isFile(type)
          ? [type, 'document']
          : [type]
  return ways.find((way) => capabilities.includes(way) && supports.includes(way)) ?? null
}
const isFile = (type: Carried) => ['image', 'audio', 'video', 'document'].includes(type)

const windowProblem = (abilities: Abilities, windowFrom: Date | null): string | null =>
  isWindowOpen(abilities, windowFrom, { isByPerson: true }) ? null : errorCodes.ERR_WINDOW_CLOSED.text

/** An active conversation is used as it stands, by those who may see it; who waits is to be accepted first. */
const ticketProblem = (ticket: TicketState, actor: Actor, directory: Directory): string | null => {
  if (!canSee(viewerOf(directory, actor.userId), factsOf(ticket))) {
    const agent = ticket.userId ? directory.people.get(ticket.userId)?.name : undefined
    return agent
      ? `${agent} está atendendo este contato, em um atendimento que você não vê.`
      : 'Este contato já tem um atendimento aberto, que você não vê.'
  }
  if (ticket.status === 'open') return null
  return 'O atendimento deste contato está aguardando. Aceite-o antes de encaminhar.'
}

const deliver = async (
  actor: Actor,
  directory: Directory,
  requestId: string,
  { row, target }: Plan,
  sources: Source[],
): Promise<ForwardTarget> => {
  const { connection } = row
  if (!target.count || !connection) return target
  const drafts = sources.flatMap((source): (OutgoingDraft & { id: string })[] => {
    const type = carriedAs(source, connection.abilities)
    if (!type) return []
    const { file, location, contacts, payload } = source.row
    const choices = source.type === 'poll' ? payload?.interactive : undefined
    const body = choices && type === 'text' ? numberedText(choices, source.body) : source.body
    // The id follows from the request, the message and the contact: however often it is asked, it is one message.
    const id = v5(`${source.row.id}:${row.contactId}`, requestId)
    const shown = { payload: choices && type === 'poll' ? { interactive: choices } : null }
    return [{ id, type, body, ...shown, file, location, contacts: contacts ?? [], isForwarded: true }]
  })
  const work = withTenant(actor.tenantId, async (tx) => {
    const sent = await tx.rows<{ id: string; ticketId: string }>(alreadySent, [tx.tenantId, drafts.map(({ id }) => id)])
    const known = new Set(sent.map(({ id }) => id))
    const missing = drafts.filter(({ id }) => !known.has(id))
    if (!missing.length) return { ...target, ticketId: sent[0]?.ticketId ?? null }
    const ticket = await openTicket(tx, { actor, directory, row, connection })
    const problem = windowProblem(connection.abilities, ticket.windowFrom) ?? ticketProblem(ticket, actor, directory)
    if (problem) return { ...target, ticketId: null, count: 0, problem }
    await writeOutgoing(tx, {
      ticket,
      directory,
      author: byUser(actor),
      cause: 'chat',
      purpose: 'service',
      drafts: missing,
    })
    return { ...target, ticketId: ticket.id }
  })
  // What is refused at the door holds nothing else back.
  return work.catch((error) => {
    if (!(error instanceof AppError)) throw error
    return { ...target, ticketId: null, count: 0, problem: sentenceOf(error) }
  })
}

type Opening = { actor: Actor; directory: Directory; row: TargetRow; connection: NonNullable<TargetRow['connection']> }
/** The contact's active conversation, locked; where there is none, a new one of the person who forwards. */
const openTicket = async (tx: Tx, { actor, directory, row, connection }: Opening): Promise<ReachedTicket> => {
  const { contactId, isGroup } = row
  const find = async () => (await tx.rows<ReachedTicket>(lockActive, [tx.tenantId, connection.id, contactId]))[0]
  const active = await find()
  if (active) return active
  const queue = connection.queueId ? directory.queues.get(connection.queueId) : undefined
  try {
    const created = await createTicket(tx, {
      contactId,
      connectionId: connection.id,
      status: 'open',
      userId: actor.userId,
      queueId: queue?.isActive ? queue.id : null,
      isGroup,
      createdBy: byUser(actor),
    })
    const body = `${actor.name} iniciou o atendimento ao encaminhar uma mensagem.`
    await writeLines(tx, byUser(actor), [{ ticket: created, lines: [{ type: 'system', body }] }])
  } catch (error) {
    // The customer wrote at this moment: theirs is the one.
    if (!(error instanceof AppError && error.code === 'ERR_OTHER_OPEN_TICKET')) throw error
  }
  const opened = await find()
  if (!opened) throw new AppError('ERR_CREATING_TICKET')
  return opened
}
