import { z } from 'zod'
import { hexColor, id } from '../common.ts'
import { mailSignature } from '../conversations/mail-signature.ts'
import { businessHours } from '../core/business-hours.ts'
import { resource, rowMeta } from '../resource.ts'

/**
 * How a waiting conversation finds a person of the queue who is online, not away and below their limit: not at all, any
 * of them, whoever has the fewest open, or each in turn.
 */
export const distributions = ['none', 'random', 'fewest', 'roundRobin'] as const
export type Distribution = (typeof distributions)[number]
/** What people call each. */
export const distributionLabels: Record<Distribution, string> = {
  none: 'Cada um aceita',
  random: 'Sorteio',
  fewest: 'Menos conversas',
  roundRobin: 'Rodízio',
}

const queueWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  color: hexColor,
  isActive: z.boolean().default(true),
  /** Users who serve this queue. */
  memberIds: z.array(id).max(2_000).default([]),
  distribution: z.enum(distributions).default('none'),
  /** Minutes to accept what one was handed before it goes to the next; null: for ever. */
  acceptWithin: z
    .int()
    .min(1, 'Use pelo menos 1 minuto.')
    .max(1_440, 'Use no máximo 1.440 minutos.')
    .nullable()
    .default(null),
  /** Its own hours; empty: the company's. */
  businessHours: businessHours.default([]),
  /** Its own words for closed hours; empty: the company's. */
  absenceMessage: z.string().trim().max(2_000, 'Use no máximo 2.000 caracteres.').default(''),
  /** Below e-mails of its conversations, where who writes has none of their own; empty: the channel's. */
  mailSignature: mailSignature.default(''),
  /** The flow that begins with whoever starts to wait here. */
  chatFlowId: id.nullable().default(null),
})
export const queue = rowMeta.extend(queueWrite.shape)
export type Queue = z.output<typeof queue>

export const queueResource = resource({
  path: '/queue',
  event: 'queue',
  label: { one: 'Fila', many: 'Filas', feminine: true },
  row: queue,
  write: queueWrite,
  fields: { name: 'Nome', color: 'Cor', isActive: 'Ativa', memberIds: 'Atendentes', distribution: 'Distribuição' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'queues.read', write: 'queues.write' },
})
