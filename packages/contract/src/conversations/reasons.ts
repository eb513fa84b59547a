import { z } from 'zod'
import { hexColor } from '../common.ts'
import { resource, rowMeta } from '../resource.ts'

const reasonWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  color: z
    .union([hexColor, z.literal('').transform(() => null)])
    .nullable()
    .default(null),
  isActive: z.boolean().default(true),
})
/** Why a conversation ended, chosen when it is closed. */
export const reason = rowMeta.extend(reasonWrite.shape)
export type Reason = z.output<typeof reason>

export const reasonResource = resource({
  path: '/reasons',
  event: 'reason',
  label: { one: 'Motivo', many: 'Motivos' },
  row: reason,
  write: reasonWrite,
  fields: { name: 'Nome', color: 'Cor', isActive: 'Ativo' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'reasons.read', write: 'reasons.write' },
})
