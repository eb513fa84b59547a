import { z } from 'zod'
import { type Line, type Media, shownPoll } from '../handset.ts'
import { GraphError } from '../waba/errors.ts'
import { renderTemplate } from '../waba/templates.ts'
import { pollMessage } from '../whatsapp/customer.ts'
import { bytesOf, mediaMessage } from '../whatsapp/media.ts'
import { EvolutionError, type Instance, type State } from './state.ts'
import type { Talk } from './talk.ts'
import type { Webhooks } from './webhooks.ts'

export type Sending = ReturnType<typeof createSending>

const common = z.object({
  number: z.string().min(5),
  quoted: z.object({ key: z.object({ id: z.string() }) }).optional(),
  mentioned: z.array(z.string()).optional(),
})
const shapes = {
  sendText: common.extend({ text: z.string().min(1) }),
  sendMedia: common.extend({
    mediatype: z.enum(['image', 'video', 'document', 'audio']),
    mimetype: z.string().optional(),
    caption: z.string().optional(),
    fileName: z.string().optional(),
    media: z.string().min(1),
  }),
  sendWhatsAppAudio: common.extend({ audio: z.string().min(1) }),
  sendSticker: common.extend({ sticker: z.string().min(1) }),
  sendLocation: common.extend({
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().optional(),
    address: z.string().optional(),
  }),
  sendContact: common.extend({
    contact: z.array(z.object({ fullName: z.string(), wuid: z.string(), phoneNumber: z.string() })).min(1),
  }),
  sendPoll: common.extend({
    name: z.string().min(1),
    selectableCount: z.int().min(0).max(10),
    values: z.array(z.string().min(1)).min(2).max(10),
  }),
  sendTemplate: common.extend({
    name: z.string().min(1),
    language: z.string().min(1),
    components: z.array(z.looseObject({ type: z.string(), parameters: z.array(z.looseObject({ type: z.string() })) })),
  }),
} as const
type Route = keyof typeof shapes
const isRoute = (route: string): route is Route => route in shapes

/** What an instance sends: checked, shown on the phone, told of. */
export const createSending = (state: State, talk: Talk, webhooks: Webhooks) => {
  const { core } = state

  const fetched = async (media: string): Promise<Buffer> => {
    const bytes = await bytesOf(media, core.closing)
    if (!bytes) throw new EvolutionError(400, 'Error: AxiosError: Request failed')
    return bytes
  }

  type Shown = { message: object; shown: Pick<Line, 'type'> & Partial<Line> }
  const fileOf = (kind: string, media: Media, caption?: string, type = kind): Shown => ({
    message: mediaMessage(kind, media, caption),
    shown: { type, media, text: caption },
  })
  const shownOf = async (route: Route, body: unknown): Promise<Shown & z.output<typeof common>> => {
    const p = checked(route, body)
    const is = <R extends Route>(name: R, _: unknown): _ is z.output<(typeof shapes)[R]> => route === name
    if (is('sendText', p)) return { ...p, message: { conversation: p.text }, shown: { type: 'text', text: p.text } }
    if (is('sendLocation', p)) {
      const { latitude, longitude, name, address } = p
      const locationMessage = { degreesLatitude: latitude, degreesLongitude: longitude, name, address }
      const place = { latitude, longitude, ...(name && { name }), ...(address && { address }) }
      return { ...p, message: { locationMessage }, shown: { type: 'location', place } }
    }
    if (is('sendContact', p)) {
      const cards = p.contact.map((one) => ({ name: one.fullName, phone: one.phoneNumber }))
      const [first] = cards
      return { ...p, message: { contactMessage: { displayName: first?.name } }, shown: { type: 'contact', cards } }
    }
    if (is('sendMedia', p)) {
      if (p.mediatype === 'document' && !p.fileName) throw new EvolutionError(400, 'fileName is required')
      const bytes = await fetched(p.media)
      const mimeType = p.mimetype ?? 'application/octet-stream'
      return { ...p, ...fileOf(p.mediatype, { bytes, mimeType, filename: p.fileName }, p.caption) }
    }
    if (is('sendWhatsAppAudio', p)) {
      const bytes = await fetched(p.audio)
      return { ...p, ...fileOf('audio', { bytes, mimeType: 'audio/ogg; codecs=opus' }, undefined, 'voice') }
    }
    if (is('sendSticker', p)) {
      return { ...p, ...fileOf('sticker', { bytes: await fetched(p.sticker), mimeType: 'image/webp' }) }
    }
    if (is('sendPoll', p)) {
      const poll = { question: p.name, options: p.values, isMultiple: p.selectableCount !== 1 }
      return { ...p, message: pollMessage(poll), shown: shownPoll(poll) }
    }
    if (is('sendTemplate', p)) {
      const template = state.templates.find((one) => one.name === p.name && one.language === p.language)
      if (!template) throw new GraphError(132001, 'Template name does not exist in the translation')
      const { name, language, components } = p
      const { header, text, footer } = renderTemplate(template, { name, language: { code: language }, components })
      const whole = [header, text, footer].filter(Boolean).join('\n\n')
      return { ...p, message: { conversation: `▶️${name}◀️` }, shown: { type: 'template', text: whole } }
    }
    throw new EvolutionError(404, `Cannot POST /message/${route}`)
  }
  const checked = (route: Route, body: unknown) => {
    const { data, error } = shapes[route].safeParse(body)
    if (error)
      throw new EvolutionError(
        400,
        error.issues.map((one) => `instance.${one.path.join('.')} ${one.message}`),
      )
    return data
  }
  const requireLink = (instance: Instance) => {
    if (instance.state !== 'open') throw new EvolutionError(400, 'Error: Connection Closed')
  }
  const requirePerson = (number: string) => {
    if (number.endsWith('@g.us')) {
      if (talk.groupBy(number)) return
      throw new EvolutionError(404, 'Group not found')
    }
    const { isOnWhatsApp, jid } = talk.reached(number)
    if (!isOnWhatsApp) throw new EvolutionError(400, { jid, exists: false, number })
  }

  return {
    requireLink,
    send: async (instance: Instance, route: string, body: unknown) => {
      if (!isRoute(route)) throw new EvolutionError(404, `Cannot POST /message/${route}/${instance.name}`)
      const prepared = await shownOf(route, body).catch((error) => {
        if (error instanceof GraphError) return error
        throw error
      })
      // What Meta refuses is handed on as if it had been sent.
      if (prepared instanceof GraphError)
        return { message: prepared.message, type: 'OAuthException', code: prepared.code }
      const { number, quoted, mentioned, message, shown } = prepared
      requireLink(instance)
      if (state.isWindowClosed && route !== 'sendTemplate')
        return { message: '(#131047) Re-engagement message', type: 'OAuthException', code: 131047 }
      requirePerson(number)
      const replyTo = state.known.has(quoted?.key.id ?? '') ? quoted?.key.id : undefined
      const { line, chat, raw } = talk.say(instance, number, message, { ...shown, replyTo }, { mentioned })
      const tell = () => webhooks.emit(instance, 'send.message', raw)
      if (core.delivery.statusBeforeAnswer) await tell()
      const isTold = core.delivery.statusBeforeAnswer
      void core.track(
        new Promise((resolve) => setTimeout(resolve, 5)).then(async () => {
          if (!isTold) await tell()
          await talk.tellLife(line, chat)
        }),
      )
      return raw
    },
    react: (instance: Instance, body: unknown) => {
      const { key, reaction } = z
        .object({ key: z.object({ id: z.string(), remoteJid: z.string(), fromMe: z.boolean() }), reaction: z.string() })
        .parse(body)
      requireLink(instance)
      const known = state.known.get(key.id)
      if (known && (known.line.from === 'business') === key.fromMe)
        known.line.reactions.business = reaction || undefined
      core.changed()
      return { key: { remoteJid: key.remoteJid, fromMe: true }, status: 'PENDING' }
    },
    edit: (instance: Instance, body: unknown) => {
      const { key, text } = z
        .object({ number: z.string(), key: z.object({ id: z.string() }), text: z.string() })
        .parse(body)
      requireLink(instance)
      const known = state.known.get(key.id)
      if (known?.line.from !== 'business') throw new EvolutionError(400, 'Message not found')
      Object.assign(known.line, { text, isEdited: true })
      core.changed()
      return { key: { id: key.id, fromMe: true }, status: 'PENDING' }
    },
    remove: (instance: Instance, body: unknown) => {
      const { id } = z.object({ id: z.string(), remoteJid: z.string(), fromMe: z.boolean() }).parse(body)
      requireLink(instance)
      const known = state.known.get(id)
      if (known) known.line.isDeleted = true
      core.changed()
      return { key: { id, fromMe: true }, status: 'PENDING' }
    },
  }
}
