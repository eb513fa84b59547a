import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { ChannelError } from '../adapter.ts'
import { moment } from '../whatsapp/proto.ts'
import { ask, askAccount, type Context, InstanceMissing } from './api.ts'

const words = loose(z.string().min(1))
const me = z.object({
  name: words,
  created: loose(moment),
  due: loose(moment),
  paymentStatus: words,
  receivedCallbackUrl: words,
  messageStatusCallbackUrl: words,
  disconnectedCallbackUrl: words,
})
export type Me = z.output<typeof me>
/** What the instance says of itself. */
export const readMe = async (context: Context): Promise<Partial<Me>> =>
  me.safeParse(await ask(context, 'me')).data ?? {}

/** The instance that was named or learned, if the account has it; else one of ours, where a partner's token makes it. */
export const withInstance = async (context: Context): Promise<Context> => {
  const { partnerToken } = context.config
  const missing = await ask(context, 'status').then(
    () => undefined,
    (error) => {
      if (error instanceof InstanceMissing) return error
      throw error
    },
  )
  if (!missing) return context
  if (!partnerToken) throw missing
  return { ...context, config: { ...context.config, ...(await instanceOfOurs(context, partnerToken)) } }
}

/** Its name says whose it is; asked again, it is found by it. */
const nameOf = ({ tenantId, connectionId }: Context) =>
  `balcao-${tenantId}-${connectionId.replaceAll('-', '').slice(-12)}`
const made = z.object({ id: z.string().min(1), token: z.string().min(1) })
const listed = z.object({ content: z.array(made.extend({ name: words })) })

const instanceOfOurs = async (context: Context, partnerToken: string) => {
  const name = nameOf(context)
  const query = { page: '1', pageSize: '20', query: name }
  const all = listed.safeParse(await askAccount(context, '', { query, partnerToken })).data?.content ?? []
  const body = { name, sessionName: 'Balcão', isDevice: false }
  const found =
    all.find((one) => one.name === name) ?? (await askAccount(context, 'integrator/on-demand', { body, partnerToken }))
  const { data } = made.safeParse(found)
  if (!data) throw new ChannelError('retry', 'A Z-API não criou a instância agora.')
  return { instanceId: data.id, instanceToken: data.token }
}

/** Made by us: nobody else keeps anything there. */
export const isOurs = (context: Context, { name }: Partial<Me>) =>
  Boolean(context.config.partnerToken) && name === nameOf(context)

const trialMs = 3 * 24 * 3_600_000
/** It runs for two days, and only what it says of itself tells: nothing is paid for on a guess. */
const isTrial = ({ paymentStatus = '', created, due }: Partial<Me>): boolean => {
  if (/trial/i.test(paymentStatus)) return true
  if (/^(paid|active)$/i.test(paymentStatus) || !created || !due) return false
  return due.getTime() - created.getTime() < trialMs
}

/** An instance of ours is paid for once a phone is linked to it; what nobody linked Z-API takes away by itself. */
export const keepPaid = async (context: Context, now: Partial<Me>): Promise<string | null> => {
  if (!isOurs(context, now) || !isTrial(now)) return null
  return askPaid(context, 'subscription').then(
    () => null,
    () => notPaid,
  )
}
const notPaid =
  'A Z-API não assinou a instância deste canal, que é de teste e dura dois dias. Veja a sua conta de parceiro na Z-API: tentamos de novo a cada minuto.'

/** Gives up an instance of ours: its phone leaves first, since what is paid for works on until its month is over. */
export const giveUp = async (context: Context, now: Partial<Me>): Promise<void> => {
  if (isOurs(context, now) && !isTrial(now)) await askPaid(context, 'cancel')
}
const askPaid = (context: Context, what: 'subscription' | 'cancel') =>
  ask(context, `integrator/on-demand/${what}`, { method: 'POST', partnerToken: context.config.partnerToken })
