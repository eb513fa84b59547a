import { id } from '@balcao/contract/common.ts'
import {
  consentOutcome,
  consentReturn,
  installationClients,
  integrationConsent,
  integrationConsentBody,
  integrationResource,
  integrationTest,
} from '@balcao/contract/core/integrations/index.ts'
import { z } from 'zod'
import { crud } from '../../../kit/crud.ts'
import type { Routes } from '../../../kit/http.ts'
import { kindsWithClient } from './clients.ts'
import { answerConsent, askConsent } from './consent-cookie.ts'
import { integrationDeliveryRoutes } from './integration-deliveries.routes.ts'
import { integrationOptions } from './integrations.rows.ts'
import { testIntegration } from './integrations.service.ts'

const saved = crud(integrationResource, integrationOptions)

const params = z.object({ id })

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
    (request, reply) => askConsent(request, reply, request.params.id, request.body),
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
    (request, reply) => answerConsent(request, reply, request.body),
  )
}
