import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import type { TemplateUse } from '@balcao/contract/channels/templates.ts'
import { isWindowOpen } from '@balcao/contract/channels/window.ts'
import type { Purpose } from '@balcao/contract/contacts/consent.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { SendType } from '@balcao/contract/conversations/messages.ts'
import { errorCodes } from '@balcao/contract/errors.ts'
import { fillVariables, type VariableContext } from '@balcao/contract/variables.ts'
import { v5, v7 } from 'uuid'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { byRule, byUser } from '../../../kit/actor.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import type { TicketFacts } from '../../../kit/outbox.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { fillTemplate, takesFile } from '../../channels/templates/use-template.ts'
import { hasConsent } from '../../contacts/consent/consent.ts'
import { laneName } from '../../contacts/lanes/lane-name.ts'
import { silentBecause } from '../../conversations/groups/places.ts'
import { signedText } from '../../conversations/messages/signature.ts'
import { emptyText, writeOutgoing } from '../../conversations/messages/write-outgoing.ts'
import { canSee, viewerOf } from '../../conversations/tickets/tickets.policy.ts'
import { createTicket } from '../../conversations/tickets/tickets.service.ts'
import { factsOf } from '../../conversations/timeline/ticket-facts.ts'
import { type TicketState, ticketStateColumns } from '../../conversations/timeline/ticket-state.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { filesByIds } from '../../core/media/stored-files.ts'
import { openTicketFor } from '../../intake/inbound/open-ticket.ts'
import { nextOccurrence } from './next-occurrence.ts'
import { emitSchedule } from './schedules.events.ts'
import { readSchedules } from './schedules.queries.ts'

export type Due = { tenantId: number; id: string; connectionId: string }

/**
 * Writes a due message to the conversation of its contact, once: the row's lock, its state, the message and the next
 * occurrence are one transaction, and the message's id follows from the row. Who is changing or cancelling the row at
 * this moment comes first. True when there was something to do.
 */
export const writeDue = async ({ tenantId, id, connectionId }: Due): Promise<boolean> => {
  const directory = await getDirectory(tenantId)
  const connection = await findConnection(connectionId)
  return withTenant(tenantId, async (tx) => {
    const [row] = await tx.rows<DueRow>(lockDue, [tenantId, id])
    if (!row || row.connectionId !== connectionId) return false

    const outcome = connection
      ? await writeTo(tx, {
          connection,
          directory,
          row,
          way: { messageId: v5('agendada', row.id), cause: 'schedule', rule: row.rule ?? 'Mensagem agendada' },
        })
      : { error: 'O canal desta mensagem foi excluído.' }
    if (outcome === 'held') {
      await hold(tx, row)
      return true
    }
    await tx.rows(recordOutcome, [tenantId, id, outcome.messageId ?? null, outcome.error ?? null, row.isLate])
    const [after] = await readSchedules(tx, [id])
    if (after) await emitSchedule(tx, 'schedule.updated', after)
    await scheduleNext(tx, directory, row)
    return true
  })
}

/** Words for somebody, and with what they are to be written. */
export type Addressed = {
  id: string
  contactId: string
  connectionId: string
  body: string
  purpose: Purpose
  mediaId: string | null
  /** What goes where the channel takes no other words by then. */
  template?: TemplateUse | null
  /** Nobody: what the company set up writes by itself. */
  createdBy: string | null
  dueAt: Date
  walletIds: string[]
  windowFrom: Date | null
  contact: {
    name: string
    email: string | null
    number: string | null
    isGroup: boolean
    businessName: string
    kanban: string | null
    extraInfo: { name: string; value: string }[]
  }
}
type DueRow = Addressed & {
  rule: string | null
  wallTime: string
  everyDays: number | null
  timesLeft: number | null
  isLate: boolean
  error: string | null
}
export type Outcome = { messageId: string; error?: undefined } | { error: string; messageId?: undefined } | 'held'

type Way = { messageId: string; cause: SendType; rule: string }
/** Writes them to the conversation of their contact, or says why not; `held` while its author may not see that one. */
export const writeTo = async (
  tx: Tx,
  { connection, directory, row, way }: { connection: OpenConnection; directory: Directory; row: Addressed; way: Way },
): Promise<Outcome> => {
  const { contactId, purpose } = row
  if (!(await hasConsent(tx, { contactId, channel: connection.kind, purpose })))
    return { error: errorCodes.ERR_NO_CONSENT.text }
  const file = row.mediaId ? await findFile(tx, row.mediaId) : null
  const isTemplate = row.template != null && !isWindowOpen(connection.abilities, row.windowFrom)
  const refusal = isTemplate ? undefined : refusalOf(connection.abilities, row, file)
  if (refusal) return { error: refusal }
  const silence = row.contact.isGroup ? await silentBecause(tx, row.connectionId, contactId) : undefined
  if (silence) return { error: silence }

  // Told before a conversation is opened for nothing; only its protocol is not known yet.
  if (isTemplate) {
    const said = await unlessWrong(templateDraft(tx, { row, directory, file, protocol: 'protocolo' }))
    if ('error' in said) return said
  } else if (!file && !filled(row, directory, 'protocolo')) return { error: emptyText }

  const before = await activeTicket(tx, { connection, directory, row, rule: way.rule })
  if (!before) return Date.now() - row.dueAt.getTime() < longestHoldMs ? 'held' : { error: heldTooLong }
  const { messageId: id, cause } = way
  const draft = isTemplate
    ? await templateDraft(tx, { row, directory, file, protocol: before.protocol })
    : {
        type: file?.kind ?? ('text' as const),
        body: wordsOf(row, directory, connection.abilities, before.protocol),
        file,
      }
  const written = writeOutgoing(tx, {
    ticket: { ...before, windowFrom: row.windowFrom },
    directory,
    author: authorOf(row, directory, way.rule),
    cause,
    purpose: row.purpose,
    drafts: [{ ...draft, id }],
    // Nobody of the team was there: who waits for a person goes on waiting.
    effect: 'automatic',
  })
  return unlessWrong(written.then(() => ({ messageId: id })))
}

const unlessWrong = <T>(work: Promise<T>): Promise<T | { error: string }> =>
  work.catch((error) => {
    if (!(error instanceof AppError)) throw error
    return { error: sentenceOf(error) }
  })

const authorOf = ({ createdBy }: Addressed, { people }: Directory, rule: string): Author =>
  createdBy === null
    ? byRule(rule)
    : byUser({ userId: createdBy, name: people.get(createdBy)?.name ?? 'Usuário removido' })

/** The words, with their author's name above them where that is asked for. */
const wordsOf = (row: Addressed, directory: Directory, abilities: Abilities, protocol: string) => {
  const author = row.createdBy === null ? undefined : directory.people.get(row.createdBy)
  return signedText(filled(row, directory, protocol), {
    abilities,
    name: author?.name ?? '',
    isAsked: author !== undefined && directory.settings.signed,
  })
}

type Templated = { row: Addressed; directory: Directory; file: StoredFile | null; protocol: string }
/** The channel's approved words, filled in; the file goes along where they have a place for it. */
const templateDraft = async (tx: Tx, { row, directory, file, protocol }: Templated) => {
  if (!row.template) throw new AppError('ERR_WINDOW_CLOSED')
  const { template, text } = await fillTemplate(tx, {
    connectionId: row.connectionId,
    use: row.template,
    fileKind: file?.kind ?? null,
    isFileOptional: true,
    context: contextOf(row, directory, protocol),
  })
  return { type: 'template' as const, body: text, payload: { template }, file: takesFile(template.shape) ? file : null }
}

const filled = (row: Addressed, directory: Directory, protocol: string) =>
  fillVariables(row.body, contextOf(row, directory, protocol)).trim()

const contextOf = ({ contact, createdBy }: Addressed, directory: Directory, protocol: string): VariableContext => {
  const author = createdBy === null ? undefined : directory.people.get(createdBy)
  return {
    name: contact.name,
    email: contact.email,
    phoneNumber: contact.number,
    businessName: contact.businessName,
    kanban: contact.kanban,
    extra: contact.extraInfo,
    protocol,
    user: author?.name,
    userEmail: author?.email,
    timeZone: directory.timezone,
  }
}

const findFile = async (tx: Tx, id: string): Promise<StoredFile | null> =>
  (await tx.rows<StoredFile>(filesByIds, [tx.tenantId, [id]]))[0] ?? null

/** Why the channel cannot take it now, in Portuguese. */
const refusalOf = (abilities: Abilities, row: Addressed, file: StoredFile | null): string | undefined => {
  if (!abilities.supports.includes(file?.kind ?? 'text')) return errorCodes.ERR_CHANNEL_UNSUPPORTED.text
  return isWindowOpen(abilities, row.windowFrom) ? undefined : errorCodes.ERR_WINDOW_CLOSED.text
}

type Meant = Pick<Addressed, 'contactId' | 'createdBy' | 'walletIds'> & {
  contact: Pick<Addressed['contact'], 'isGroup'>
}
type ActiveTicket = TicketState & { protocol: string }

/**
 * The contact's active ticket on this channel, locked; nothing while its author may not see it. Where there is none, one
 * that is open for nobody and answered: nobody has to do anything before the customer replies. It is the author's own
 * where they would not see it else.
 */
export const activeTicket = async (
  tx: Tx,
  { connection, directory, row, rule }: { connection: OpenConnection; directory: Directory; row: Meant; rule: string },
): Promise<ActiveTicket | undefined> => {
  const {
    contactId,
    createdBy,
    walletIds,
    contact: { isGroup },
  } = row
  const find = async () => (await tx.rows<ActiveTicket>(lockActive, [tx.tenantId, connection.id, contactId]))[0]
  const isHidden = (facts: TicketFacts) =>
    createdBy !== null && directory.people.has(createdBy) && !canSee(viewerOf(directory, createdBy), facts)
  const active = await find()
  if (active) return isHidden(factsOf(active)) ? undefined : active
  const queue = connection.queueId ? directory.queues.get(connection.queueId) : undefined
  const queueId = queue?.isActive ? queue.id : null
  const nobodys = { id: '', status: 'open', userId: null, queueId, chatFlowId: null, isGroup } as const
  try {
    if (isGroup) await openTicketFor(tx, { connection, directory, contactId, isGroup, isOurs: true })
    else
      await createTicket(tx, {
        contactId,
        connectionId: connection.id,
        status: 'open',
        userId: isHidden({ ...nobodys, wallets: walletIds, sharedWith: [] }) ? createdBy : null,
        queueId,
        createdBy: byRule(rule),
      })
  } catch (error) {
    // The customer wrote at this moment: theirs is the one.
    if (!(error instanceof AppError && error.code === 'ERR_OTHER_OPEN_TICKET')) throw error
  }
  const opened = await find()
  if (!opened) throw new Error('The ticket just opened is not there')
  return isHidden(factsOf(opened)) ? undefined : opened
}

/** How long a message waits for the end of a conversation that its author may not see. */
const longestHoldMs = 24 * 3_600_000
const heldText = 'Espera o fim de uma conversa deste contato que você não vê. Depois, sairá em uma conversa sua.'
const heldTooLong = 'O contato passou 24 horas em uma conversa que você não vê. Agende de novo.'

/** It keeps its turn: a minute later somebody looks again. */
const hold = async (tx: Tx, { id, error }: DueRow) => {
  await tx.rows(holdBack, [tx.tenantId, id, heldText])
  const [after] = error === heldText ? [] : await readSchedules(tx, [id])
  if (after) await emitSchedule(tx, 'schedule.updated', after)
}

const scheduleNext = async (tx: Tx, { timezone }: Directory, row: DueRow) => {
  const { everyDays, timesLeft, wallTime } = row
  if (!everyDays || !timesLeft) return
  const next = nextOccurrence({ wallTime, everyDays, timeZone: timezone }, new Date())
  const id = v7()
  await tx.rows(insertNext, [tx.tenantId, row.id, id, next.dueAt, next.wallTime, timezone])
  const [created] = await readSchedules(tx, [id])
  if (created) await emitSchedule(tx, 'schedule.created', created)
}

/** The rest of an `Addressed`, of a row `s` and its contact `c`. */
export const addressedColumns = `array(select w.user_id from contact_wallets w where w.tenant_id = s.tenant_id and w.contact_id = c.id) as "walletIds",
  (select max(o.last_inbound_at) from tickets o where o.tenant_id = s.tenant_id and o.contact_id = c.id
    and o.connection_id = s.connection_id) as "windowFrom",
  jsonb_build_object('name', c.name, 'email', c.email, 'number', c.number, 'businessName', c.business_name,
    'kanban', ${laneName}, 'isGroup', c.is_group, 'extraInfo', c.extra_info) as contact`
const lockDue: Prepared = {
  name: 'schedule_lock_due',
  text: `select s.id, s.contact_id as "contactId", s.connection_id as "connectionId", s.body, s.purpose, s.media_id as "mediaId",
      s.wall_time as "wallTime", s.every_days as "everyDays", s.times_left as "timesLeft", s.created_by as "createdBy", s.rule,
      s.due_at < now() - interval '1 minute' as "isLate", s.due_at as "dueAt", s.error,
      ${addressedColumns}
    from schedules s join contacts c on c.tenant_id = s.tenant_id and c.id = s.contact_id
    where s.tenant_id = $1 and s.id = $2 and s.state = 'pending' and s.attempt_at <= now()
    for update of s skip locked`,
}
const lockActive: Prepared = {
  name: 'schedule_active_ticket',
  text: `select ${ticketStateColumns}, t.protocol from tickets t
    where t.tenant_id = $1 and t.connection_id = $2 and t.contact_id = $3 and t.status <> 'closed' for no key update of t`,
}
const holdBack: Prepared = {
  name: 'schedule_hold',
  text: `update schedules set error = $3, attempt_at = now() + interval '1 minute' where tenant_id = $1 and id = $2`,
}
const recordOutcome: Prepared = {
  name: 'schedule_outcome',
  text: `update schedules set state = case when $3::uuid is null then 'failed' else 'written' end, message_id = $3, error = $4,
      is_late = $5, done_at = now(), version = version + 1, updated_at = now()
    where tenant_id = $1 and id = $2`,
}
const insertNext: Prepared = {
  name: 'schedule_next',
  text: `insert into schedules (tenant_id, id, contact_id, connection_id, body, purpose, media_id, due_at, attempt_at, wall_time, time_zone,
      every_days, times_left, previous_id, created_by, rule)
    select tenant_id, $3, contact_id, connection_id, body, purpose, media_id, $4, $4, $5, $6,
      case when times_left > 1 then every_days end, nullif(times_left - 1, 0), id, created_by, rule
    from schedules where tenant_id = $1 and id = $2
    on conflict (tenant_id, previous_id) where previous_id is not null do nothing`,
}
