import { dashboard } from '@balcao/contract/dashboard.ts'
import type { Routes } from '../../kit/http.ts'
import { readDashboard } from './dashboard.service.ts'

export const dashboardRoutes: Routes = (app) => {
  app.get('/dashboard', { config: { can: 'dashboard.read' }, schema: { response: { 200: dashboard } } }, (request) =>
    readDashboard(request.actor),
  )
}
