import { z } from 'zod'
import { defineAction, tagIds } from './define.ts'

const tags = { params: z.object({ tagIds }), blank: { tagIds: [] } }

export const addTags = defineAction({ kind: 'addTags', label: 'Adicionar etiquetas', can: 'tickets.write', ...tags })
export const removeTags = defineAction({
  kind: 'removeTags',
  label: 'Remover etiquetas',
  can: 'tickets.write',
  ...tags,
})
export const addContactTags = defineAction({
  kind: 'addContactTags',
  label: 'Adicionar etiquetas ao contato',
  can: 'contacts.write',
  ...tags,
})
export const removeContactTags = defineAction({
  kind: 'removeContactTags',
  label: 'Remover etiquetas do contato',
  can: 'contacts.write',
  ...tags,
})
