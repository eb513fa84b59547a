import type {
  Connection,
  ConnectionsFilter,
  ConnectionWork,
  connectionTest,
  connectionLimits as limits,
  proxyUse,
} from '@balcao/contract/channels/connections.ts'
import type { Gateway, Host } from '@balcao/contract/channels/hosts.ts'
import type { HubChannels } from '@balcao/contract/channels/hub.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { WebchatLook } from '@balcao/contract/channels/webchat-look.ts'
import type { Page } from '@balcao/contract/common.ts'
import type { previewLink, SiteCheck } from '@balcao/contract/intake/webchat.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { said } from '../../../kit/api-client.ts'

export type ConnectionDraft = {
  name: string
  isDefault: boolean
  queueId: string | null
  farewellMessage: string
  sendEvaluation: boolean
  proxyId: string | null
  host: Host | null
  options: Record<string, unknown>
  config: Record<string, unknown>
}
export type TestOutcome = z.output<typeof connectionTest>

const testTimeoutMs = 40_000

/** Every connection of the company: they are few. */
export const connectionList = queryOptions({
  queryKey: ['connections', 'list'],
  queryFn: async ({ signal }) => (await api.get<Page<Connection>>('/whatsapp', { signal })).items,
})

/** What each has done and has to do; it moves without events. */
export const connectionWork = queryOptions({
  queryKey: ['connections', 'work'],
  queryFn: ({ signal }) => api.get<ConnectionWork[]>('/whatsapp/work', { signal }),
  refetchInterval: 20_000,
})

/** The company's proxies, with what goes through each. */
export const proxyUses = queryOptions({
  queryKey: ['connections', 'proxies'],
  queryFn: ({ signal }) => api.get<ProxyUse[]>('/proxy-stats', { signal }),
  refetchInterval: 60_000,
})
/** Jobs that make a file. */
export const exportProxies = () => api.post<BulkJob>('/proxy-stats/export', {})
export const exportConnections = (filter: ConnectionsFilter) => api.post<BulkJob>('/whatsapp/export', said(filter))
export type ProxyUse = z.output<typeof proxyUse>

/** A channel goes out another way from now on. */
export const useAssignProxy = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, proxyId }: { id: string; proxyId: string | null }) =>
      api.put<Connection>(`/whatsapp/${id}`, { proxyId }, { timeoutMs: testTimeoutMs }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['connections'] }),
  })
}

/** How many channels the company has and may have. */
export const connectionLimits = queryOptions({
  queryKey: ['connections', 'limits'],
  queryFn: ({ signal }) => api.get<z.output<typeof limits>>('/whatsapp/limits', { signal }),
})

/** Servers on which a channel may stand without bringing its own. */
export const gatewayList = queryOptions({
  queryKey: ['connections', 'gateways'],
  queryFn: ({ signal }) => api.get<Gateway[]>('/gateways', { signal }),
})

/** What the company's account at the hub has; asked of the hub itself. */
export const hubChannelList = queryOptions({
  queryKey: ['connections', 'hub'],
  queryFn: ({ signal }) => api.get<HubChannels>('/hub-channel', { signal, timeoutMs: testTimeoutMs }),
})
export const useConnectHubChannel = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (ref: string) => api.post<Connection>('/hub-channel', { ref }, { timeoutMs: testTimeoutMs }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['connections'] }),
  })
}

type Saving = { kind: ChannelKind; connection: Connection | null; draft: ConnectionDraft }

/** Creates or changes; saving also connects, so the answer already carries the new state. */
export const useSaveConnection = () => {
  const keep = useKeepConnection()
  return useMutation({
    mutationFn: ({ kind, connection, draft }: Saving) =>
      connection
        ? api.put<Connection>(
            `/whatsapp/${connection.id}`,
            { ...draft, version: connection.version },
            { timeoutMs: testTimeoutMs },
          )
        : api.post<Connection>('/whatsapp', { kind, ...draft }, { timeoutMs: testTimeoutMs }),
    onSuccess: keep,
  })
}

type SavingLook = { id: string; version: number; config: WebchatLook }
/** How a web chat looks; what the form of the channel holds stays as it is. */
export const useSaveLook = () => {
  const keep = useKeepConnection()
  return useMutation({
    mutationFn: ({ id, ...body }: SavingLook) =>
      api.put<Connection>(`/whatsapp/${id}`, body, { timeoutMs: testTimeoutMs }),
    onSuccess: keep,
  })
}

/** What a visitor would meet on a page of the site; its own server may take its time. */
export const useCheckSite = () =>
  useMutation({
    mutationFn: ({ id, address }: { id: string; address: string }) =>
      api.post<SiteCheck>(`/whatsapp/${id}/site-check`, { address }, { timeoutMs: testTimeoutMs }),
  })

export const useDraftLink = () =>
  useMutation({
    mutationFn: ({ id, ...body }: { id: string; address: string; look: WebchatLook }) =>
      api.post<z.output<typeof previewLink>>(`/whatsapp/${id}/preview-link`, body),
  })

const useKeepConnection = () => {
  const cache = useQueryClient()
  return (saved: Connection) => {
    cache.setQueryData(
      connectionList.queryKey,
      (now) =>
        now &&
        [...now.filter((one) => one.id !== saved.id), saved].sort((a, b) => a.name.localeCompare(b.name, 'pt-BR')),
    )
    void cache.invalidateQueries({ queryKey: connectionList.queryKey })
  }
}

type Turn = { id: string } & (
  | { to: 'start' | 'stop' | 'unlink' | 'cancelImport' }
  | { to: 'link'; phone?: string }
  | { to: 'default'; version: number }
)

/** Starts, stops, links or unlinks a channel, or makes it the one that is chosen by itself. */
export const useTurnConnection = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (turn: Turn): Promise<Connection> => {
      const session = `/whatsappsession/${turn.id}` as const
      const slow = { timeoutMs: testTimeoutMs }
      if (turn.to === 'start') return api.post(session, {}, slow)
      if (turn.to === 'stop') return api.post(`${session}/stop`, {}, slow)
      if (turn.to === 'cancelImport') return api.post(`/whatsapp/${turn.id}/import/cancel`, {}, slow)
      if (turn.to === 'unlink') return api.delete(session, undefined, slow)
      if (turn.to === 'link') return api.put(session, turn.phone ? { phone: turn.phone } : {}, slow)
      return api.put(`/whatsapp/${turn.id}`, {
        isDefault: true,
        ...(turn.to === 'default' && { version: turn.version }),
      })
    },
    onSuccess: (now) => {
      cache.setQueryData(connectionList.queryKey, (known) => known?.map((one) => (one.id === now.id ? now : one)))
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['connections'] }),
  })
}

export const useTestConnection = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post<TestOutcome>(`/whatsapp/${id}/test`, {}, { timeoutMs: testTimeoutMs }),
    onSettled: () => cache.invalidateQueries({ queryKey: connectionList.queryKey }),
  })
}

export const useDeleteConnection = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.delete(`/whatsapp/${id}`),
    onSuccess: (_, id) => {
      cache.setQueryData(connectionList.queryKey, (now) => now?.filter((one) => one.id !== id))
    },
  })
}
