import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import { type Queue, queueResource } from '@balcao/contract/service/queues.ts'
import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../../../features/people/settings/api.ts'
import { allRows } from '../../../kit/resource-api.ts'

/** Who sees the conversations of a channel whose queue is this one; nothing to say where a queue takes them. */
export const useWhoSees = () => {
  const queues = useQuery(allRows<Queue>(queueResource))
  const settings = useQuery(settingsQuery)
  return (queueId: string | null): string | undefined => {
    if (!queues.data || !settings.data) return undefined
    const queue = queues.data.find(({ id }) => id === queueId)
    if (queue?.isActive) return undefined
    const seen = whoSees(settings.data, queues.data.length > 0)
    return queue ? `A fila ${queue.name} está desativada: ${seen}` : `Sem fila, ${seen}`
  }
}

export const whoSees = (
  settings: Pick<TenantSettings, 'nullticket' | 'supervisorAdmin' | 'DirectTicketsToWallets'>,
  hasQueues: boolean,
) => {
  if (!hasQueues || settings.nullticket) return 'toda a equipe vê as conversas.'
  const chiefs = settings.supervisorAdmin ? 'só administradores' : 'só administradores e supervisores'
  return settings.DirectTicketsToWallets
    ? `${chiefs} veem as conversas, e os donos da carteira do contato.`
    : `${chiefs} veem as conversas.`
}
