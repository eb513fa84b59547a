import {
  readRules,
  segmentCount,
  segmentCountBody,
  segmentResource,
} from '@balcao/contract/contacts/segments/segments.ts'
import { eq, or } from 'drizzle-orm'
import { withSearch } from '../../../db/database.ts'
import { segments } from '../../../db/schema/contacts/segments.ts'
import type { Actor } from '../../../kit/actor.ts'
import { crud } from '../../../kit/crud.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { visibleContacts } from '../contacts/contacts.policy.ts'
import { countMembers, membershipIn } from '../membership/members.ts'

const rows = crud(segmentResource, {
  table: segments,
  search: [segments.name, segments.description],
  visible: (actor) => or(eq(segments.isShared, true), eq(segments.userId, actor.userId)),
  beforeWrite: async (_tx, { actor, before, input }) => {
    if (before) requireOwn(actor, before)
    // Who may no longer share may still rename, or take it back.
    if (input.isShared && !before?.isShared && !actor.permissions.has('segments.write'))
      throw fieldErrors({ path: 'isShared', message: 'Seu perfil só pode salvar segmentos para uso próprio.' })
    return before ? {} : { userId: actor.userId }
  },
  beforeDelete: requireOwn,
  present: async (_tx, kept) => kept.map((row) => ({ ...row, rules: readRules(row.rules) })),
  audience: ({ isShared, userId }) =>
    isShared ? { kind: 'permission', can: 'contacts.read' } : { kind: 'user', userId },
})

/** One's own, and the company's, which whoever may share looks after. */
function requireOwn(actor: Actor, { userId, isShared }: { userId: string; isShared: boolean }) {
  if (userId === actor.userId || (isShared && actor.permissions.has('segments.write'))) return
  throw new AppError('ERR_NO_PERMISSION')
}

/** Segments, and how many contacts there are to any rules. */
export const segmentRoutes: Routes = (app) => {
  rows(app)
  app.post(
    '/segments/count',
    {
      config: {
        can: 'contacts.read',
        summary: 'Contar os contatos de um segmento',
        errors: ['ERR_BUSY', 'ERR_TOO_SLOW'],
      },
      schema: { body: segmentCountBody, response: { 200: segmentCount } },
    },
    async ({ actor, body }) => {
      const [part, visible] = [await membershipIn(body.rules, actor), await visibleContacts(actor)]
      return withSearch(actor, (tx) => countMembers(tx, part, visible))
    },
  )
}
