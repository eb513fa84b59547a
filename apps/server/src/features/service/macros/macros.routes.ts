import { id } from '@balcao/contract/common.ts'
import { macroResource, macroRun, macroRunBody } from '@balcao/contract/service/macros.ts'
import { z } from 'zod'
import { macros } from '../../../db/schema/service/library.ts'
import { crud } from '../../../kit/crud.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { problemsOf } from '../../conversations/actions/check-actions.ts'
import { byPerson } from '../../conversations/tickets/action-catalogue.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { audienceOf, readableBy, requireWrite, scopeAfter, scopeLabels } from '../quick-messages/scope.ts'
import { runMacro } from './run-macro.ts'

const administration = crud(macroResource, {
  table: macros,
  search: [macros.name],
  csv: [
    { label: 'Nome', value: (macro) => macro.name },
    { label: 'Passos', value: (macro) => macro.actions.length },
    { label: 'Para quem', value: (macro) => scopeLabels[macro.scope] },
    { label: 'Criada em', value: (macro) => macro.createdAt },
  ],
  visible: (actor) => readableBy(actor, macros),
  beforeWrite: async (tx, { actor, before, input }) => {
    const after = scopeAfter(actor, before, input, 'macros')
    const directory = await getDirectory(actor.tenantId)
    if (after.queueId && !directory.queues.has(after.queueId))
      throw fieldErrors({ path: 'queueId', message: 'Escolha a fila.' })
    const problems = await problemsOf(input.actions ?? [], { tx, directory, by: byPerson(actor) })
    if (problems.length) throw fieldErrors(...problems)
    return after
  },
  beforeDelete: requireWrite,
  audience: audienceOf,
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
    (request) => runMacro(request.actor, request.params.id, request.body, readableBy(request.actor, macros)),
  )
}
