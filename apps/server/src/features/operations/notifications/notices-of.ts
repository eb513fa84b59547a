import type { EventName, EventPayload } from '@balcao/contract/events.ts'
import { type NotificationKind, notificationTitles } from '@balcao/contract/operations/notifications.ts'
import type { OutboxEvent } from '../../../kit/outbox.ts'
import { viewersOf } from '../../conversations/tickets/tickets.policy.ts'
import { previewOf } from '../../conversations/timeline/preview.ts'
import type { Directory, Person } from '../../core/directory/directory.ts'

/** Something for one person's bell. Without a title it carries the name of its conversation. */
export type Notice = {
  userId: string
  kind: NotificationKind
  subject: string
  ticketId: string | null
  title: string | null
  body: string
  link: string
  /** For the bell alone. */
  isQuiet?: boolean
}

/** What an event tells, and to whom: most tell nobody anything. */
export const noticesOf = (event: OutboxEvent, directory: Directory): Notice[] => {
  if (isNamed(event, 'ticket.created')) return waitingFor(event, directory)
  if (isNamed(event, 'message.created')) return messageFor(event, directory)
  if (isNamed(event, 'ticket.notice')) {
    const { ticketId, kind, text, isQuiet } = event.payload
    const notice = { kind, ...ofTicket(ticketId), title: notificationTitles[kind], body: text, isQuiet }
    return peopleIn(event.audience).map((userId) => ({ ...notice, userId }))
  }
  if (isNamed(event, 'task.due')) return dueFor(event.payload, peopleIn(event.audience), directory.timezone)
  if (isNamed(event, 'schedule.updated') && event.payload.state === 'failed') {
    const { id, createdBy, contact, error } = event.payload
    const title = `A mensagem agendada para ${contact.name} não saiu`
    const body = error ?? 'Abra para ver o que houve.'
    // What was set up wrote it: whoever sets it up.
    const makers = [...directory.people.values()].filter(({ permissions }) => permissions.has('flows.write'))
    const told = createdBy ? [createdBy] : makers
    const notice = { kind: 'schedule' as const, ...ofOther(id, `/agendamentos?registro=${id}`), title, body }
    return told.map((person) => ({ ...notice, userId: person.id }))
  }
  if (isNamed(event, 'connection.updated')) return brokenFor(event.payload, directory)
  if (isNamed(event, 'connection.alert')) {
    const { id, name, text } = event.payload
    const notice = { kind: 'channel' as const, ...ofOther(`${id}:alert`, `/sessoes?registro=${id}`), body: text }
    const told = [...directory.people.values()].filter(({ permissions }) => permissions.has('connections.write'))
    return told.map((person) => ({ ...notice, userId: person.id, title: `${name}: aviso da Meta` }))
  }
  if (isNamed(event, 'campaign.notice')) {
    const { id, title, text } = event.payload
    const notice = { kind: 'campaign' as const, ...ofOther(id, `/campanhas/${id}`), title, body: text }
    return peopleIn(event.audience).map((userId) => ({ ...notice, userId }))
  }
  if (isNamed(event, 'ai.notice')) {
    const { id, title, text, link } = event.payload
    const notice = { kind: 'ai' as const, ...ofOther(id, link), title, body: text }
    return peopleIn(event.audience).map((userId) => ({ ...notice, userId }))
  }
  if (isNamed(event, 'templates.updated')) return templatesFor(event.payload, directory)
  return []
}

/** The provider judged templates anew: those who manage them. */
const templatesFor = ({ connectionId, news }: EventPayload<'templates.updated'>, { people }: Directory) => {
  if (!news.length) return []
  const told = [...people.values()].filter(({ permissions }) => permissions.has('templates.write'))
  return news.flatMap(({ name, title, text }) => {
    const link = `/modelos?busca=${encodeURIComponent(name)}`
    const notice = { kind: 'template' as const, ...ofOther(`${connectionId}:${name}`, link), title, body: text }
    return told.map((person) => ({ ...notice, userId: person.id }))
  })
}

/** A channel stopped working: those who may mend it. */
const brokenFor = (
  { id, name, status, statusText, lostAt }: EventPayload<'connection.updated'>,
  { people }: Directory,
) => {
  if (status !== 'ERROR' && !(status === 'DISCONNECTED' && lostAt)) return []
  const title = lostAt ? `${name} parou` : `${name} não conectou`
  const notice = { kind: 'channel' as const, ...ofOther(id, `/sessoes?registro=${id}`), title }
  const told = [...people.values()].filter(({ permissions }) => permissions.has('connections.write'))
  return told.map((person) => ({ ...notice, userId: person.id, body: statusText ?? 'Abra para ver o que houve.' }))
}

/** The conversation waits no longer: it has a person, or an end. */
export const takenBy = (event: OutboxEvent): string | undefined => {
  if (!isNamed(event, 'ticket.updated')) return undefined
  const { id, status, userId } = event.payload
  return status !== 'pending' || userId ? id : undefined
}

/** The payload is what `emit` was given under this name. */
const isNamed = <N extends EventName>(
  event: OutboxEvent,
  name: N,
): event is OutboxEvent & { name: N; payload: EventPayload<N> } => event.name === name

/** Whom an event names one by one. */
const peopleIn = (audience: OutboxEvent['audience']): string[] => {
  if (audience.kind === 'user') return [audience.userId]
  return audience.kind === 'users' ? audience.userIds : []
}

const ofTicket = (ticketId: string) => ({ subject: ticketId, ticketId, link: `/atendimento/${ticketId}` })
const ofOther = (subject: string, link: string) => ({ subject, ticketId: null, link })

/** A new conversation nobody has: told to those of its queue who are there. */
const waitingFor = (event: OutboxEvent & { payload: EventPayload<'ticket.created'> }, directory: Directory) => {
  const { id, status, userId, queueId, lastMessage, pausedAt } = event.payload
  if (status !== 'pending' || userId || pausedAt) return []
  return waitingIn(event, directory, { id, queueId, body: lastMessage || 'Novo atendimento' })
}

/** To those of its queue who are there. */
const waitingIn = (
  { audience }: OutboxEvent,
  directory: Directory,
  { id, queueId, body }: { id: string; queueId: string | null; body: string },
): Notice[] => {
  if (audience.kind !== 'ticket') return []
  const isThere = (person: Person | undefined) =>
    person?.isOnline && (queueId === null || person.queueIds.includes(queueId))
  return viewersOf(directory, audience.facts)
    .filter((viewerId) => isThere(directory.people.get(viewerId)))
    .map((viewerId) => ({
      userId: viewerId,
      kind: 'waiting' as const,
      ...ofTicket(id),
      title: null,
      body,
    }))
}

/** The owner of a task, and whoever asked for it. */
const dueFor = (
  { id, name, limitDate, ownerId, ownerName, isSoon }: EventPayload<'task.due'>,
  userIds: string[],
  timeZone: string,
): Notice[] => {
  const about = ofOther(id, `/tarefas?registro=${id}`)
  const when = limitDate ? whenIn(timeZone, limitDate) : ''
  return userIds.map((userId): Notice => {
    if (isSoon)
      return { userId, kind: 'taskSoon', ...about, title: `A tarefa “${name}” vence logo`, body: `O prazo é ${when}.` }
    if (userId === ownerId)
      return {
        userId,
        kind: 'task',
        ...about,
        title: `Chegou o prazo da tarefa “${name}”`,
        body: `O prazo era ${when}.`,
      }
    const title = `Chegou o prazo do que você pediu: “${name}”`
    return { userId, kind: 'taskAsked', ...about, title, body: `${ownerName} ainda não concluiu. O prazo era ${when}.` }
  })
}

/** A customer wrote to whoever has the conversation; what members of a group say among themselves is told to nobody. On a closed one it is a grade: nothing waits for an answer. */
const messageFor = (
  event: OutboxEvent & { payload: EventPayload<'message.created'> },
  directory: Directory,
): Notice[] => {
  const { message, ticket } = event.payload
  if (message.fromMe || message.type === 'system' || message.type === 'note') return []
  const isForUs = message.payload?.isForUs
  if (ticket.status === 'closed' || isForUs === false) return []
  const body = previewOf(message) || 'Nova mensagem'
  // A group that waited until it was meant for us begins to wait for somebody now.
  if (!ticket.userId)
    return isForUs && ticket.status === 'pending' ? waitingIn(event, directory, { ...ticket, body }) : []
  return [{ userId: ticket.userId, kind: 'message', ...ofTicket(ticket.id), title: null, body }]
}

const whenIn = (timeZone: string, moment: string) =>
  new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(new Date(moment))
