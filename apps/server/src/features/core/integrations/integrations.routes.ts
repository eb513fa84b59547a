import { id } from '@balcao/contract/common.ts'
import {
  consentOutcome,
  consentReturn,
  integrations as definitions,
  installationClients,
  integrationConsent,
  integrationConsentBody,
  integrationResource,
  integrationTest,
} from '@balcao/contract/core/integrations/index.ts'
import { v7 } from 'uuid'
import { z } from 'zod'
import { integrations } from '../../../db/schema/core/integrations.ts'
import { env } from '../../../env.ts'
import { crud } from '../../../kit/crud.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { hasInstallationClient, kindsWithClient } from './clients.ts'
import { finishConsent, startConsent } from './consent.ts'
import { gatewayChanged, refuseUsedGateway } from './gateways.ts'
import { keepConsumer } from './integration.consumer.ts'
import { integrationDeliveryRoutes } from './integration-deliveries.routes.ts'
import { findGateway, renewUsers } from './integrations.queries.ts'
import { integrationConfig, presentIntegrations, testIntegration } from './integrations.service.ts'

const saved = crud(integrationResource, {
  table: integrations,
  search: [integrations.name],
  csv: [
    { label: 'Nome', value: (row) => row.name },
    { label: 'Tipo', value: (row) => definitions[row.kind].label },
    { label: 'Situação', value: (row) => row.stateText ?? '' },
    { label: 'Criada em', value: (row) => row.createdAt },
  ],
  inUse: {
    connections: {
      code: 'ERR_IN_USE',
      says: (uses) =>
        uses === 1 ? 'Um canal usa isto. Troque nele antes.' : `${uses} canais usam isto. Troque neles antes.`,
    },
  },
  beforeDelete: async (_actor, { family, kind }, tx) => {
    if (family === 'gateway') await refuseUsedGateway(tx, kind)
  },
  beforeWrite: async (tx, { input, before }) => {
    const kind = before?.kind ?? input.kind
    if (!kind || (input.kind && input.kind !== kind))
      throw fieldErrors({ path: 'kind', message: 'O tipo não pode ser trocado.' })
    const { check, merge, seal } = integrationConfig[kind]
    const { family } = definitions[kind]
    if (!before && family === 'gateway' && (await findGateway(tx, kind)))
      throw fieldErrors({ path: 'kind', message: 'A empresa já tem este servidor. Altere o que existe.' })
    if (before && !input.config) return {}
    const rowId = before?.id ?? v7()
    const config = before ? merge(rowId, before.config, input.config ?? {}) : check(input.config ?? {})
    if (config.ownClient === false && !hasInstallationClient(kind))
      throw fieldErrors({
        path: 'config.ownClient',
        message: 'Esta instalação não tem um aplicativo deste provedor: use um da sua empresa.',
      })
    if (before && family === 'gateway') await gatewayChanged(tx, before, config)
    const fresh = { family, config: seal(rowId, config) }
    return before ? { ...fresh, state: 'unchecked', stateText: null } : { ...fresh, id: rowId }
  },
  present: presentIntegrations,
  // What it wants to hear may be another now; a session opens again along the new way.
  afterWrite: async (tx, { id, isNew }) => {
    await keepConsumer(tx, id)
    if (!isNew) await renewUsers(tx, id)
  },
})

const params = z.object({ id })
/** Holds the browser that began a consent; only it may come back with the answer. */
const consentCookie = 'balcao_consent'
const consentPath = '/api/oauth/callback'

export const integrationRoutes: Routes = (app) => {
  saved(app)
  integrationDeliveryRoutes(app)
  app.post(
    '/integrations/:id/test',
    {
      config: { can: 'integrations.write', summary: 'Testar uma integração' },
      schema: { params, response: { 200: integrationTest } },
    },
    ({ actor, params }) => testIntegration(actor.tenantId, params.id),
  )
  app.get(
    '/integrations/clients',
    {
      config: { can: 'integrations.write', summary: 'Ler as contas que se ligam pelo aplicativo da instalação' },
      schema: { response: { 200: installationClients } },
    },
    () => ({ kinds: kindsWithClient() }),
  )
  app.post(
    '/integrations/:id/consent',
    {
      config: {
        can: 'integrations.write',
        summary: 'Pedir a autorização do dono de uma conta',
        errors: ['ERR_NO_OAUTH_CLIENT'],
      },
      schema: { params, body: integrationConsentBody, response: { 200: integrationConsent } },
    },
    async ({ actor, params, body, protocol }, reply) => {
      const { url, browser } = await startConsent(actor, params.id, body)
      const secure = env.PUBLIC_URL.startsWith('https:') || protocol === 'https'
      reply.setCookie(consentCookie, browser, {
        path: consentPath,
        httpOnly: true,
        sameSite: 'lax',
        secure,
        maxAge: 600,
      })
      return { url }
    },
  )
  app.post(
    '/oauth/callback',
    {
      config: {
        public: true,
        summary: 'Concluir a autorização que o dono de uma conta deu',
        errors: ['ERR_OAUTH_STATE', 'ERR_OAUTH_REFUSED'],
        isHidden: true,
      },
      schema: { body: consentReturn, response: { 200: consentOutcome } },
    },
    async ({ body, cookies }, reply) => {
      const outcome = await finishConsent(body, cookies[consentCookie] ?? '')
      reply.clearCookie(consentCookie, { path: consentPath })
      return outcome
    },
  )
}
