import { z } from 'zod'
import { type Line, type Media, shownPoll } from '../handset.ts'
import { pollMessage } from '../whatsapp/customer.ts'
import { bytesOf, mediaMessage } from '../whatsapp/media.ts'
import { type Instance, type State, UazapiError } from './state.ts'
import type { Talk } from './talk.ts'

export type Sending = ReturnType<typeof createSending>

const common = z.object({
  number: z.string().min(5),
  replyid: z.string().optional(),
  mentions: z.string().optional(),
  track_id: z.string().default(''),
  track_source: z.string().default(''),
})
const shapes = {
  text: common.extend({ text: z.string().min(1) }),
  media: common.extend({
    type: z.enum(['image', 'video', 'document', 'audio', 'myaudio', 'ptt', 'sticker']),
    file: z.string().min(1),
    text: z.string().optional(),
    docName: z.string().optional(),
  }),
  menu: common.extend({
    type: z.literal('poll'),
    text: z.string().min(1),
    choices: z.array(z.string().min(1)).min(2).max(12),
    selectableCount: z.int().min(0).default(1),
  }),
  contact: common.extend({ fullName: z.string().min(1), phoneNumber: z.string().min(5) }),
  location: common.extend({
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().optional(),
    address: z.string().optional(),
  }),
} as const
type Route = keyof typeof shapes
type Shown = { message: object; shown: Pick<Line, 'type'> & Partial<Line> }

/** What an instance sends: checked, shown on the phone, told of. */
export const createSending = (state: State, talk: Talk) => {
  const { core } = state

  const mediaOf = async ({ type, file, text, docName }: z.output<typeof shapes.media>): Promise<Shown> => {
    const bytes = await bytesOf(file, core.closing)
    if (!bytes?.length) throw new UazapiError(400, 'Invalid media type or file format')
    const isVoice = type === 'ptt' || type === 'myaudio'
    const kind = isVoice ? 'audio' : type
    const mimeType = isVoice ? 'audio/ogg; codecs=opus' : (usual[kind] ?? 'application/octet-stream')
    const media: Media = { bytes, mimeType, filename: docName }
    return { message: mediaMessage(kind, media, text), shown: { type: isVoice ? 'voice' : kind, media, text } }
  }
  const shownOf: { [R in Route]: (body: z.output<(typeof shapes)[R]>) => Shown | Promise<Shown> } = {
    text: ({ text }) => ({ message: { extendedTextMessage: { text } }, shown: { type: 'text', text } }),
    media: mediaOf,
    menu: ({ text: question, choices: options, selectableCount }) => {
      const poll = { question, options, isMultiple: selectableCount !== 1 }
      return { message: pollMessage(poll), shown: shownPoll(poll) }
    },
    contact: ({ fullName, phoneNumber }) => ({
      message: { contactMessage: { displayName: fullName, vcard: `BEGIN:VCARD\nFN:${fullName}\nEND:VCARD` } },
      shown: {
        type: 'contact',
        cards: phoneNumber.split(',').map((phone) => ({ name: fullName, phone: `+${phone}` })),
      },
    }),
    location: ({ latitude, longitude, name, address }) => ({
      message: { locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name, address } },
      shown: {
        type: 'location',
        place: { latitude, longitude, ...(name && { name }), ...(address && { address }) },
      },
    }),
  }
  const requireLink = (instance: Instance) => {
    if (instance.status !== 'connected') throw new UazapiError(401, 'No session')
  }
  const requirePerson = (number: string) => {
    if (number.endsWith('@g.us')) {
      if (talk.groupBy(number)) return
      throw new UazapiError(500, 'error sending message: group not found')
    }
    const { isOnWhatsApp, jid } = talk.reached(number)
    if (!isOnWhatsApp) throw new UazapiError(500, `the number ${jid} is not on WhatsApp`)
  }
  const known = (id: unknown) => {
    const found = state.known.get(String(id).split(':').at(-1) ?? '')
    if (!found) throw new UazapiError(404, 'Message not found')
    return found
  }

  return {
    requireLink,
    known,
    send: async <R extends Route>(instance: Instance, route: R, body: unknown) => {
      const asked = shapes[route].parse(body) as z.output<(typeof shapes)[R]>
      requireLink(instance)
      const { message, shown } = await shownOf[route](asked)
      const { number, replyid = '', mentions, track_id, track_source } = asked
      requirePerson(number)
      const replyTo = state.known.has(replyid) ? replyid : undefined
      const mentioned = mentions?.split(',')
      const { line, chat, customer, group } = talk.say(
        number,
        message,
        { ...shown, replyTo },
        { mentioned, trackId: track_id },
      )
      const told = {
        id: line.id,
        chat,
        chatlid: group ? undefined : `${customer.lid}@lid`,
        fromMe: true,
        group,
        more: { wasSentByApi: true, track_id, track_source, quoted: replyTo ?? '' },
      }
      const answer = talk.messageOf(instance, message, told)
      const tell = () => talk.emit(instance, answer)
      const isTold = core.delivery.statusBeforeAnswer
      if (isTold) await tell()
      void core.track(
        new Promise((resolve) => setTimeout(resolve, 5)).then(async () => {
          if (!isTold) await tell()
          await talk.tellLife(line, chat)
        }),
      )
      return { ...answer, status: 'Pending', response: { status: 'success' } }
    },
    react: (instance: Instance, body: unknown) => {
      const { id, text } = z.object({ number: z.string(), id: z.string(), text: z.string() }).parse(body)
      requireLink(instance)
      known(id).line.reactions.business = text || undefined
      core.changed()
      return { messageid: id, messageType: 'reaction', status: 'Pending' }
    },
    edit: (instance: Instance, body: unknown) => {
      const { id, text } = z.object({ id: z.string(), text: z.string().min(1) }).parse(body)
      requireLink(instance)
      const { line } = known(id)
      if (line.from !== 'business') throw new UazapiError(404, 'Message not found')
      Object.assign(line, { text, isEdited: true })
      core.changed()
      return { messageid: id, messageType: 'text', status: 'Pending' }
    },
    remove: (instance: Instance, body: unknown) => {
      const { id } = z.object({ id: z.string() }).parse(body)
      requireLink(instance)
      known(id).line.isDeleted = true
      core.changed()
      return { id, timestamp: new Date(core.now()).toISOString() }
    },
  }
}

const usual: Record<string, string> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  sticker: 'image/webp',
  document: 'application/pdf',
}
