import { id } from '@balcao/contract/common.ts'
import { macroResource, macroRun, macroRunBody } from '@balcao/contract/service/macros.ts'
import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { macros } from '../../../db/schema/service/library.ts'
import type { Actor } from '../../../kit/actor.ts'
import { crud } from '../../../kit/crud.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { byPerson } from '../../conversations/actions/action.ts'
import { problemsOf } from '../../conversations/actions/check-actions.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { runMacro } from './run-macro.ts'

type Scope = (typeof macros.$inferSelect)['scope']

const administration = crud(macroResource, {
  table: macros,
  search: [macros.name],
  csv: [
    { label: 'Nome', value: (macro) => macro.name },
    { label: 'Passos', value: (macro) => macro.actions.length },
    { label: 'Para quem', value: (macro) => scopeLabels[macro.scope] },
    { label: 'Criada em', value: (macro) => macro.createdAt },
  ],
  visible: mayUse,
  beforeWrite: async (tx, { actor, before, input }) => {
    if (before && !mayWrite(actor, before.scope)) throw new AppError('ERR_NO_PERMISSION')
    const scope = input.scope ?? before?.scope ?? 'mine'
    const queueId = input.queueId === undefined ? (before?.queueId ?? null) : input.queueId
    if (!mayWrite(actor, scope)) {
      throw fieldErrors({ path: 'scope', message: 'Seu perfil só pode criar macros para uso próprio.' })
    }
    const directory = await getDirectory(actor.tenantId)
    if (scope === 'queue' && !(queueId && directory.queues.has(queueId))) {
      throw fieldErrors({ path: 'queueId', message: 'Escolha a fila.' })
    }
    const problems = await problemsOf(input.actions ?? [], { tx, directory, by: byPerson(actor) })
    if (problems.length) throw fieldErrors(...problems)
    // What becomes personal belongs to whoever made it so.
    return {
      queueId: scope === 'queue' ? queueId : null,
      ...(before && scope !== 'mine' ? {} : { userId: actor.userId }),
    }
  },
  beforeDelete: (actor, row) => {
    if (!mayWrite(actor, row.scope)) throw new AppError('ERR_NO_PERMISSION')
  },
  audience: (row) => {
    if (row.scope === 'mine') return { kind: 'user', userId: row.userId }
    return row.scope === 'queue' && row.queueId
      ? { kind: 'queue', queueId: row.queueId }
      : { kind: 'permission', can: 'quick-messages.read' }
  },
})

export const macroRoutes: Routes = (app) => {
  administration(app)
  app.post(
    '/macros/:id/run',
    {
      config: {
        can: 'quick-messages.read',
        summary: 'Executar uma macro em um atendimento',
        errors: ['ERR_NO_TICKET_FOUND'],
      },
      schema: { params: z.object({ id }), body: macroRunBody, response: { 200: macroRun } },
    },
    (request) => runMacro(request.actor, request.params.id, request.body, mayUse(request.actor)),
  )
}

const scopeLabels: Record<Scope, string> = { mine: 'Só para mim', queue: 'Fila', everyone: 'Todos' }

/** Mine, my queues' and everyone's; who administers knows every queue's, and nobody another person's own. */
function mayUse(actor: Actor): SQL | undefined {
  const { scope, userId, queueId } = macros
  return or(
    eq(scope, 'everyone'),
    and(eq(scope, 'mine'), eq(userId, actor.userId)),
    actor.permissions.has('quick-messages.share')
      ? eq(scope, 'queue')
      : and(eq(scope, 'queue'), inArray(queueId, actor.queueIds)),
  )
}

/** `mayUse` has already hidden other people's own. */
const mayWrite = (actor: Actor, scope: Scope) => scope === 'mine' || actor.permissions.has('quick-messages.share')
