import { z } from 'zod'
import { hexColor, id } from '../common.ts'
import { resource, rowMeta } from '../resource.ts'

const name = z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.')

const groupWrite = z.object({
  name,
  color: hexColor,
  /** Groups stand from the smallest to the largest. */
  position: z.int().min(0).max(10_000).default(0),
})
/** Tags that belong together. */
export const tagGroup = rowMeta.extend(groupWrite.shape)
export type TagGroup = z.output<typeof tagGroup>

export const tagGroupResource = resource({
  path: '/tag-groups',
  event: 'tagGroup',
  label: { one: 'Grupo de etiquetas', many: 'Grupos de etiquetas' },
  row: tagGroup,
  write: groupWrite,
  fields: { name: 'Nome', color: 'Cor', position: 'Ordem' },
  sort: ['position', 'name', 'createdAt', 'updatedAt'],
  can: { read: 'tags.read', write: 'tags.write' },
})

const tagWrite = z.object({
  name,
  color: hexColor,
  groupId: id.nullable().default(null),
  /** False: archived. It stays where it is and is offered to nobody. */
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
  fields: { name: 'Nome', color: 'Cor', groupId: 'Grupo', isActive: 'Ativa' },
  sort: ['name', 'createdAt', 'updatedAt'],
  filter: ['groupId'],
  can: { read: 'tags.read', write: 'tags.write' },
})

/** GET /tags/counts: on how many contacts, and on how many conversations that are not closed. Without a line: on none. */
export const tagCounts = z.object({
  items: z.array(z.object({ id, contacts: z.int(), tickets: z.int() })),
})
export type TagCounts = z.output<typeof tagCounts>
