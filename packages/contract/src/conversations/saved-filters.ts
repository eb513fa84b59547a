import { z } from 'zod'
import { id } from '../common.ts'
import { resource, rowMeta } from '../resource.ts'

const savedFilterWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(40, 'Use no máximo 40 caracteres.'),
  isShared: z.boolean().default(false),
  /** The filter as it stands in the address of the attendance screen, without the question mark. */
  query: z.string().max(2_000),
})
/** A view of the attendance list under a name: one's own, or shared with the company. */
export const savedFilter = rowMeta.extend(savedFilterWrite.shape).extend({ userId: id })
export type SavedFilter = z.output<typeof savedFilter>

export const savedFilterResource = resource({
  path: '/savedFilters',
  event: 'savedFilter',
  label: { one: 'Filtro', many: 'Filtros' },
  row: savedFilter,
  write: savedFilterWrite,
  fields: { name: 'Nome', isShared: 'Compartilhado', query: 'Filtro' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'tickets.read', write: 'tickets.read' },
})
