import { type HubKind, hubKindNames } from '@balcao/contract/channels/hub.ts'
import { z } from 'zod'
import type { HttpClient } from '../../kit/egress.ts'
import { loose } from '../../kit/loose.ts'
import { ChannelError, type ProviderTemplate } from '../adapter.ts'
import { type Context, call, unexpected } from './api.ts'

const words = loose(z.string())
const row = z.object({
  id: z.string().min(1),
  name: words,
  channel: words,
  type: words,
  phone: words,
  username: words,
})
/** A channel of an account; `token` is what it is called by, and opens it. */
export type HubListing = { token: string; name: string; channel: HubKind; handle: string | undefined }

/**
 * Every channel of the account that we know how to speak of; throws ChannelError. The call is that of the vendor's own
 * library (`listChannels`), and not in its manual: undefined where an account has no such list.
 */
export const listChannels = async (access: {
  http: HttpClient
  config: { token: string; baseUrl: string }
}): Promise<HubListing[] | undefined> => {
  const answer = await call(access, '/channels', {}, true).catch((error) => {
    if (error instanceof ChannelError && /\((404|405)/.test(error.message)) return undefined
    throw error
  })
  if (!answer) return undefined
  const told: unknown = answer.json()
  const rows = z.array(z.unknown()).safeParse(Array.isArray(told) ? told : Object(told).data).data
  if (!rows) throw unexpected(true)
  return rows.flatMap((one) => {
    const { data } = row.safeParse(one)
    const channel = hubKindNames.find((kind) => kind === (data?.channel ?? data?.type)?.toLowerCase())
    if (!data || !channel) return []
    const handle = data.username ? `@${data.username.replace(/^@/, '')}` : data.phone
    return [{ token: data.id, name: data.name || channel, channel, handle }]
  })
}

/** This connection's own, where the account lists its channels; throws ChannelError when it is not among them. */
export const findChannel = async (context: Context): Promise<HubListing | undefined> => {
  const listed = await listChannels(context)
  if (!listed) return undefined
  const found = listed.find(({ token }) => token === context.config.channelToken)
  if (found) return found
  throw new ChannelError('final', 'O NotificaMe não reconhece este canal.', {
    forAdmin: {
      text: 'Este token não é de um canal da conta do NotificaMe. Escolha o canal em Configurações → NotificaMe Hub.',
    },
  })
}

const template = z.object({
  id: loose(z.coerce.string()),
  name: z.string().min(1),
  language: z.string().min(1),
  category: z.string().catch(''),
  status: z.string().catch(''),
  components: z.array(z.record(z.string(), z.unknown())).catch([]),
})
/** As Meta keeps them, perhaps one list inside another. */
export const templatesOf = async (context: Context): Promise<ProviderTemplate[]> => {
  const path = `/templates/${encodeURIComponent(context.config.channelToken)}`
  const told: unknown = (await call(context, path, {}, true)).json()
  const holder: unknown = Array.isArray(told) && Array.isArray(Object(told[0]).data) ? told[0] : told
  const rows = z.array(z.unknown()).safeParse(Array.isArray(holder) ? holder : Object(holder).data).data
  if (!rows) throw new ChannelError('retry', 'O NotificaMe não entregou os modelos agora. Tente de novo em instantes.')
  return rows.flatMap((one) => {
    const { data } = template.safeParse(one)
    return data ? [{ ...data, externalId: data.id ?? `${data.name}/${data.language}` }] : []
  })
}
