import { id } from '@balcao/contract/common.ts'
import {
  deliveriesPage,
  deliveriesQuery,
  undelivered,
  type WholeDelivery,
  wholeDelivery,
} from '@balcao/contract/core/integrations/deliveries.ts'
import type { IntegrationKind } from '@balcao/contract/core/integrations/index.ts'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Told } from '../../../integrations/adapter.ts'
import { loadIntegration } from '../../../integrations/index.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { listDeliveries, readDelivery, tellAnew, undeliveredOf } from '../deliveries/deliveries.service.ts'
import { findIntegration, type IntegrationRow } from './integrations.queries.ts'
import { configOf } from './integrations.service.ts'

const params = z.object({ id })
const one = z.object({ id, delivery: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) })

/** What a system of the company was told and what it was not; whoever sets it up may read and repeat it. */
export const integrationDeliveryRoutes: Routes = (app) => {
  app.get(
    '/integrations/:id/deliveries',
    {
      config: { can: 'integrations.write', summary: 'Listar o que uma integração soube e o que não' },
      schema: { params, querystring: deliveriesQuery, response: { 200: deliveriesPage } },
    },
    ({ actor, params, query }) => within(actor, params.id, (tx) => listDeliveries(tx, params.id, query)),
  )
  app.get(
    '/integrations/:id/undelivered',
    {
      config: { can: 'integrations.write', summary: 'Contar o que uma integração ainda não soube' },
      schema: { params, response: { 200: undelivered } },
    },
    ({ actor, params }) => within(actor, params.id, (tx) => undeliveredOf(tx, params.id)),
  )
  app.get(
    '/integrations/:id/deliveries/:delivery',
    {
      config: { can: 'integrations.write', summary: 'Ler uma entrega: o que foi enviado e a resposta' },
      schema: { params: one, response: { 200: wholeDelivery } },
    },
    ({ actor, params }) => within(actor, params.id, (tx, row) => readWhole(tx, row, params.delivery)),
  )
  app.post(
    '/integrations/:id/deliveries/retry',
    {
      config: { can: 'integrations.write', summary: 'Entregar de novo o que uma integração não soube' },
      schema: { params, response: { 200: undelivered } },
    },
    ({ actor, params }) =>
      within(actor, params.id, async (tx, row) => {
        await deliverAnew(tx, actor, row, null)
        return undeliveredOf(tx, row.id)
      }),
  )
  app.post(
    '/integrations/:id/deliveries/:delivery/retry',
    {
      config: { can: 'integrations.write', summary: 'Fazer de novo uma entrega' },
      schema: { params: one, response: { 200: wholeDelivery } },
    },
    ({ actor, params }) =>
      within(actor, params.id, async (tx, row) => {
        await deliverAnew(tx, actor, row, params.delivery)
        return readWhole(tx, row, params.delivery)
      }),
  )
}

const within = <T>({ tenantId }: Actor, id: string, work: (tx: Tx, row: IntegrationRow) => Promise<T>) =>
  withTenant(tenantId, async (tx) => {
    const row = await findIntegration(tx, id)
    if (!row) throw new AppError('ERR_NOT_FOUND')
    return work(tx, row)
  })

const deliverAnew = async (tx: Tx, actor: Actor, { id, name }: IntegrationRow, delivery: number | null) => {
  const count = await tellAnew(tx, id, delivery)
  if (delivery !== null && !count) throw new AppError('ERR_NOT_FOUND')
  const after = { name, count }
  await writeAudit(tx, actor, { action: 'integration.retried', entity: 'integration', entityId: id, after })
}

const readWhole = async (tx: Tx, row: IntegrationRow, delivery: number): Promise<WholeDelivery> => {
  const found = await readDelivery(tx, row.id, delivery)
  const sent = found && (await composed(row, found.told))
  if (!found || !sent) throw new AppError('ERR_NOT_FOUND')
  return { ...found.shown, ...sent, answer: found.answer }
}
const composed = async <K extends IntegrationKind>(row: IntegrationRow & { kind: K }, told: Told) =>
  (await loadIntegration(row.kind)).hears?.compose(told, configOf(row))
