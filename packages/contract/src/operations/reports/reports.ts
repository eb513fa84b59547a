import { z } from 'zod'
import { channelKinds } from '../../channels/index.ts'
import { id, moment, pageQuery, queryFlag, queryList, timezone } from '../../common.ts'
import { dimensionKeys, reportKeys } from './definitions.ts'
import { measureKeys, otherMeasures } from './measures.ts'

/** By which moment a conversation belongs to a period. */
export const reportMoments = ['opened', 'closed'] as const
export const reportTimes = ['calendar', 'business'] as const
/** How an episode stands: nobody has accepted it, somebody has, it is over. */
export const reportStates = ['pending', 'open', 'closed'] as const

/** What narrows a report. Days are of the time zone asked for, else of the company's; without any, the last thirty, or as many as the report says. */
export const reportFilters = z.object({
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
  timezone: timezone.optional(),
  moment: z.enum(reportMoments).default('opened'),
  queuesIds: queryList(id),
  userIds: queryList(id),
  tagIds: queryList(id),
  whatsappIds: queryList(id),
  channels: queryList(z.enum(channelKinds)),
  reasonIds: queryList(id),
  status: queryList(z.enum(reportStates)),
  /** Negotiated values, in cents. */
  valueMin: z.coerce.number().int().min(0).optional(),
  valueMax: z.coerce.number().int().min(0).optional(),
  /** Whose contacts are counted: a segment by its id. */
  segmentId: id.optional(),
  /** States (two letters), lanes and wallets: of the reports of contacts. */
  states: queryList(
    z
      .string()
      .regex(/^[A-Z]{2}$/)
      .meta({ examples: ['SP'] }),
  ),
  ddds: queryList(
    z
      .string()
      .regex(/^\d{2}$/)
      .meta({ examples: ['11'] }),
  ),
  kanbanIds: queryList(id),
  walletIds: queryList(id),
})
export type ReportFilters = z.output<typeof reportFilters>
export const reportQuery = reportFilters.extend({
  dimension: z.enum(dimensionKeys).optional(),
  /** Of times: by the clock, or business hours alone. */
  time: z.enum(reportTimes).default('calendar'),
  /** Beside each number, that of as many days right before. */
  compare: queryFlag.default(false),
})
export type ReportQuery = z.output<typeof reportQuery>

const anyMeasure = z.enum([...measureKeys, ...(Object.keys(otherMeasures) as (keyof typeof otherMeasures)[])])
const values = z.array(z.number().nullable())
const days = z.object({ from: z.iso.date(), to: z.iso.date() })
/** GET /reports/{key}. `values` and `before` in the order of `measures`; null: nothing to count. */
export const reportResult = z.object({
  key: z.string(),
  dimension: z.enum(dimensionKeys),
  /** `label` where one report has the same measure more than once. */
  measures: z.array(z.object({ key: anyMeasure, label: z.string() })),
  rows: z.array(
    z.object({
      /** Of what it counts: a day, a row's id; null: of none. */
      id: z.string().nullable(),
      label: z.string(),
      color: z.string().nullable(),
      values,
      before: values.nullable(),
    }),
  ),
  /** Of everything, not the sum of the rows: a ticket with two tags counts once. */
  total: values,
  totalBefore: values.nullable(),
  /** Null: whatever day they are of, as contacts are where no period is asked for. */
  period: days.nullable(),
  periodBefore: days.nullable(),
  timezone: z.string(),
  /** There are more rows; these are the largest. */
  isCut: z.boolean(),
})
export type ReportResult = z.output<typeof reportResult>
export type ReportRow = ReportResult['rows'][number]

const page = pageQuery.pick({ cursor: true, limit: true, count: true, pageNumber: true }).shape
/** Other names of the same filters, as outside callers know them. */
const otherNames = {
  startDate: z.iso.date().optional(),
  endDate: z.iso.date().optional(),
}

/** A row of a report: `within` is its id (empty: of none) in `dimension`. */
const rowOfReport = {
  report: z.enum(reportKeys).optional(),
  dimension: z.enum(dimensionKeys).optional(),
  within: z.string().max(120).optional(),
}

/**
 * GET /tickets-report: the conversations behind the numbers, newest first. `startDate`,
 * `endDate`, `channel`, `whatsappId`, `queues`, `userId` and `reasons` are other names of the filters.
 */
export const ticketsReportQuery = reportFilters.extend({
  ...page,
  ...rowOfReport,
  ...otherNames,
  channel: queryList(z.enum(channelKinds)),
  whatsappId: queryList(id),
  queues: queryList(id),
  userId: queryList(id),
  reasons: queryList(id),
})
export type TicketsReportQuery = z.output<typeof ticketsReportQuery>
export const reportTicket = z.object({
  id,
  ticketId: id,
  /** The protocol. */
  ticket: z.string(),
  contactName: z.string(),
  contactNumber: z.string().nullable(),
  whatsapp: z.string().nullable(),
  channel: z.string(),
  queue: z.string().nullable(),
  user: z.string().nullable(),
  reason: z.string().nullable(),
  tags: z.array(z.string()),
  status: z.enum(reportStates),
  openedAt: moment,
  closedAt: moment.nullable(),
  waitS: z.int().nullable(),
  firstAnswerS: z.int().nullable(),
  handlingS: z.int().nullable(),
  resolutionS: z.int().nullable(),
  transfers: z.int(),
  grade: z.int().nullable(),
  value: z.int().nullable(),
  /** What models cost in it, in micro-reais. */
  aiCostMicros: z.int(),
  /** The last five. */
  ticketNotes: z.array(z.string()),
})
export type ReportTicket = z.output<typeof reportTicket>

/** GET /contacts-report: the contacts behind the numbers, newest first. `tags`, `kanban` and `wallets` are other names of the filters. */
export const contactsReportQuery = reportFilters.extend({
  ...page,
  ...rowOfReport,
  searchParam: pageQuery.shape.searchParam,
  ...otherNames,
  tags: queryList(id),
  kanban: queryList(id),
  wallets: queryList(id),
})
export type ContactsReportQuery = z.output<typeof contactsReportQuery>
export const reportContact = z.object({
  id,
  name: z.string(),
  number: z.string().nullable(),
  email: z.string().nullable(),
  extraInfo: z.array(z.object({ name: z.string(), value: z.string() })),
  tags: z.array(z.string()),
  estado: z.string().nullable(),
  kanban: z.string().nullable(),
  wallets: z.array(z.string()),
  createdAt: moment,
})
export type ReportContact = z.output<typeof reportContact>

/** GET /agent-states-report: when people were there and away, newest first, as far as it lies in the period or the day of the row. */
export const agentStatesReportQuery = reportFilters
  .pick({ dateFrom: true, dateTo: true, timezone: true, userIds: true })
  .extend({ ...page, dimension: rowOfReport.dimension, within: rowOfReport.within })
export type AgentStatesReportQuery = z.output<typeof agentStatesReportQuery>
export const reportAgentState = z.object({
  id,
  user: z.string(),
  state: z.enum(['online', 'away']),
  reason: z.string().nullable(),
  startedAt: moment,
  /** Null: it goes on. */
  endedAt: moment.nullable(),
  seconds: z.int(),
})
export type ReportAgentState = z.output<typeof reportAgentState>

/** GET /statistics-per-users: of the conversations of the period, what each person has of them. Times in seconds. */
export const statisticsPerUsersQuery = reportFilters.extend(otherNames)
export const userStatistics = z.array(
  z.object({
    id,
    name: z.string(),
    email: z.string(),
    qtd_em_atendimento: z.int(),
    qtd_pendentes: z.int(),
    qtd_resolvidos: z.int(),
    qtd_por_usuario: z.int(),
    tempo_medio_espera: z.number().nullable(),
    tempo_medio_primeira_resposta: z.number().nullable(),
    tempo_medio_atendimento: z.number().nullable(),
    nota_media: z.number().nullable(),
  }),
)

/** A file of a report: as a table for people, or for other programs. */
export const reportFiles = ['csv', 'xlsx', 'pdf'] as const
export type ReportFile = (typeof reportFiles)[number]
