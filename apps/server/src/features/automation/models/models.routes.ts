import { modelsAsked, modelsOffered as offered } from '@balcao/contract/core/integrations/models.ts'
import type { Routes } from '../../../kit/http.ts'
import { modelsOffered } from './offered.ts'

export const modelRoutes: Routes = (app) => {
  app.post(
    '/integrations/models',
    {
      config: { can: 'integrations.write', summary: 'Ler os modelos que uma conta de inteligência artificial oferece' },
      schema: { body: modelsAsked, response: { 200: offered } },
    },
    ({ actor, body }) => modelsOffered(actor.tenantId, body),
  )
}
