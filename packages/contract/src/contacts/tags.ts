import { z } from 'zod'
import { hexColor } from '../common.ts'
import { resource, rowMeta } from '../resource.ts'

const tagWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  color: hexColor,
  isActive: z.boolean().default(true),
})
export const tag = rowMeta.extend(tagWrite.shape)
export type Tag = z.output<typeof tag>

export const tagResource = resource({
  path: '/tags',
  event: 'tag',
  label: { one: 'Etiqueta', many: 'Etiquetas', feminine: true },
  row: tag,
  write: tagWrite,
  fields: { name: 'Nome', color: 'Cor', isActive: 'Ativa' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'tags.read', write: 'tags.write' },
})
