import { type HubKind, hubKinds } from '@balcao/contract/channels/hub.ts'
import { idWithin } from '@balcao/contract/channels/index.ts'
import { z } from 'zod'
import { hashToken, isSame } from '../../kit/crypto.ts'
import { type ChannelAdapter, ChannelError, type Outbound } from '../adapter.ts'
import { fileAt } from '../file-at.ts'
import { call, hookKeyOf, hookUrl, unexpected } from './api.ts'
import { findChannel, listChannels, templatesOf } from './listing.ts'
import { parse, split } from './parse.ts'
import { contentFor } from './send.ts'
import { hear, subscriptions, unsubscribe } from './subscriptions.ts'

/** NotificaMe's hub, one of its channels (reference sheet hub-notificame.md). It cannot be asked for a message: there is no `find`. */
export const hub: ChannelAdapter<'hub'> = {
  hook: { verify: ({ query }, { hookSecret }) => isSame(query.key ?? '', hookKeyOf(hookSecret)) },
  split,
  parse,
  send: async (message, context) => {
    const { channel, channelToken: from } = context.config
    const json = { from, to: recipientOf(message, channel), contents: [contentFor(message, context.config)] }
    const answer = await call(
      context,
      `/channels/${channel}/messages`,
      { method: 'POST', json, timeoutMs: 60_000 },
      false,
    )
    const told = made.safeParse(answer.json()).data
    if (!told) throw unexpected(false)
    return { providerId: told.id }
  },
  fetchMedia: async (source, { egress }) => {
    const { url } = z.object({ url: z.url({ protocol: /^https?$/ }) }).safeParse(source).data ?? {}
    if (!url) throw gone()
    return fileAt(url, egress, gone)
  },
  templates: async (context) => (context.config.channel === 'whatsapp' ? templatesOf(context) : []),
  accountOf: ({ channelToken }) => ({ id: hashToken(channelToken), field: 'channelToken' }),
  connect: async (context) => {
    const { channel } = context.config
    const found = await findChannel(context)
    if (found && found.channel !== channel)
      throw new ChannelError('final', `Este token é de outro tipo de canal: ${hubKinds[found.channel]}.`)
    await hear(context)
    const shown = found?.handle ?? found?.name ?? hubKinds[channel]
    return { text: `Conectado a ${shown} pelo hub.`, account: { name: found?.name } }
  },
  check: async (context) => {
    const url = hookUrl(context)
    const isHeard = (await subscriptions(context)).some((one) => one.url === url)
    return { problem: isHeard ? null : 'O NotificaMe deixou de avisar este servidor. Toque em Testar para voltar.' }
  },
  disconnect: unsubscribe,
  offers: async ({ http, config }) => {
    const listed = await listChannels({ http, config: account.parse(config) })
    return listed?.map(({ token: channelToken, channel, name, handle }) => ({
      config: { channel, channelToken },
      name,
      handle,
    }))
  },
}

const account = z.object({ token: z.string(), baseUrl: z.string() })
const made = z.object({ id: z.string().min(1).max(300) })
const gone = () => new ChannelError('final', 'O hub não tem mais este arquivo. Peça ao cliente para enviá-lo de novo.')

const recipientOf = ({ to }: Outbound, channel: HubKind): string => {
  const byPhone = channel === 'whatsapp' || channel === 'sms' || channel === 'rcs'
  const kind = byPhone ? 'phone' : 'email'
  const found =
    byPhone || channel === 'email' ? to.find((one) => one.kind === kind)?.value : idWithin(to, 'hub', channel)
  if (!found)
    throw new ChannelError('final', 'Este contato ainda não escreveu por este canal.', { isUnreachable: true })
  return found
}
