import { connectionCreate } from '@balcao/contract/channels/connections.ts'
import { type HubChannels, hubKinds } from '@balcao/contract/channels/hub.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { loadAdapter } from '../../../channels/index.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { egressAlong } from '../../../kit/egress.ts'
import { AppError } from '../../../kit/errors.ts'
import { gatewayOf } from '../../core/integrations/gateways.ts'
import { accountOf, accountsTaken } from './config.ts'
import { allRows } from './connections.queries.ts'
import { createConnection } from './connections.service.ts'
import { readConfig } from './context.ts'

/** The channels of the company's account at the hub, each by a name that opens nothing. */
export const listHub = async (tenantId: number): Promise<HubChannels> => {
  const offered = await offeredTo(tenantId)
  if (!offered) return { isListed: false, channels: [] }
  const [taken, own] = await Promise.all([
    accountsTaken(
      'hub',
      offered.map(({ ref }) => ref),
    ),
    ownConnections(tenantId),
  ])
  const channels = offered.map(({ ref, name, handle, config: { channel = 'whatsapp' } }) => {
    const connection = own.get(ref) ?? null
    return { ref, name, channel, handle: handle ?? null, connection, isTaken: !connection && taken.has(ref) }
  })
  return { isListed: true, channels }
}

/** One of them becomes a connection, on the company's token; throws ERR_NOT_FOUND when the hub has it no longer. */
export const connectHub = async (actor: Actor, ref: string) => {
  const found = (await offeredTo(actor.tenantId))?.find((one) => one.ref === ref)
  if (!found) throw new AppError('ERR_NOT_FOUND', { message: 'O hub não tem mais este canal.' })
  const { config, name } = found
  const named = await freeName(actor.tenantId, cutText(`${name} · ${hubKinds[config.channel ?? 'whatsapp']}`, 56))
  return createConnection(actor, connectionCreate.parse({ kind: 'hub', name: named, host: 'company', config }))
}

const offeredTo = async (tenantId: number) => {
  const config = await gatewayOf(tenantId, 'hub')
  if (!config) return undefined
  const offered = await (await loadAdapter('hub'))
    .offers?.({ http: egressAlong(undefined).http, config })
    .catch(refused)
  return (
    offered && Promise.all(offered.map(async (one) => ({ ...one, ref: await refOf({ ...config, ...one.config }) })))
  )
}
const refused = (error: unknown): never => {
  if (error instanceof ChannelError) throw new AppError('ERR_CHANNEL_REFUSED', { message: error.forAdmin.text })
  throw error
}
const refOf = async (config: Record<string, unknown>) => (await accountOf('hub', config))?.id ?? ''

/** Those of the company, also what could not be connected yet. */
const ownConnections = async (tenantId: number) => {
  const rows = (await withTenant(tenantId, allRows)).filter(({ kind }) => kind === 'hub')
  const known = rows.map(async (row) => {
    const { id, name } = row
    return [row.externalId ?? (await refOf({ token: 'x'.repeat(8), ...readConfig(row) })), { id, name }] as const
  })
  return new Map(await Promise.all(known))
}

const freeName = async (tenantId: number, wanted: string): Promise<string> => {
  const names = new Set((await withTenant(tenantId, allRows)).map(({ name }) => name))
  for (let at = 2; names.has(wanted); at += 1) {
    const next = `${wanted.replace(/ \(\d+\)$/, '')} (${at})`
    if (!names.has(next)) return next
  }
  return wanted
}
