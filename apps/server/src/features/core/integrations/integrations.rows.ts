import { integrations as definitions, integrationResource } from '@balcao/contract/core/integrations/index.ts'
import { modelKinds } from '@balcao/contract/core/integrations/models.ts'
import { getTableColumns } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { integrations } from '../../../db/schema/core/integrations.ts'
import { type CrudOptions, type PlainOptions, rowsOf } from '../../../kit/crud-rows.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { hasInstallationClient } from './clients.ts'
import { gatewayChanged, refuseUsedGateway } from './gateways.ts'
import { keepConsumer } from './integration.consumer.ts'
import { findIntegration, readKnowledgeAgain, renewUsers } from './integrations.queries.ts'
import { integrationConfig, presentIntegrations } from './integrations.service.ts'
import { findSingle } from './single.ts'

export const integrationOptions: CrudOptions<typeof integrationResource, typeof integrations> = {
  table: integrations,
  search: [integrations.name],
  csv: [
    { label: 'Nome', value: (row) => row.name },
    { label: 'Tipo', value: (row) => definitions[row.kind].label },
    { label: 'Situação', value: (row) => row.stateText ?? '' },
    { label: 'Criada em', value: (row) => row.createdAt },
  ],
  inUse: {
    calendar_syncs: {
      code: 'ERR_IN_USE',
      says: () => 'Esta agenda está em uso. Desconecte-a em Google Agenda: o que é nosso sai dela antes.',
    },
    knowledge_bases: {
      code: 'ERR_IN_USE',
      says: () => 'Uma base de conhecimento busca por sentido com esta conta. Troque a conta nela antes.',
    },
    connections: {
      code: 'ERR_IN_USE',
      says: (uses) =>
        uses === 1 ? 'Um canal usa isto. Troque nele antes.' : `${uses} canais usam isto. Troque neles antes.`,
    },
  },
  beforeDelete: async (_actor, { family, kind }, tx) => {
    if (family === 'gateway') await refuseUsedGateway(tx, kind)
    if (isModel(kind)) await tellModels(tx)
  },
  beforeWrite: async (tx, { input, before }) => {
    const kind = before?.kind ?? input.kind
    if (!kind || (input.kind && input.kind !== kind))
      throw fieldErrors({ path: 'kind', message: 'O tipo não pode ser trocado.' })
    const { check, merge, seal } = integrationConfig[kind]
    const { family } = definitions[kind]
    if (!before && family === 'gateway' && (await findSingle(tx, kind)))
      throw fieldErrors({ path: 'kind', message: 'A empresa já tem este servidor. Altere o que existe.' })
    if (before && !input.config) return {}
    const rowId = before?.id ?? v7()
    const config = before ? merge(rowId, before.config, input.config ?? {}) : check(input.config ?? {})
    if (config.ownClient === false && !hasInstallationClient(kind))
      throw fieldErrors({
        path: 'config.ownClient',
        message: 'Esta instalação não tem um aplicativo deste provedor: use um da sua empresa.',
      })
    if (before && before.config.embeddingModel !== config.embeddingModel) await readKnowledgeAgain(tx, before.id)
    if (before && family === 'gateway') await gatewayChanged(tx, before, config)
    const fresh = { family, config: seal(rowId, config) }
    return before ? { ...fresh, state: 'unchecked', stateText: null } : { ...fresh, id: rowId }
  },
  present: presentIntegrations,
  // What it wants to hear may be another now; a session opens again along the new way.
  afterWrite: async (tx, { id, isNew }) => {
    await keepConsumer(tx, id)
    if (!isNew) await renewUsers(tx, id)
    const row = await findIntegration(tx, id)
    if (row && isModel(row.kind)) await tellModels(tx)
  },
}

const isModel = (kind: string) => (modelKinds as readonly string[]).includes(kind)
/** Whoever writes with the copilot may have it from now on, or no longer. */
const tellModels = (tx: Tx) => emit(tx, 'models.changed', {}, { kind: 'permission', can: 'copilot.use' })

export const integrationRows = rowsOf(
  integrationResource,
  integrationOptions as unknown as PlainOptions, // as crud() takes them
  getTableColumns(integrations),
)
