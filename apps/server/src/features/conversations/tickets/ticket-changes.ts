import type { Cause } from '@balcao/contract/conversations/authors.ts'
import { botNames, type Ticket, type TicketPatch } from '@balcao/contract/conversations/tickets.ts'
import type { Priority } from '@balcao/contract/conversations/urgency.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { type Directory, requireAssistant } from '../../core/directory/directory.ts'
import type { ChatLine } from '../timeline/lines.ts'
import type { TicketChange } from './commit-ticket-changes.ts'
import type { LogType } from './ticket-history.ts'

type LogEntry = { type: LogType; userId: string | null; queueId: string | null; note: string | null }

/** What a patch turns a ticket into, and what is told about it. */
export type Change = {
  status: Ticket['status']
  userId: string | null
  queueId: string | null
  unreadMessages: number
  /** New set, or undefined to leave the tags alone. */
  tagIds: string[] | undefined
  /** The stage of the contact. */
  kanban: string | null
  reasonId: string | null
  priority: Priority
  value: number | null
  bot: Ticket['bot']
  isReopened: boolean
  /** A person begins to work on it: bots step back, the wait ends. */
  isAccepted: boolean
  logs: LogEntry[]
  lines: ChatLine[]
}
/** Who does it: somebody of the team, or by its name what happens by itself. */
export type Doer = { userId: string | null; name: string }

/**
 * The whole of domain §4.2 in one pure place: pending → open (accept), open → pending (return), pending or open →
 * closed, closed → pending or open (reopen), and transfers, which choose the status by whether they name a person.
 * Throws what the person is told when the change is not possible.
 */
export const planChange = (ticket: Ticket, asked: TicketPatch, actor: Doer, directory: Directory): Change => {
  if (ticket.mergedIntoId)
    throw new AppError('ERR_INVALID_TRANSITION', { message: 'Este atendimento foi unido a outro e não muda mais.' })
  // PostgreSQL keeps every character but this one.
  const patch = withReasonKept({ ...asked, note: asked.note?.replaceAll('\0', '') }, ticket, directory)
  const change = unchanged(ticket)
  change.unreadMessages = patch.unreadMessages ?? ticket.unreadMessages
  checkSlaTargets(ticket, patch, directory)
  checkClosing(patch, directory)

  const isTransfer = patch.isTransference === true || (patch.note !== undefined && names(patch))
  if (isTransfer) transfer(change, ticket, patch, actor, directory)
  else {
    if (patch.status !== undefined) moveTo(patch.status, change, ticket, patch, actor, directory)
    else if (patch.userId !== undefined && patch.userId !== ticket.userId)
      assign(patch.userId, change, ticket, actor, directory)
    if (patch.queueId !== undefined && patch.queueId !== ticket.queueId)
      moveToQueue(patch.queueId, change, actor, directory)
    if (patch.note) {
      change.logs.push(entry('note', actor.userId, change.queueId, patch.note))
      change.lines.push({ type: 'note', body: patch.note })
    }
  }
  retag(change, ticket, patch, actor)
  appraise(change, ticket, patch, actor)
  switchBot(change, ticket, patch, actor, directory)
  if (patch.kanban !== undefined) change.kanban = patch.kanban
  // A person who accepts takes over from whatever answered before.
  if (change.isAccepted && directory.settings.autoDisableIntegrationsOnAccept) change.bot = null
  return change
}

/** A planned change as it is committed. */
export const toCommit = (before: Ticket, change: Change, cause?: Cause): TicketChange => {
  const { isAccepted, isReopened, status } = change
  const isKept = before.status === status && before.userId === change.userId
  return {
    before,
    set: {
      status,
      userId: change.userId,
      queueId: change.queueId,
      unreadMessages: change.unreadMessages,
      priority: change.priority,
      value: change.value,
      bot: change.bot,
      ...(isAccepted && { chatFlowId: null }),
      reasonId: change.reasonId,
      ...(isAccepted && (isReopened || !before.startedAt) ? { startedAt: 'now' } : isReopened && { startedAt: null }),
      ...(status !== 'closed' ? { closedAt: null } : before.status !== 'closed' && { closedAt: 'now' }),
      ...(status === 'closed' && { waitingSince: null }),
      ...(!isKept && { distributedAt: null }),
    },
    tagIds: change.tagIds,
    ...(isAccepted && { isResumed: true }),
    isReopened,
    logs: change.logs,
    lines: change.lines,
    cause,
  }
}

/** What is written in the history and between the messages, and whose it becomes, where nobody of the team decided it. */
export type Told = { note: string | null; log?: LogType; line?: string; userId?: string | null }

/** Closed in a hurry by who may, or by itself (`told`): no reason, no closing message, whatever the company asks for. */
export const planForcedClose = (ticket: Ticket, by: Doer, told?: Told): Change => {
  const change = unchanged(ticket)
  const line = `${by.name} encerrou o atendimento sem motivo.`
  close(change, ticket, by, { log: 'closed', note: 'Sem motivo', line, ...told })
  return change
}

/** It begins again: its new owner, if it has one, has accepted it where it is open. */
export const planReturn = (
  ticket: Ticket,
  status: 'open' | 'pending',
  by: Doer,
  { userId = null, note }: Told,
): Change => ({
  ...unchanged(ticket),
  status,
  userId,
  reasonId: null,
  isReopened: true,
  isAccepted: status === 'open' && userId !== null,
  ...(status === 'open' && userId !== null && { bot: null }),
  logs: [entry('reopen', by.userId, ticket.queueId, note)],
})

/** Whoever had it leaves: a colleague has it as it stands, else it is back among the waiting ones. */
export const planRelease = (before: Ticket, heirId: string | null, by: Doer, { note }: Told): TicketChange => {
  const log = (type: LogType, userId: string | null) => entry(type, userId, before.queueId, note)
  return heirId
    ? { before, set: { userId: heirId }, logs: [log('transfered', by.userId), log('receivedTransfer', heirId)] }
    : { before, set: { status: 'pending', userId: null }, logs: [log('pending', by.userId)] }
}

const unchanged = (ticket: Ticket): Change => ({
  status: ticket.status,
  userId: ticket.userId,
  queueId: ticket.queueId,
  unreadMessages: ticket.unreadMessages,
  tagIds: undefined,
  kanban: ticket.kanban,
  reasonId: ticket.reason?.id ?? null,
  priority: ticket.priority,
  value: ticket.value,
  bot: ticket.bot,
  isReopened: false,
  isAccepted: false,
  logs: [],
  lines: [],
})

const names = (patch: TicketPatch) => patch.userId !== undefined || patch.queueId !== undefined

/** Nobody is handed work who cannot do it, and nothing of another company is ever referred to. */
const checkSlaTargets = (ticket: Ticket, patch: TicketPatch, directory: Directory) => {
  if (patch.queueId && patch.queueId !== ticket.queueId) {
    const queue = directory.queues.get(patch.queueId)
    if (!queue) throw fieldErrors({ path: 'queueId', message: 'Fila não encontrada.' })
    if (!queue.isActive) throw fieldErrors({ path: 'queueId', message: 'Esta fila está inativa.' })
  }
  if (patch.userId && patch.userId !== ticket.userId) checkPerson(directory, patch.userId)
}

/** Throws unless this person can attend. */
export const checkPerson = ({ people }: Directory, userId: string) => {
  const person = people.get(userId)
  if (!person) throw fieldErrors({ path: 'userId', message: 'Usuário não encontrado.' })
  if (person.isBlocked) throw fieldErrors({ path: 'userId', message: 'Este usuário está bloqueado.' })
  if (!person.permissions.has('tickets.write'))
    throw fieldErrors({ path: 'userId', message: 'Este usuário não tem acesso aos atendimentos.' })
}

/** What was decided before it closes holds where nobody says another reason. */
const withReasonKept = (patch: TicketPatch, { status, reason }: Ticket, { reasons }: Directory): TicketPatch =>
  patch.status === 'closed' && status !== 'closed' && !patch.reasonId && reason && reasons.get(reason.id)?.isActive
    ? { ...patch, reasonId: reason.id }
    : patch

/** A reason and a closing message go with closing; where the company asks for a reason, there is one to choose. */
const checkClosing = (patch: TicketPatch, { reasons, settings }: Directory) => {
  const given = patch.reasonId ? 'reasonId' : patch.farewellId ? 'farewellId' : undefined
  if (patch.status !== 'closed') {
    if (given) throw fieldErrors({ path: given, message: 'Só é possível escolher ao encerrar o atendimento.' })
    return
  }
  if (patch.reasonId) {
    const reason = reasons.get(patch.reasonId)
    if (!reason) throw fieldErrors({ path: 'reasonId', message: 'Motivo não encontrado.' })
    if (!reason.isActive) throw fieldErrors({ path: 'reasonId', message: 'Este motivo está inativo.' })
  } else if (settings.forceReason && [...reasons.values()].some((reason) => reason.isActive))
    throw fieldErrors({ path: 'reasonId', message: 'Escolha o motivo do encerramento.' })
}

const transfer = (change: Change, ticket: Ticket, patch: TicketPatch, actor: Doer, directory: Directory) => {
  if (ticket.status === 'closed') throw new AppError('ERR_INVALID_TRANSITION')
  if (!patch.userId && !patch.queueId) throw fieldErrors({ path: 'queueId', message: 'Escolha a fila ou o atendente.' })
  const userId = patch.userId ?? null
  const status = patch.status ?? (userId ? 'open' : 'pending')
  if (status === 'closed' || (status === 'open' && !userId)) throw new AppError('ERR_INVALID_TRANSITION')

  change.status = status
  change.userId = userId
  if (patch.queueId !== undefined) change.queueId = patch.queueId
  change.isAccepted = status === 'open'
  const note = patch.note || null
  change.logs.push(
    entry('transfered', actor.userId, change.queueId, note),
    entry('receivedTransfer', userId, change.queueId, note),
  )
  const target = [
    userId && nameOf(directory, userId),
    patch.queueId && `a fila ${directory.queues.get(patch.queueId)?.name}`,
  ]
  change.lines.push({
    type: 'system',
    body:
      userId !== null && userId === actor.userId
        ? `${actor.name} assumiu o atendimento.`
        : `${actor.name} transferiu o atendimento para ${target.filter(Boolean).join(', ')}.`,
  })
  if (note) change.lines.push({ type: 'note', body: note })
}

const moveTo = (
  status: Ticket['status'],
  change: Change,
  ticket: Ticket,
  patch: TicketPatch,
  actor: Doer,
  directory: Directory,
) => {
  if (status === 'open') return open(change, ticket, patch, actor, directory)
  if (status === 'closed') {
    const reason = patch.reasonId ? directory.reasons.get(patch.reasonId) : undefined
    const line = `${actor.name} encerrou o atendimento.${reason ? ` Motivo: ${reason.name}` : ''}`
    close(change, ticket, actor, { log: 'closed', note: reason?.name ?? null, line })
    // Who closes a ticket nobody accepted is its agent in the history.
    change.userId = ticket.userId ?? patch.userId ?? null
    change.reasonId = reason?.id ?? null
    return
  }
  const userId = patch.userId ?? null
  if (ticket.status === 'pending' && ticket.userId === userId) return
  change.status = 'pending'
  change.userId = userId
  if (ticket.status === 'closed') return reopened(change, actor)
  change.logs.push(entry('pending', actor.userId, ticket.queueId, null))
  change.lines.push({ type: 'system', body: `${actor.name} devolveu o atendimento para a espera.` })
}

type Ending = { log: LogType; note: string | null; line: string }
const close = (change: Change, ticket: Ticket, actor: Doer, told: Ending) => {
  if (ticket.status === 'closed') throw new AppError('ERR_INVALID_TRANSITION')
  Object.assign(change, { status: 'closed', unreadMessages: 0 })
  change.logs.push(entry(told.log, actor.userId, ticket.queueId, told.note))
  change.lines.push({ type: 'system', body: told.line })
}

const open = (change: Change, ticket: Ticket, patch: TicketPatch, actor: Doer, directory: Directory) => {
  const userId = patch.userId === undefined ? actor.userId : patch.userId
  if (!userId) throw new AppError('ERR_INVALID_TRANSITION')
  if (ticket.status === 'open' && ticket.userId === userId) return
  const before = ticket.status === 'closed' || ticket.userId === userId ? null : ticket.userId
  if (before && (ticket.status === 'open' || !patch.takeOver)) throw heldBy(ticket)

  change.status = 'open'
  change.userId = userId
  change.isAccepted = true
  if (ticket.status === 'closed') return reopened(change, actor)
  change.logs.push(entry('open', userId, ticket.queueId, null))
  const body =
    userId === actor.userId
      ? before
        ? `${actor.name} assumiu o atendimento, que estava na vez de ${nameOf(directory, before)}.`
        : `${actor.name} aceitou o atendimento.`
      : `${actor.name} atribuiu o atendimento a ${nameOf(directory, userId)}.`
  change.lines.push({ type: 'system', body })
}

const reopened = (change: Change, actor: Doer) => {
  change.isReopened = true
  change.reasonId = null
  change.logs.push(entry('reopen', actor.userId, change.queueId, null))
  change.lines.push({ type: 'system', body: `${actor.name} reabriu o atendimento.` })
}

/** A person named without a status: a reservation while it waits, a hand-over of one's own while it is open. */
const assign = (userId: string | null, change: Change, ticket: Ticket, actor: Doer, directory: Directory) => {
  if (ticket.status === 'closed') throw new AppError('ERR_INVALID_TRANSITION')
  if (userId === null) return moveTo('pending', change, ticket, { userId }, actor, directory)
  if (ticket.userId && ticket.userId !== actor.userId) throw heldBy(ticket)
  change.userId = userId
  change.logs.push(entry('userDefine', userId, ticket.queueId, null))
  change.lines.push({ type: 'system', body: `${actor.name} atribuiu o atendimento a ${nameOf(directory, userId)}.` })
}

const moveToQueue = (queueId: string | null, change: Change, actor: Doer, directory: Directory) => {
  if (change.status === 'closed') throw new AppError('ERR_INVALID_TRANSITION')
  change.queueId = queueId
  change.logs.push(entry('queue', actor.userId, queueId, null))
  const body = queueId
    ? `${actor.name} moveu o atendimento para a fila ${directory.queues.get(queueId)?.name}.`
    : `${actor.name} retirou o atendimento da fila.`
  change.lines.push({ type: 'system', body })
}

/** Tags tell of the conversation as it was: they rest with it when it closes. */
const retag = (change: Change, ticket: Ticket, patch: TicketPatch, actor: Doer) => {
  if (!patch.tagIds) return
  const [before, after] = [new Set(ticket.tags.map((tag) => tag.id)), new Set(patch.tagIds)]
  if (before.size === after.size && [...after].every((id) => before.has(id))) return
  if (ticket.status === 'closed' && change.status === 'closed') {
    throw new AppError('ERR_TICKET_CLOSED', {
      message: 'Este atendimento está encerrado. Reabra para mudar as etiquetas.',
    })
  }
  change.tagIds = [...after]
  change.logs.push(entry('tags', actor.userId, change.queueId, null))
}

const priorityNames: Record<Priority, string> = { low: 'Baixa', normal: 'Normal', high: 'Alta', urgent: 'Urgente' }

/** How urgent it is and what it was worth. */
const appraise = (change: Change, ticket: Ticket, patch: TicketPatch, actor: Doer) => {
  if (patch.priority !== undefined && patch.priority !== ticket.priority) {
    change.priority = patch.priority
    change.logs.push(entry('priority', actor.userId, change.queueId, priorityNames[patch.priority]))
  }
  if (patch.value !== undefined && patch.value !== ticket.value) {
    change.value = patch.value
    const told =
      patch.value === null
        ? null
        : new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(patch.value / 100)
    change.logs.push(entry('value', actor.userId, change.queueId, told))
  }
}

/** The `<bot>Status` flags are a view of one owner: on takes it, off gives it back, a person keeps it. */
const switchBot = (change: Change, ticket: Ticket, patch: TicketPatch, actor: Doer, directory: Directory) => {
  let bot = ticket.bot
  for (const name of botNames) {
    const wanted = patch[`${name}Status`]
    if (wanted) bot = name
    else if (wanted === false && bot === name) bot = null
  }
  if (bot === ticket.bot) return
  if (bot && change.status === 'closed') throw new AppError('ERR_TICKET_CLOSED')
  if (bot && change.status === 'open')
    throw new AppError('ERR_INVALID_TRANSITION', {
      message: 'Uma pessoa já atende esta conversa. Devolva para a espera antes de ligar o robô.',
    })
  if (bot) {
    const { whatsappId: connectionId, contact } = ticket
    requireAssistant(
      directory,
      { bot, connectionId, queueId: change.queueId, wallets: contact.wallets },
      `${bot}Status`,
    )
  }
  change.bot = bot
  change.logs.push(entry('bot', actor.userId, change.queueId, bot))
}

const entry = (type: LogType, userId: string | null, queueId: string | null, note: string | null): LogEntry => ({
  type,
  userId,
  queueId,
  note,
})
/** Offered is not accepted: what waits in somebody's turn can still be taken over. */
const heldBy = ({ status, userId, username: userName }: Ticket) =>
  new AppError(status === 'open' ? 'ERR_TICKET_TAKEN' : 'ERR_TICKET_OFFERED', { details: { userId, userName } })
const nameOf = (directory: Directory, userId: string) => directory.people.get(userId)?.name ?? 'outro atendente'
