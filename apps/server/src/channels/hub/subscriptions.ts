import { z } from 'zod'
import { ChannelError } from '../adapter.ts'
import { type Context, call, hookUrl, unexpected } from './api.ts'

const eventTypes = ['MESSAGE', 'MESSAGE_STATUS'] as const
const words = z.string().optional().catch(undefined)
const listed = z.object({
  id: z.string().min(1),
  eventType: words,
  criteria: z.object({ channel: words, direction: words }).optional().catch(undefined),
  webhook: z.object({ url: z.string() }),
})
type Subscription = { id: string; eventType?: string; direction?: string; url: string }

/** Of this channel. The list stands alone or in `data`. */
export const subscriptions = async (context: Context): Promise<Subscription[]> => {
  const told: unknown = (await call(context, '/subscriptions', {}, true)).json()
  const rows = z.array(z.unknown()).safeParse(Array.isArray(told) ? told : Object(told).data).data
  if (!rows) throw unexpected(true)
  return rows.flatMap((row) => {
    const { data } = listed.safeParse(row)
    if (!data || (data.criteria?.channel ?? context.config.channelToken) !== context.config.channelToken) return []
    return [{ id: data.id, eventType: data.eventType, direction: data.criteria?.direction, url: data.webhook.url }]
  })
}

/** The hub calls us with what comes in and what becomes of ours; asked again, it changes nothing. */
export const hear = async (context: Context) => {
  const ours = (await subscriptions(context)).filter(({ url }) => isOurs(url, context))
  const url = hookUrl(context)
  const wanted = eventTypes.map((eventType) => ({
    eventType,
    direction: eventType === 'MESSAGE' && !context.config.hearsOut ? 'IN' : undefined,
  }))
  const isWanted = (one: Subscription) =>
    one.url === url &&
    wanted.some(({ eventType, direction }) => one.eventType === eventType && one.direction === direction)
  for (const { id } of ours.filter((one) => !isWanted(one))) await remove(context, id)
  for (const { eventType, direction } of wanted) {
    if (ours.some((one) => isWanted(one) && one.eventType === eventType)) continue
    const criteria = { channel: context.config.channelToken, ...(direction && { direction }) }
    await call(
      context,
      '/subscriptions',
      { method: 'POST', json: { eventType, criteria, webhook: { url } } },
      true,
    ).catch((error) => refuseTaken(error, context))
  }
}

/** It is there already, or another system's stands in the way. */
const refuseTaken = async (error: unknown, context: Context) => {
  if (!(error instanceof ChannelError) || !/\(409/.test(error.message)) throw error
  const url = hookUrl(context)
  if ((await subscriptions(context)).some((one) => one.url === url)) return
  throw new ChannelError('final', 'O hub já avisa outro sistema deste canal.', {
    forAdmin: {
      text: 'O hub já avisa outro sistema deste canal. Apague o webhook dele no painel do NotificaMe e toque em Testar.',
    },
  })
}

export const unsubscribe = async (context: Context) => {
  for (const { id, url } of await subscriptions(context)) if (isOurs(url, context)) await remove(context, id)
}
const remove = async (context: Context, id: string) => {
  await call(context, `/subscriptions/${encodeURIComponent(id)}`, { method: 'DELETE' }, true)
}
/** With an older key too. */
const isOurs = (url: string, { webhookUrl }: Context) => url.split('?', 1).join() === webhookUrl
