import { z } from 'zod'
import { resource, rowMeta } from '../resource.ts'

const blockedNumberWrite = z.object({
  number: z.string().trim().min(1, 'Informe o número.').max(40, 'Use no máximo 40 caracteres.'),
  reason: z.string().trim().max(200, 'Use no máximo 200 caracteres.').default(''),
})
/** A phone whose messages are not attended: nothing is stored, opened or told. */
export const blockedNumber = rowMeta.extend(blockedNumberWrite.shape)
export type BlockedNumber = z.output<typeof blockedNumber>

export const blockedNumberResource = resource({
  path: '/blockedNumbers',
  event: 'blockedNumber',
  label: { one: 'Número bloqueado', many: 'Números bloqueados' },
  row: blockedNumber,
  write: blockedNumberWrite,
  fields: { number: 'Número', reason: 'Motivo' },
  sort: ['number', 'createdAt', 'updatedAt'],
  can: { read: 'blocked-numbers.write', write: 'blocked-numbers.write' },
})
/** Every message asks this list, from memory. */
export const mostBlockedNumbers = 1_000
