import { z } from 'zod'
import { hexColor } from '../common.ts'
import { resource, rowMeta } from '../resource.ts'

const laneWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  color: hexColor.default('#64748b'),
  /** Columns stand from the smallest to the largest. */
  position: z.int('Informe um número inteiro.').min(0, 'De 0 em diante.').max(10_000, 'No máximo 10.000.').default(0),
  /** More contacts than that are shown as too many; nobody is turned away. */
  limit: z
    .int('Informe um número inteiro.')
    .min(1, 'Pelo menos 1.')
    .max(100_000, 'No máximo 100.000.')
    .nullable()
    .default(null),
  /** Nobody is put into an inactive one; who is there stays. */
  isActive: z.boolean().default(true),
})
/** A column of the board of contacts: a stage of the way a contact goes. A contact is in one or in none. */
export const lane = rowMeta.extend(laneWrite.shape)
export type Lane = z.output<typeof lane>

export const laneResource = resource({
  path: '/kanban',
  event: 'lane',
  label: { one: 'Etapa', many: 'Etapas', feminine: true },
  row: lane,
  write: laneWrite,
  fields: { name: 'Nome', color: 'Cor', position: 'Ordem', limit: 'Limite', isActive: 'Ativa' },
  sort: ['position', 'name', 'createdAt', 'updatedAt'],
  can: { read: 'contacts.read', write: 'lanes.write' },
})
