import { id, pageOf, tenantId } from '@balcao/contract/common.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  actionPreview,
  actionRun,
  actionRunsQuery,
  pipelineAction,
  pipelineActionResource,
  pipelineActionsSequential,
  ticketAction,
  ticketActionResource,
  ticketActionsSequential,
  toggleActive,
} from '@balcao/contract/operations/funnel-actions.ts'
import { and, asc, eq, max, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { pipelineActions, ticketActions } from '../../../db/schema/operations/funnel-actions.ts'
import type { Actor } from '../../../kit/actor.ts'
import { crud } from '../../../kit/crud.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { pipelineActionOptions, pipelineActionRows, ticketActionOptions, ticketActionRows } from './actions.rows.ts'
import { previewPipelineAction, previewTicketAction } from './preview.ts'
import { actionRunsExport, listRuns } from './runs.list.ts'

const can = 'funnel.manage'
const params = z.object({ id })
const pipelineActionsPage = pageOf(pipelineAction)
const ticketActionsPage = pageOf(ticketAction)
const crudRoutes = [
  crud(pipelineActionResource, pipelineActionOptions),
  crud(ticketActionResource, ticketActionOptions),
]
const whole = <Row>(items: Row[]) => ({ items, hasMore: false, nextCursor: null })

/** What happens by itself to opportunities that stand in a stage, and to conversations whose customer is silent. */
export const funnelActionRoutes: Routes = (app) => {
  for (const routes of crudRoutes) routes(app)
  app.put(
    '/pipeline-actions/:id/toggle-active',
    {
      config: { can, summary: 'Ligar ou desligar uma ação do funil' },
      schema: { params, body: toggleActive, response: { 200: pipelineAction } },
    },
    async ({ actor, params: { id }, body }) =>
      pipelineAction.parse(
        await pipelineActionRows.update(actor, id, {
          active: body?.active ?? !(await isOn(pipelineActionRows, actor, id)),
        }),
      ),
  )
  app.get(
    '/pipeline-actions/pipeline/:id',
    {
      config: { can, summary: 'Listar as ações de um funil' },
      schema: { params, response: { 200: pipelineActionsPage } },
    },
    async ({ actor, params: { id } }) => listActions(actor, eq(pipelineActions.pipelineId, id)),
  )
  app.get(
    '/pipeline-actions/stage/:id',
    {
      config: { can, summary: 'Listar as ações de uma etapa' },
      schema: { params, response: { 200: pipelineActionsPage } },
    },
    async ({ actor, params: { id } }) => listActions(actor, eq(pipelineActions.stageId, id)),
  )
  app.get(
    '/pipeline-actions/:id/preview',
    {
      config: { can, summary: 'Mostrar quem uma ação do funil alcançaria agora' },
      schema: { params, response: { 200: actionPreview } },
    },
    ({ actor, params: { id } }) => previewPipelineAction(actor, id),
  )
  app.post(
    '/pipeline-actions/sequential',
    {
      config: { can, summary: 'Criar várias ações de uma etapa, em ordem' },
      schema: { body: pipelineActionsSequential, response: { 201: pipelineActionsPage } },
    },
    async ({ actor, body: { actions, ...stage } }, reply) => {
      const [last] = await withTenant(actor.tenantId, (tx) =>
        tx.db
          .select({ position: max(pipelineActions.position) })
          .from(pipelineActions)
          .where(and(eq(pipelineActions.tenantId, tx.tenantId), eq(pipelineActions.stageId, stage.stageId))),
      )
      const first = (last?.position ?? 0) + 1
      const items = await createAll(
        pipelineActionRows,
        actor,
        actions.map((one, at) => ({ ...one, ...stage, position: first + at })),
      )
      return reply.status(201).send(whole(items.map((one) => pipelineAction.parse(one))))
    },
  )
  app.get(
    '/pipeline-action-log/tenant/:tenantId',
    {
      config: { can, summary: 'Listar o que as ações do funil fizeram' },
      schema: {
        params: z.object({ tenantId: z.coerce.number().pipe(tenantId) }),
        querystring: actionRunsQuery,
        response: { 200: pageOf(actionRun) },
      },
    },
    ({ actor, params, query }) => {
      if (params.tenantId !== actor.tenantId) throw new AppError('ERR_NOT_FOUND')
      return listRuns(actor, query)
    },
  )
  app.post(
    '/pipeline-action-log/export',
    {
      config: { can, summary: 'Pedir a exportação do que as ações do funil fizeram' },
      schema: { body: actionRunsQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await actionRunsExport.enqueue(actor, body)),
  )
  app.put(
    '/ticket-actions/:id/toggle-active',
    {
      config: { can, summary: 'Ligar ou desligar uma ação por silêncio' },
      schema: { params, body: toggleActive, response: { 200: ticketAction } },
    },
    async ({ actor, params: { id }, body }) =>
      ticketAction.parse(
        await ticketActionRows.update(actor, id, {
          active: body?.active ?? !(await isOn(ticketActionRows, actor, id)),
        }),
      ),
  )
  app.get(
    '/ticket-actions/active/list',
    {
      config: { can, summary: 'Listar as ações por silêncio que estão ligadas' },
      schema: { response: { 200: ticketActionsPage } },
    },
    ({ actor }) =>
      withTenant(actor.tenantId, async (tx) => {
        const rows = await tx.db
          .select()
          .from(ticketActions)
          .where(and(eq(ticketActions.tenantId, tx.tenantId), eq(ticketActions.active, true)))
          .orderBy(asc(ticketActions.hoursWithoutResponse), asc(ticketActions.id))
        return whole((await ticketActionRows.present(tx, rows)).map((one) => ticketAction.parse(one)))
      }),
  )
  app.get(
    '/ticket-actions/:id/preview',
    {
      config: { can, summary: 'Mostrar quem uma ação por silêncio alcançaria agora' },
      schema: { params, response: { 200: actionPreview } },
    },
    ({ actor, params: { id } }) => previewTicketAction(actor, id),
  )
  app.post(
    '/ticket-actions/sequential',
    {
      config: { can, summary: 'Criar várias ações por silêncio' },
      schema: { body: ticketActionsSequential, response: { 201: ticketActionsPage } },
    },
    async ({ actor, body: { actions } }, reply) => {
      const items = await createAll(ticketActionRows, actor, actions)
      return reply.status(201).send(whole(items.map((one) => ticketAction.parse(one))))
    },
  )
}

type Rows = typeof pipelineActionRows
const isOn = (rows: Rows, actor: Actor, id: string): Promise<boolean> =>
  withTenant(actor.tenantId, async (tx) => (await rows.find(tx, actor, id)).active === true)

/** In their order; where one is refused, none stays. */
const createAll = async (rows: Rows, actor: Actor, inputs: readonly object[]) => {
  const made: Awaited<ReturnType<Rows['create']>>[] = []
  try {
    for (const input of inputs) made.push(await rows.create(actor, { ...input }))
  } catch (error) {
    for (const { id } of made) await rows.remove(actor, id)
    throw error
  }
  return made
}

const listActions = (actor: Actor, where: SQL) =>
  withTenant(actor.tenantId, async (tx) => {
    const rows = await tx.db
      .select()
      .from(pipelineActions)
      .where(and(eq(pipelineActions.tenantId, tx.tenantId), where))
      .orderBy(asc(pipelineActions.daysToTrigger), asc(pipelineActions.position), asc(pipelineActions.id))
    return whole((await pipelineActionRows.present(tx, rows)).map((one) => pipelineAction.parse(one)))
  })
