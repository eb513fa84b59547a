import { dashboard, firstSteps } from '@balcao/contract/operations/dashboard.ts'
import type { Routes } from '../../../kit/http.ts'
import { readDashboard } from './dashboard.service.ts'
import { readFirstSteps } from './first-steps.ts'

export const dashboardRoutes: Routes = (app) => {
  app.get(
    '/dashboard',
    {
      config: { can: 'dashboard.read', summary: 'Ler os números do início' },
      schema: { response: { 200: dashboard } },
    },
    (request) => readDashboard(request.actor),
  )

  app.get(
    '/dashboard/first-steps',
    {
      config: { can: 'users.write', summary: 'Ler os primeiros passos da empresa' },
      schema: { response: { 200: firstSteps } },
    },
    (request) => readFirstSteps(request.actor.tenantId),
  )
}
