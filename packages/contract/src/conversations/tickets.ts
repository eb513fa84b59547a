import { z } from 'zod'
import { channelKinds } from '../channels/index.ts'
import { colorRef, id, idOf, moment, namedRef, pageQuery, queryFlag, queryList } from '../common.ts'
import { author, cause } from './authors.ts'
import { priorities } from './urgency.ts'

export const ticketStatuses = ['open', 'pending', 'closed'] as const
export type TicketStatus = (typeof ticketStatuses)[number]

/** The bots: boolean views over one owner. */
export const botStatusKeys = [
  'difyStatus',
  'lmStatus',
  'geminiStatus',
  'deepseekStatus',
  'qwenStatus',
  'claudeStatus',
  'grokStatus',
  'ollamaStatus',
  'n8nStatus',
  'typebotStatus',
  'dialogflowStatus',
  'chatgptStatus',
] as const

/** The assistants behind those flags. */
export const botNames = botStatusKeys.map((key) => key.slice(0, -'Status'.length)) as [BotName, ...BotName[]]
export type BotName = (typeof botStatusKeys)[number] extends `${infer Name}Status` ? Name : never

export const notSentStates = ['failed', 'uncertain'] as const
export type NotSent = (typeof notSentStates)[number]

export const ticket = z.object({
  id,
  /** The protocol: unique per tenant, immutable. */
  protocol: z.string(),
  status: z.enum(ticketStatuses),
  channel: z.enum(channelKinds),
  isGroup: z.boolean(),
  userId: id.nullable(),
  queueId: id.nullable(),
  whatsappId: id,
  contactId: id,
  contact: z.object({
    id,
    name: z.string(),
    number: z.string().nullable(),
    profilePicUrl: z.string().nullable(),
    wallets: z.array(id),
    tags: z.array(colorRef),
  }),
  name: z.string(),
  profilePicUrl: z.string().nullable(),
  username: z.string().nullable(),
  queue: colorRef.nullable(),
  whatsapp: namedRef,
  tags: z.array(colorRef),
  kanban: id.nullable(),
  /** Why it was closed; null while it is not. */
  reason: namedRef.nullable(),
  chatFlowId: id.nullable(),
  /** The assistant that answers until a person accepts; each `<bot>Status` is a view of it. */
  bot: z.enum(botNames).nullable(),
  priority: z.enum(priorities),
  /** Negotiated value, in cents. */
  value: z.int().nullable(),
  /** Colleagues who take part in it. */
  sharedWith: z.array(id),
  /** Put away since then; until `pausedUntil`, or until the customer writes (`wakesOnReply`), or until taken up again. */
  pausedAt: moment.nullable(),
  pausedUntil: moment.nullable(),
  pauseReason: z.string().nullable(),
  wakesOnReply: z.boolean(),
  /** The ticket that took in this one's messages. */
  mergedIntoId: id.nullable(),
  firstAnsweredAt: moment.nullable(),
  /** What is promised next: the first answer, then the end. */
  slaDueAt: moment.nullable(),
  /** When a promise was broken, the latest. */
  slaBreachedAt: moment.nullable(),
  unreadMessages: z.int().nonnegative(),
  /** The last message is ours. */
  answered: z.boolean(),
  lastMessage: z.string(),
  lastMessageType: z.string(),
  /** Who of the team wrote it; null: the customer, a bot, the company by itself. */
  lastAuthor: namedRef.nullable(),
  lastMessageAt: moment.nullable(),
  /** A message of ours has failed, or may not have arrived, and nobody has sent it again or given it up. */
  notSent: z.enum(notSentStates).nullable(),
  /** What the latest of those says, in one line, and its kind. */
  notSentMessage: z.string().nullable(),
  notSentMessageType: z.string().nullable(),
  /** The customer's last message; free text is allowed until 24 h later where the channel says so. */
  lastInboundAt: moment.nullable(),
  /** The customer waits for an answer since then. */
  waitingSince: moment.nullable(),
  startedAt: moment.nullable(),
  closedAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
  /** Grows with every change: a client keeps the newer. */
  version: z.int(),
})
export type Ticket = z.output<typeof ticket>

/** A ticket as the calls about one answer it: by the names outside callers know, beside ours. */
export const ticketEntity = ticket.extend({
  /** Each assistant's flag: on for the one that answers now. */
  ...(Object.fromEntries(botStatusKeys.map((key) => [key, z.boolean()])) as Record<
    (typeof botStatusKeys)[number],
    z.ZodBoolean
  >),
  /** Colleagues who take part in it. */
  groupUserIdArray: z.array(id),
  /** What will go out in it by itself, the next first. */
  scheduledMessages: z.array(
    z.object({
      id,
      body: z.string(),
      mediaName: z.string().nullable(),
      scheduleDate: moment,
      status: z.literal('pending'),
    }),
  ),
})
export type TicketEntity = z.output<typeof ticketEntity>

export const ticketSorts = ['recent', 'waiting', 'sla'] as const
export type TicketSort = (typeof ticketSorts)[number]

/** What narrows the list whichever view of it one looks at: the attendance filter. */
export const ticketsFilter = z.object({
  showAll: queryFlag.default(false),
  queuesIds: queryList(id),
  whatsappIds: queryList(id),
  selectedUser: queryList(id),
  tagIds: queryList(id),
  kanbanIds: queryList(id),
  withUnreadMessages: queryFlag.default(false),
  isNotAssignedUser: queryFlag.default(false),
  includeNotQueueDefined: queryFlag.default(true),
  priority: queryList(z.enum(priorities)),
  /** Opened in these days, in the company's time zone. */
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
})
export type TicketsFilter = z.output<typeof ticketsFilter>

export const ticketsQuery = pageQuery
  .extend({
    ...ticketsFilter.shape,
    status: queryList(z.enum(ticketStatuses)).transform((chosen) =>
      chosen.length ? chosen : (['open', 'pending'] as TicketStatus[]),
    ),
    contactId: id.optional(),
    /** `inbox`: the short form our own screens ask for (ticket-row.ts). */
    view: z.literal('inbox').optional(),
    /** Only these, or only the others; left out, both. */
    isGroup: queryFlag.optional(),
    isPaused: queryFlag.optional(),
    /** An assistant or a flow has it, and no person. */
    isBot: queryFlag.optional(),
    hasSchedule: queryFlag.optional(),
    isShared: queryFlag.optional(),
    isPinned: queryFlag.optional(),
    isFollowed: queryFlag.optional(),
    mentionsMe: queryFlag.optional(),
    /** A message of ours failed, or may not have arrived. */
    isNotSent: queryFlag.optional(),
    /** Newest message, who waits longest, or least time left first; who waits for nothing comes last. */
    sort: z.enum(ticketSorts).default('recent'),
    /** `recent` with the oldest message first. */
    orderAsc: queryFlag.default(false),
    /** Closed ones too, beside the statuses asked for. */
    includeClosed: queryFlag.default(false),
  })
  .transform(({ includeClosed, ...query }) => ({
    ...query,
    status: includeClosed ? [...new Set([...query.status, 'closed' as const])] : query.status,
  }))
export type TicketsQuery = z.output<typeof ticketsQuery>

const asClosed = (value: unknown) => (value === 'close' ? 'closed' : value)

/**
 * PUT /tickets/{id}: any of these. `note` is the transfer note, only for the team. `reasonId` and `farewellId` go with
 * closing: why, and the closing message of the library the customer is sent before; null sends none, and without the
 * name the connection's own is sent. `tags`, `reasons` and `isFarewellMessage` are older names of the same.
 */
export const ticketPatch = z
  .strictObject({
    status: z.preprocess(asClosed, z.enum(ticketStatuses)).optional(),
    userId: id.nullable().optional(),
    queueId: id.nullable().optional(),
    tagIds: z.array(id).max(50).optional(),
    unreadMessages: z.int().min(0).max(999).optional(),
    kanban: id.nullable().optional(),
    reasonId: id.nullable().optional(),
    farewellId: id.nullable().optional(),
    priority: z.enum(priorities).optional(),
    value: z.int().min(0).max(99_999_999_999).nullable().optional(),
    ...(Object.fromEntries(botStatusKeys.map((key) => [key, z.boolean().optional()])) as Record<
      (typeof botStatusKeys)[number],
      z.ZodOptional<z.ZodBoolean>
    >),
    /** Closing and transferring can be taken back for some seconds, and the customer hears of it only afterwards. */
    isUndoable: z.boolean().optional(),
    isTransference: z.union([z.boolean(), z.literal([0, 1]).transform(Boolean)]).optional(),
    note: z.string().trim().max(2_000).optional(),
    /** Colleagues who take part in it, all of them. */
    groupUserIdArray: z.array(id).max(20).optional(),
    /** Accepts what is another person's turn, who has not accepted it. */
    takeOver: z.boolean().optional(),
    version: z.int().optional(),
    tags: z.array(idOf).max(50).optional(),
    reasons: z
      .union([
        idOf.nullable(),
        z
          .array(idOf)
          .max(1, 'Escolha um motivo.')
          .transform(([one]) => one ?? null),
      ])
      .optional(),
    isFarewellMessage: z.boolean().optional(),
  })
  .transform(({ tags, reasons, isFarewellMessage, ...patch }) => ({
    tagIds: tags,
    reasonId: reasons,
    farewellId: isFarewellMessage === false ? null : undefined,
    ...patch,
  }))
export type TicketPatch = Partial<z.output<typeof ticketPatch>>

export const ticketCreate = z.object({
  contactId: id,
  channelId: id,
  status: z.enum(['open', 'pending']).default('open'),
  /** Whose it is; left out, whoever begins it, or nobody while it waits. */
  userId: id.nullable().default(null),
  queueId: id.nullable().default(null),
})

export const ticketLogTypes = [
  'create',
  'open',
  'pending',
  'closed',
  'reopen',
  'transfered',
  'receivedTransfer',
  'queue',
  'userDefine',
  'tags',
  'note',
  'access',
  'delete',
  'pause',
  'resume',
  'share',
  'priority',
  'value',
  'bot',
  'channel',
  'merge',
  'distributed',
  'slaBreach',
  'autoClose',
  'customerClose',
  'rating',
  'protocol',
  'undo',
] as const
export const ticketLogsQuery = z.object({ cursor: z.string().max(200).optional() })
/** What a change of a ticket may touch, as its history tells it: the fields that changed, and no others. */
export const ticketFacts = z
  .object({
    status: z.enum(ticketStatuses),
    userId: id.nullable(),
    queueId: id.nullable(),
    reasonId: id.nullable(),
    priority: z.enum(priorities),
    value: z.number().nullable(),
    bot: z.enum(botNames).nullable(),
    tagIds: z.array(id),
    sharedWith: z.array(id),
    whatsappId: id,
    contactId: id,
    mergedIntoId: id.nullable(),
    pausedUntil: moment.nullable(),
    deadline: z.enum(['firstAnswer', 'resolution']),
    grade: z.int().nullable(),
  })
  .partial()
export type LoggedFacts = z.output<typeof ticketFacts>
export const ticketLog = z.object({
  id,
  type: z.enum(ticketLogTypes),
  /** Whom it concerns: who accepted, who was handed it. */
  user: namedRef.nullable(),
  queue: namedRef.nullable(),
  note: z.string().nullable(),
  author: author.nullable(),
  from: ticketFacts.nullable(),
  to: ticketFacts.nullable(),
  cause: cause.nullable(),
  createdAt: moment,
})

/** Why somebody sees, or does not see, a ticket: the first rule that decided. */
export const visibilityReason = z.object({
  isVisible: z.boolean(),
  rule: z.string(),
  text: z.string(),
})
export const otherOpenTicket = z.object({ ticketId: id, userId: id.nullable(), userName: z.string().nullable() })
/**
 * How many tickets each view of the list holds, up to a thousand; what is paused is in neither `open` nor `pending`, and
 * closed ones are not counted (null) within a filter.
 */
export const ticketCounters = z.object({
  open: z.int(),
  pending: z.int(),
  closed: z.int().nullable(),
  unread: z.int(),
  groups: z.int(),
  bot: z.int(),
  paused: z.int(),
  scheduled: z.int(),
  shared: z.int(),
  notSent: z.int(),
  followed: z.int(),
  /** Tickets with a mention one has not read. */
  mentions: z.int(),
})

/** PUT /tickets/{id}/marks: what one keeps at hand, and what one wants to hear of. */
export const ticketMarksBody = z.strictObject({ isPinned: z.boolean().optional(), isFollowed: z.boolean().optional() })
export const ticketMark = z.object({ ticketId: id, isPinned: z.boolean(), isFollowed: z.boolean() })
export type TicketMark = z.output<typeof ticketMark>
/** GET /ticketMarks: one's own. */
export const ticketMarks = z.object({ items: z.array(ticketMark) })
export const maxPins = 20

/** POST /ticketsPause/{id}/pause. Without `until` and without `wakesOnReply` it rests until somebody takes it up. */
export const pauseBody = z.strictObject({
  pauseReason: z.string().trim().max(200, 'Use no máximo 200 caracteres.').optional(),
  until: moment.nullable().default(null),
  wakesOnReply: z.boolean().default(true),
})

/** PUT /ticketsForce/{id}: it can only close; whose it was it stays. */
export const ticketForceBody = z.object({
  status: z.preprocess(asClosed, z.literal('closed')).optional(),
  userId: id.nullable().optional(),
})
/** PUT /ticketsNull/{id}: back among the waiting ones, of nobody and of no queue. */
export const ticketNullBody = z.object({ status: z.literal('pending').optional(), userId: z.null().optional() })
/** PUT /ticketsChatBot/{id}: handed over to a flow or an assistant; neither takes it back from both. */
export const ticketChatBotBody = z.strictObject({
  chatFlowId: id.nullable().default(null),
  bot: z.enum(botNames).nullable().default(null),
  /** Which of several assistants of this kind; null: the first that works there. */
  assistantId: id.nullable().default(null),
})
/** PUT /ticketsChannelId/{id}: the conversation goes on over another connection. */
export const ticketChannelBody = z.strictObject({ whatsappId: id, channel: z.enum(channelKinds).optional() })
/** POST /ticketsNotification/{id}: who has it and takes part in it, or everybody of its queue. */
export const ticketNotificationBody = z.strictObject({ type: z.enum(['responsible', 'queue']).default('responsible') })
export const ticketNotified = z.object({ notified: z.array(namedRef) })
/** GET /ticketscheck/{contactId}/{whatsappId}: whose it is, only for those who may see it. */
export const ticketCheck = z.object({
  exists: z.boolean(),
  status: z.enum(ticketStatuses).nullable(),
  ticketId: id.nullable(),
  userId: id.nullable(),
  userName: z.string().nullable(),
})
export const maxShared = 20
export const ticketShareBody = z.strictObject({
  ticketId: id,
  userIds: z.array(id).min(1, 'Escolha pelo menos uma pessoa.').max(maxShared),
})
export const ticketMergeBody = z.strictObject({ intoId: id })

export const undoableActs = ['close', 'transfer'] as const
/** How long the server keeps the way back: a little longer than the button stands on the screen. */
export const undoSeconds = 10

/** GET /ticketsLoad: how many conversations each colleague has in hand. */
export const ticketLoads = z.object({ items: z.array(z.object({ userId: id, open: z.int() })) })

export const ticketNoticeKinds = [
  'mention',
  'slaBreach',
  'distributed',
  'shared',
  'followed',
  'woke',
  'call',
  'notSent',
  'held',
] as const
export const ticketNotice = z.object({
  ticketId: id,
  kind: z.enum(ticketNoticeKinds),
  /** Ready to be read, in Portuguese. */
  text: z.string(),
  messageId: id.nullable(),
  /** For the bell alone: it interrupts nobody. */
  isQuiet: z.boolean().optional(),
})
