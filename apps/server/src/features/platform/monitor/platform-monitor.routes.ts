import {
  monitorHistory,
  monitorHistoryQuery,
  type PlatformMonitor,
  platformMonitor,
} from '@balcao/contract/platform/monitor.ts'
import type { Routes } from '../../../kit/http.ts'
import { readHistory, readNodes, readSlowest } from './history.ts'
import { measureMachine, nodeName } from './machine.ts'
import { readInstallation, readReplicas, readRunning, readTables } from './platform-monitor.queries.ts'

export const platformMonitorRoutes: Routes = (app) => {
  app.get(
    '/platform/monitor',
    {
      config: { can: 'platform.read', summary: 'Ler como a instalação está agora' },
      schema: { response: { 200: platformMonitor } },
    },
    readNow,
  )
  app.get(
    '/platform/monitor/history',
    {
      config: { can: 'platform.read', summary: 'Ler como a instalação esteve ao longo do tempo' },
      schema: { querystring: monitorHistoryQuery, response: { 200: monitorHistory } },
    },
    (request) => readHistory(request.query.period),
  )
}

/** This process as it is, the others as they last told. */
const readNow = async (): Promise<PlatformMonitor> => {
  const [machine, nodes, installation, replicas, running, slowest, tables] = await Promise.all([
    measureMachine(),
    readNodes(),
    readInstallation(),
    readReplicas(),
    readRunning(),
    readSlowest(),
    readTables(),
  ])
  const mine = { node: nodeName, at: new Date().toISOString(), machine }
  const others = nodes.filter(({ node }) => node !== nodeName)
  const all = [mine, ...others].sort((a, b) => a.node.localeCompare(b.node))
  return { node: nodeName, nodes: all, installation, replicas, running, slowest, tables }
}
