import { z } from 'zod'
import { channelKinds } from '../channels/index.ts'
import { id, queryList } from '../common.ts'
import { ticketStatuses } from '../conversations/tickets.ts'

const count = z.int().nonnegative()
/** Mean in seconds; null: nothing happened yet. */
const seconds = z.number().nonnegative().nullable()

const mostDays = 366
/** Days of the company's calendar, both included; left out: today. */
export const statisticsQuery = z
  .object({ startDate: z.iso.date().optional(), endDate: z.iso.date().optional(), queues: queryList(id) })
  .refine(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate, {
    path: ['endDate'],
    message: 'A data final deve vir depois da inicial.',
  })
  .refine(
    ({ startDate, endDate }) =>
      !startDate || !endDate || Date.parse(endDate) - Date.parse(startDate) < mostDays * 86_400_000,
    { path: ['startDate'], message: 'Escolha no máximo um ano.' },
  )
export type StatisticsQuery = z.output<typeof statisticsQuery>

/** GET /statistics-tickets-times. */
export const statisticsTimes = z.object({
  qtd_total_atendimentos: count,
  /** We wrote first. */
  qtd_demanda_ativa: count,
  /** The customer did. */
  qtd_demanda_receptiva: count,
  /** Of these, closed since. */
  qtd_resolvidos: count,
  TMA: seconds,
  TME: seconds,
  /** Until the first answer. */
  TPR: seconds,
  new_contacts: count,
  /** Mean grade and how many gave one. */
  nota: z.number().nullable(),
  qtd_notas: count,
})
const labelled = z.object({ label: z.string(), qtd: count })
/** Of a hundred. */
const shared = labelled.extend({ percentual: z.number() })
const dated = labelled.extend({ dt_referencia: z.iso.date() })

/** Of what was opened in these days, as the reports count it (`reports/measures.ts`). */
export const statistics = z.object({
  times: statisticsTimes,
  channels: z.array(shared.extend({ channel: z.enum(channelKinds) })),
  evolutionChannels: z.array(dated.extend({ channel: z.enum(channelKinds) })),
  evolutionChannelsName: z.array(dated.extend({ id })),
  /** Every day, the empty ones too; beside, what was closed on that day, whenever it was opened. */
  evolutionByPeriod: z.array(dated.extend({ qtd_resolvidos: count })),
  /** Cents. */
  evolutionByValue: z.array(dated.extend({ value: z.int() })),
  perUsersDetail: z.array(
    z.object({
      id,
      name: z.string(),
      email: z.string(),
      qtd_em_atendimento: count,
      qtd_pendentes: count,
      qtd_resolvidos: count,
      qtd_por_usuario: count,
      TMA: seconds,
      TME: seconds,
      TPR: seconds,
    }),
  ),
  queue: z.array(shared.extend({ id: id.nullable() })),
  user: z.array(shared.extend({ id: id.nullable() })),
  status: z.array(shared.extend({ status: z.enum(ticketStatuses) })),
  /** Of closed ones. */
  reasons: z.array(shared.extend({ id: id.nullable(), name: z.string() })),
})
export type Statistics = z.output<typeof statistics>
