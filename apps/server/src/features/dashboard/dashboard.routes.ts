import { dashboard, firstSteps } from '@balcao/contract/dashboard.ts'
import type { Routes } from '../../kit/http.ts'
import { readDashboard } from './dashboard.service.ts'
import { readFirstSteps } from './first-steps.ts'

export const dashboardRoutes: Routes = (app) => {
  app.get('/dashboard', { config: { can: 'dashboard.read' }, schema: { response: { 200: dashboard } } }, (request) =>
    readDashboard(request.actor),
  )

  app.get(
    '/dashboard/first-steps',
    { config: { can: 'users.write' }, schema: { response: { 200: firstSteps } } },
    (request) => readFirstSteps(request.actor.tenantId),
  )
}
