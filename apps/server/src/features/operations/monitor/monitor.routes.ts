import { monitor, monitorQuery } from '@balcao/contract/operations/monitor.ts'
import type { Routes } from '../../../kit/http.ts'
import { readMonitor } from './monitor.service.ts'

export const monitorRoutes: Routes = (app) => {
  app.get(
    '/monitor',
    {
      config: { can: 'monitor.read', summary: 'Ler os números do monitor' },
      schema: { querystring: monitorQuery, response: { 200: monitor } },
    },
    (request) => readMonitor(request.actor.tenantId, request.query),
  )
}
