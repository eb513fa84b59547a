import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { LoggedFacts, TicketStatus, ticketLogTypes } from '@balcao/contract/conversations/tickets.ts'
import type { Priority } from '@balcao/contract/conversations/urgency.ts'
import { type BusinessCalendar, businessMinutesBetween } from '@balcao/contract/core/business-time.ts'

/** A moment in milliseconds. */
type At = number
type Kind = Author['kind']
type Span = { from: At; to: At }

export type LoggedChange = {
  id: string
  type: (typeof ticketLogTypes)[number]
  at: At
  userId: string | null
  author: Author | null
  from: LoggedFacts | null
  to: LoggedFacts | null
}

/** A ticket as it stands, with all that its episodes follow from. */
export type TicketPast = {
  id: string
  status: TicketStatus
  contactId: string
  connectionId: string
  channel: string
  queueId: string | null
  userId: string | null
  reasonId: string | null
  priority: Priority
  value: number | null
  createdAt: At
  closedAt: At | null
  firstAnsweredAt: At | null
  firstAnswerDueAt: At | null
  resolutionDueAt: At | null
  tagIds: string[]
  logs: LoggedChange[]
  pauses: Span[]
  /** How it stood while it was closed, before it was opened again. */
  closings: {
    closedAt: At
    reopenedAt: At
    firstAnswerDueAt: At | null
    resolutionDueAt: At | null
    value: number | null
    priority: Priority
    tagIds: string[]
  }[]
}

export type Episode = {
  id: string
  ticketId: string
  ordinal: number
  reopenedFrom: string | null
  contactId: string
  connectionId: string
  channel: string
  queueId: string | null
  userId: string | null
  closedBy: string | null
  tagIds: string[]
  reasonId: string | null
  priority: Priority
  value: number | null
  openedByKind: Kind
  closedByKind: Kind | null
  isMerged: boolean
  openedAt: At
  acceptedAt: At | null
  firstAnsweredAt: At | null
  closedAt: At | null
  transfers: number
  owners: { at: At; userId: string | null; queueId: string | null }[]
  pauses: Span[]
  firstAnswerDueAt: At | null
  resolutionDueAt: At | null
  grade: number | null
}

type State = Pick<TicketPast, 'status' | 'userId' | 'queueId' | 'reasonId' | 'connectionId'>

/**
 * The episodes of a ticket, in their order: its history read from the beginning. A closing that was taken back was none;
 * one that was reopened begins the next. Without a history nobody has worked on it, and there is none.
 */
export const episodesOf = (ticket: TicketPast): Episode[] => {
  const [first] = ticket.logs
  if (!first) return []
  let state = beginning(ticket)
  const isCreation = first.type === 'create'
  const episodes = [begin(ticket, { id: ticket.id, at: ticket.createdAt, by: isCreation ? first.author : null }, state)]
  let current = episodes[0] as Episode
  for (const log of ticket.logs) {
    if (log.type === 'create') continue
    const before = state
    state = { ...state, ...factsOf(log) }
    if (before.status === 'closed' && state.status !== 'closed') {
      if (log.type === 'undo') resume(current)
      else {
        current = begin(ticket, { id: log.id, at: log.at, by: log.author, after: current }, state)
        episodes.push(current)
      }
    } else if (log.type === 'undo') current.transfers = Math.max(0, current.transfers - 1)
    if (log.type === 'transfered') current.transfers += 1
    if (log.type === 'rating') current.grade = log.to?.grade ?? null
    if (state.status !== 'closed') keepOwner(current, state, log.at)
    if (before.status !== 'closed' && state.status === 'closed') end(current, before, state, log)
  }
  return withTicket(episodes, ticket)
}

/** As it was when it was created: what each fact was before it first changed, else what it still is. */
const beginning = ({ logs, ...ticket }: TicketPast): State => {
  const created = logs[0]?.type === 'create' ? logs[0].to : null
  const of = <Name extends keyof LoggedFacts>(name: Name) =>
    created?.[name] !== undefined ? created[name] : logs.find(({ from }) => from?.[name] !== undefined)?.from?.[name]
  return {
    status: of('status') ?? (ticket.status === 'closed' ? 'pending' : ticket.status),
    userId: of('userId') ?? (of('userId') === null ? null : ticket.userId),
    queueId: of('queueId') ?? (of('queueId') === null ? null : ticket.queueId),
    reasonId: null,
    connectionId: of('whatsappId') ?? ticket.connectionId,
  }
}

const factsOf = ({ to }: LoggedChange): Partial<State> => ({
  ...(to?.status !== undefined && { status: to.status }),
  ...(to?.userId !== undefined && { userId: to.userId }),
  ...(to?.queueId !== undefined && { queueId: to.queueId }),
  ...(to?.reasonId !== undefined && { reasonId: to.reasonId }),
  ...(to?.whatsappId !== undefined && { connectionId: to.whatsappId }),
})

type Opening = { id: string; at: At; by: Author | null; after?: Episode }

const begin = (ticket: TicketPast, { id, at, by, after }: Opening, state: State): Episode => {
  const episode: Episode = {
    id,
    ticketId: ticket.id,
    ordinal: (after?.ordinal ?? 0) + 1,
    reopenedFrom: after?.id ?? null,
    contactId: ticket.contactId,
    connectionId: state.connectionId,
    channel: ticket.channel,
    queueId: state.queueId,
    userId: state.userId,
    closedBy: null,
    tagIds: [],
    reasonId: null,
    priority: ticket.priority,
    value: null,
    openedByKind: by?.kind ?? 'contact',
    closedByKind: null,
    isMerged: false,
    openedAt: at,
    acceptedAt: null,
    firstAnsweredAt: null,
    closedAt: null,
    transfers: 0,
    owners: [],
    pauses: [],
    firstAnswerDueAt: null,
    resolutionDueAt: null,
    grade: null,
  }
  keepOwner(episode, state, at)
  return episode
}

const keepOwner = (episode: Episode, { status, userId, queueId, connectionId }: State, at: At) => {
  const last = episode.owners.at(-1)
  if (!last || last.userId !== userId || last.queueId !== queueId) episode.owners.push({ at, userId, queueId })
  Object.assign(episode, { userId, queueId, connectionId })
  if (status === 'open' && userId) episode.acceptedAt ??= at
}

const end = (episode: Episode, before: State, { userId, queueId, reasonId }: State, log: LoggedChange) =>
  Object.assign(episode, {
    // Who closes what nobody had is its agent.
    userId: userId ?? before.userId,
    queueId,
    reasonId,
    closedAt: log.at,
    closedBy: log.author?.kind === 'user' ? log.author.id : null,
    closedByKind: log.author?.kind ?? 'system',
    isMerged: log.type === 'merge',
  })

const resume = (episode: Episode) =>
  Object.assign(episode, { closedAt: null, closedBy: null, closedByKind: null, reasonId: null, isMerged: false })

/** What is not told by the history: the last as the ticket stands, those before as they stood while they were closed. */
const withTicket = (episodes: Episode[], ticket: TicketPast): Episode[] =>
  episodes.map((episode) => {
    const isLast = episode === episodes.at(-1)
    const next = episodes[episode.ordinal]
    const kept = isLast ? ticket : ticket.closings.findLast(({ reopenedAt }) => next && reopenedAt <= next.openedAt)
    const closedAt = isLast && episode.closedAt !== null ? (ticket.closedAt ?? episode.closedAt) : episode.closedAt
    return {
      ...episode,
      ...(isLast && { userId: ticket.userId, queueId: ticket.queueId, connectionId: ticket.connectionId }),
      ...(isLast && closedAt !== null && { reasonId: ticket.reasonId }),
      closedAt,
      tagIds: kept?.tagIds ?? ticket.tagIds,
      value: kept?.value ?? null,
      priority: kept?.priority ?? ticket.priority,
      firstAnswerDueAt: kept?.firstAnswerDueAt ?? null,
      resolutionDueAt: kept?.resolutionDueAt ?? null,
      firstAnsweredAt: episode.ordinal === 1 ? answerWithin(episode, closedAt, ticket.firstAnsweredAt) : null,
      pauses: within(ticket.pauses, { from: episode.openedAt, to: closedAt ?? Number.POSITIVE_INFINITY }),
    }
  })

/** Never before it was opened: what was merged into it may have been answered earlier. */
const answerWithin = ({ openedAt }: Episode, closedAt: At | null, answeredAt: At | null) =>
  answeredAt === null || (closedAt !== null && answeredAt > closedAt) ? null : Math.max(openedAt, answeredAt)

/** The parts of spans that lie in another, in order, none twice. */
export const within = (spans: readonly Span[], { from, to }: Span): Span[] => {
  const result: Span[] = []
  const inside = spans.map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }))
  for (const span of inside.filter((one) => one.from < one.to).toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else result.push({ ...span })
  }
  return result
}

/** What its messages tell of an episode. */
export type Said = {
  in: number
  out: number
  /** The first of a person. */
  answeredAt: At | null
  answeredBy: string | null
}

/** An episode with its times, as it is stored; `calendar` says which time is business time. */
export const measured = (episode: Episode, said: Said | undefined, calendar: BusinessCalendar) => {
  const { openedAt, acceptedAt, closedAt, firstAnswerDueAt, resolutionDueAt, pauses, owners, ...kept } = episode
  const firstAnsweredAt =
    episode.firstAnsweredAt ?? (episode.ordinal > 1 && closedAt !== null ? (said?.answeredAt ?? null) : null)
  const isAsked = episode.openedByKind === 'contact'
  const wait = isAsked ? between(openedAt, acceptedAt) : undefined
  const firstAnswer = isAsked ? between(openedAt, firstAnsweredAt) : undefined
  const handling = between(acceptedAt, closedAt)
  const worked = handling && without(within(pauses, handling), handling)
  const resolution = between(openedAt, closedAt)
  const rests = resolution && pauses
  return {
    ...kept,
    openedAt: new Date(openedAt).toISOString(),
    acceptedAt: iso(acceptedAt),
    firstAnsweredAt: iso(firstAnsweredAt),
    firstAnsweredBy: firstAnsweredAt === null ? null : (said?.answeredBy ?? null),
    closedAt: iso(closedAt),
    waitS: seconds(wait && [wait]),
    waitBusinessS: businessSeconds(calendar, wait && [wait]),
    firstAnswerS: seconds(firstAnswer && [firstAnswer]),
    firstAnswerBusinessS: businessSeconds(calendar, firstAnswer && [firstAnswer]),
    handlingS: seconds(worked),
    handlingBusinessS: businessSeconds(calendar, worked),
    pausedS: seconds(rests),
    pausedBusinessS: businessSeconds(calendar, rests),
    resolutionS: seconds(resolution && [resolution]),
    resolutionBusinessS: businessSeconds(calendar, resolution && [resolution]),
    messagesIn: closedAt === null ? null : (said?.in ?? 0),
    messagesOut: closedAt === null ? null : (said?.out ?? 0),
    owners: owners.map((owner) => ({ ...owner, at: new Date(owner.at).toISOString() })),
    firstAnswerDueAt: iso(firstAnswerDueAt),
    resolutionDueAt: iso(resolutionDueAt),
    isFirstAnswerMet: metBy(firstAnswerDueAt, firstAnsweredAt),
    isResolutionMet: metBy(resolutionDueAt, closedAt),
  }
}

const between = (from: At | null, to: At | null): Span | undefined =>
  from === null || to === null ? undefined : { from, to: Math.max(from, to) }

/** What is left of a span without others that lie in it, in order and apart. */
const without = (gaps: readonly Span[], { from, to }: Span): Span[] => {
  const starts = [from, ...gaps.map((gap) => gap.to)]
  return starts.map((start, at) => ({ from: start, to: gaps[at]?.from ?? to }))
}

const seconds = (spans: readonly Span[] | undefined) => whole(spans, ({ from, to }) => to - from)
const businessSeconds = (calendar: BusinessCalendar, spans: readonly Span[] | undefined) =>
  whole(spans, ({ from, to }) => businessMinutesBetween(calendar, new Date(from), new Date(to)) * 60_000)
const whole = (spans: readonly Span[] | undefined, msOf: (span: Span) => number) =>
  spans === undefined ? null : Math.round(spans.reduce((sum, span) => sum + msOf(span), 0) / 1_000)

const metBy = (dueAt: At | null, doneAt: At | null) => (dueAt === null || doneAt === null ? null : doneAt <= dueAt)
const iso = (at: At | null) => (at === null ? null : new Date(at).toISOString())
