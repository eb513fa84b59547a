import { savedFilterResource } from '@balcao/contract/conversations/saved-filters.ts'
import { eq, or } from 'drizzle-orm'
import { savedFilters } from '../../../db/schema/conversations/lists.ts'
import type { Actor } from '../../../kit/actor.ts'
import { crud } from '../../../kit/crud.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'

/** Views of the attendance list under a name: one's own, and those of others that are shared, which one only reads. */
export const savedFilterRoutes = crud(savedFilterResource, {
  table: savedFilters,
  search: [savedFilters.name],
  csv: [
    { label: 'Nome', value: (filter) => filter.name },
    { label: 'Compartilhado', value: (filter) => (filter.isShared ? 'Sim' : 'Não') },
    { label: 'Filtro', value: (filter) => filter.query },
    { label: 'Criado em', value: (filter) => filter.createdAt },
  ],
  visible: (actor) => or(eq(savedFilters.isShared, true), eq(savedFilters.userId, actor.userId)),
  beforeWrite: async (_tx, { actor, before, input }) => {
    if (before) requireOwn(actor, before)
    // Who may no longer share may still rename, or take it back.
    if (input.isShared && !before?.isShared && !actor.permissions.has('tickets.showAll'))
      throw fieldErrors({ path: 'isShared', message: 'Seu perfil só pode salvar filtros para uso próprio.' })
    return before ? {} : { userId: actor.userId }
  },
  beforeDelete: requireOwn,
  audience: (filter) =>
    filter.isShared ? { kind: 'permission', can: 'tickets.read' } : { kind: 'user', userId: filter.userId },
})

function requireOwn(actor: Actor, filter: { userId: string }) {
  if (filter.userId !== actor.userId) throw new AppError('ERR_NO_PERMISSION')
}
