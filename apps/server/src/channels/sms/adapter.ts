import { type SmsProvider, smsProviderLabels, smsProviders } from '@balcao/contract/channels/sms.ts'
import { smsText } from '@balcao/contract/channels/sms-segments.ts'
import { z } from 'zod'
import { type ChannelAdapter, ChannelError, type Outbound } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { comtele } from './comtele.ts'
import { type Context, hookKeyOf, type SmsDriver, type Told } from './driver.ts'
import { smsdev } from './smsdev.ts'
import { twilio } from './twilio.ts'
import { zenvia } from './zenvia.ts'

const drivers: Record<SmsProvider, SmsDriver> = { twilio, zenvia, smsdev, comtele }
const driverOf = ({ config }: Context) => drivers[config.provider]

/** SMS by four providers (reference sheet sms.md). None finds a message by an id of ours: there is no `find`. */
export const sms: ChannelAdapter<'sms'> = {
  hook: {
    verify: (request, context) => driverOf(context).verify(request, context),
    // Twilio would send what we answer to the customer, or note an error where it is no TwiML.
    answer: () => null,
  },
  split: (body) => {
    const told = fieldsOf(body)
    for (const via of told ? smsProviders : []) {
      const piece = told && drivers[via].split(told)
      if (piece) return [{ ...piece, payload: { via, told: piece.payload } }]
    }
    return [{ key: `unknown:${fingerprint(body)}`, payload: withoutKey(told) ?? body }]
  },
  parse: (payload) => {
    const { data } = journalled.safeParse(payload)
    return data ? drivers[data.via].parse(data.told) : []
  },
  send: async (message, context) => {
    const picture = pictureOf(message, context)
    const sms = { id: message.id, phone: phoneOf(message), text: textOf(message, context), picture }
    return { providerId: await driverOf(context).send(sms, context) }
  },
  fetchMedia: async (source, context) => {
    const { url } = z.object({ url: z.url({ protocol: /^https?$/ }) }).safeParse(source).data ?? {}
    const fetched = url && (await driverOf(context).fetchMedia?.(url, context))
    if (fetched) return fetched
    throw new ChannelError('final', 'Este provedor de SMS não guarda arquivos.')
  },
  accountOf: (config) => drivers[config.provider].accountOf(config),
  connect: async (context) => {
    const driver = driverOf(context)
    await (driver.register ?? driver.check)(context)
    return {
      text: `Conectado ao SMS da ${smsProviderLabels[context.config.provider]}.`,
      // Zenvia is told by us where to call; into the others it is copied.
      config: context.config.provider === 'zenvia' ? {} : { hookKey: hookKeyOf(context.hookSecret) },
    }
  },
  check: async (context) => {
    const { credits } = await driverOf(context).check(context)
    return { problem: null, ...(credits !== undefined && { credits }) }
  },
  disconnect: async (context) => driverOf(context).disconnect?.(context),
}

const journalled = z.object({ via: z.enum(smsProviders), told: z.record(z.string(), z.unknown()) })

const phoneOf = ({ to }: Outbound): string => {
  const phone = to.find(({ kind }) => kind === 'phone')?.value
  if (!phone) throw new ChannelError('final', 'Este contato não tem telefone.', { isUnreachable: true })
  return phone
}
/** Of an MMS: the provider fetches it by itself, at most five megabytes. */
const pictureOf = ({ type, media }: Outbound, { config }: Context): string | undefined => {
  if (type === 'text') return undefined
  if (type !== 'image' || config.provider !== 'twilio' || !config.mms)
    throw new ChannelError('final', 'O SMS só leva texto.')
  if (!media) throw new ChannelError('final', 'O arquivo desta mensagem não existe mais.')
  if (!/^image\/(jpeg|png|gif)$/.test(media.mime) || media.size > 5_000_000)
    throw new ChannelError('final', 'O MMS leva fotos em JPEG, PNG ou GIF de até 5 MB.')
  const address = media.url?.()
  if (address) return address
  throw new ChannelError('final', 'O MMS só leva fotos quando a instalação tem um endereço público com HTTPS.')
}
const textOf = ({ body }: Outbound, { config }: Context) => smsText(body, config.isPlain)

/** A form comes as text. */
const fieldsOf = (body: unknown): Told | undefined => {
  if (typeof body === 'string') return body.includes('=') ? Object.fromEntries(new URLSearchParams(body)) : undefined
  return z.record(z.string(), z.unknown()).safeParse(body).data
}
/** SMSDev repeats the account's key in what it tells. */
const withoutKey = (told: Told | undefined) => {
  if (!told) return undefined
  const { key: _, ...rest } = told
  return rest
}
