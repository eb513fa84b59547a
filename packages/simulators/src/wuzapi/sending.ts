import { z } from 'zod'
import { type Line, type Media, shownPoll } from '../handset.ts'
import { pollMessage } from '../whatsapp/customer.ts'
import { bytesOf, mediaMessage } from '../whatsapp/media.ts'
import { newId } from '../whatsapp/people.ts'
import { type State, type User, WuzapiError } from './state.ts'
import type { Talk } from './talk.ts'

export type Sending = ReturnType<typeof createSending>

const context = z.object({
  StanzaId: z.string().optional(),
  Participant: z.string().optional(),
  MentionedJID: z.array(z.string()).optional(),
})
const common = z.object({ Phone: z.string().min(5), Id: z.string().default(''), ContextInfo: context.default({}) })
const file = { MimeType: z.string().optional(), Caption: z.string().optional() }
const shapes = {
  text: common.extend({ Body: z.string().min(1), LinkPreview: z.boolean().optional() }),
  image: common.extend({ Image: z.string().min(1), ...file }),
  video: common.extend({ Video: z.string().min(1), ...file }),
  audio: common.extend({ Audio: z.string().min(1), mimetype: z.string().optional(), ptt: z.boolean().default(true) }),
  document: common.extend({ Document: z.string().min(1), FileName: z.string().min(1), ...file }),
  sticker: common.extend({ Sticker: z.string().startsWith('data:'), ...file }),
  location: common.extend({ Latitude: z.number(), Longitude: z.number(), Name: z.string().default('') }),
  poll: z
    .object({
      Group: z.string().min(5),
      Header: z.string().min(1),
      Options: z.array(z.string().min(1)).min(2),
      Id: z.string().default(''),
      ContextInfo: context.default({}),
    })
    .transform(({ Group, ...rest }) => ({ ...rest, Phone: Group })),
  contact: common.extend({ Name: z.string().min(1), Vcard: z.string().min(1) }),
} as const
export type Route = keyof typeof shapes
export const routes = Object.keys(shapes) as Route[]
type Shown = { message: object; shown: Pick<Line, 'type'> & Partial<Line> }

/** What a user sends: checked, shown on the phone, told of. */
export const createSending = (state: State, talk: Talk) => {
  const { core } = state

  const fileOf = async (
    kind: string,
    address: string,
    mime: string | undefined,
    caption?: string,
    filename?: string,
  ) => {
    const isData = address.startsWith('data:')
    if (!isData && !/^https?:/.test(address))
      throw new WuzapiError(400, `${kind} data should start with "data:" or be a valid HTTP URL`)
    const bytes = await bytesOf(address, core.closing)
    if (!bytes?.length) throw new WuzapiError(400, `failed to fetch ${kind} from url: unexpected status code 404`)
    const mimeType = mime ?? /^data:([^,]*?)(;base64)?,/.exec(address)?.[1] ?? 'application/octet-stream'
    const media: Media = { bytes, mimeType, filename }
    return { media, message: mediaMessage(kind, media, caption) }
  }
  const shownOf: { [R in Route]: (body: z.output<(typeof shapes)[R]>) => Shown | Promise<Shown> } = {
    text: ({ Body: text }) => ({ message: { extendedTextMessage: { text } }, shown: { type: 'text', text } }),
    image: async ({ Image, MimeType, Caption: text }) => {
      const { media, message } = await fileOf('image', Image, MimeType, text)
      return { message, shown: { type: 'image', media, text } }
    },
    video: async ({ Video, MimeType, Caption: text }) => {
      const { media, message } = await fileOf('video', Video, MimeType, text)
      return { message, shown: { type: 'video', media, text } }
    },
    audio: async ({ Audio, mimetype, ptt }) => {
      const { media, message } = await fileOf('audio', Audio, mimetype)
      return { message, shown: { type: ptt ? 'voice' : 'audio', media } }
    },
    document: async ({ Document, MimeType, Caption: text, FileName }) => {
      const { media, message } = await fileOf('document', Document, MimeType, text, FileName)
      return { message, shown: { type: 'document', media, text } }
    },
    sticker: async ({ Sticker, MimeType }) => {
      const { media, message } = await fileOf('sticker', Sticker, MimeType)
      return { message, shown: { type: 'sticker', media } }
    },
    location: ({ Latitude: latitude, Longitude: longitude, Name: name }) => ({
      message: { locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name } },
      shown: { type: 'location', place: { latitude, longitude, ...(name && { name }) } },
    }),
    // It makes no other than those of one answer.
    poll: ({ Header: question, Options: options }) => {
      const poll = { question, options, isMultiple: false }
      return { message: pollMessage(poll), shown: shownPoll(poll) }
    },
    contact: ({ Name: name, Vcard: vcard }) => ({
      message: { contactMessage: { displayName: name, vcard } },
      shown: {
        type: 'contact',
        cards: [...vcard.matchAll(/^TEL[^:]*:(.*)$/gm)].map(([, phone = '']) => ({ name, phone })),
      },
    }),
  }
  const requireLink = (user: User) => {
    if (user.session === 'none') throw new WuzapiError(500, 'no session')
    if (user.session === 'away') throw new WuzapiError(500, 'error sending message: websocket not connected')
    if (user.session !== 'open')
      throw new WuzapiError(500, "error sending message: the store doesn't contain a device JID")
  }
  const requirePerson = (phone: string) => {
    if (phone.endsWith('@g.us')) {
      if (talk.groupBy(phone)) return
      throw new WuzapiError(500, 'error sending message: failed to get group members: item-not-found')
    }
    if (!talk.reached(phone).isOnWhatsApp)
      throw new WuzapiError(500, `error sending message: no LID found for ${phone} from server`)
  }
  const known = (id: string) => {
    const found = state.known.get(id)
    if (!found) throw new WuzapiError(500, 'error sending message: message not found')
    return found
  }

  return {
    requireLink,
    known,
    send: async <R extends Route>(user: User, route: R, body: unknown) => {
      const asked = shapes[route].parse(body) as z.output<(typeof shapes)[R]>
      requireLink(user)
      const { Phone, Id, ContextInfo } = asked
      const { StanzaId, Participant, MentionedJID } = ContextInfo
      if (StanzaId && !Participant) throw new WuzapiError(400, 'missing Participant in ContextInfo')
      if (Participant && !StanzaId) throw new WuzapiError(400, 'missing StanzaID in ContextInfo')
      const { message, shown } = await shownOf[route](asked)
      requirePerson(Phone)
      const id = Id || newId()
      const answer = { Details: 'Sent', Timestamp: Math.floor(core.now() / 1000), Id: id }
      // Twice the same id is one message.
      if (state.known.has(id)) return answer
      const { line, chat } = talk.say(
        Phone,
        message,
        { ...shown, id, replyTo: StanzaId },
        { mentioned: MentionedJID, trackId: Participant },
      )
      const tell = () => talk.tellLife(line, chat)
      if (core.delivery.statusBeforeAnswer) await tell()
      else void core.track(new Promise((resolve) => setTimeout(resolve, 5)).then(tell))
      return answer
    },
    react: (user: User, body: unknown) => {
      const { Id, Body } = z.object({ Phone: z.string(), Id: z.string().min(1), Body: z.string().min(1) }).parse(body)
      requireLink(user)
      known(Id.replace(/^me:/, '')).line.reactions.business = Body === 'remove' ? undefined : Body
      core.changed()
      return { Details: 'Sent', Id }
    },
    edit: (user: User, body: unknown) => {
      const { Id, Body } = z.object({ Phone: z.string(), Id: z.string().min(1), Body: z.string().min(1) }).parse(body)
      requireLink(user)
      const { line } = known(Id)
      Object.assign(line, { text: Body, isEdited: true })
      core.changed()
      return { Details: 'Sent', Id }
    },
    remove: (user: User, body: unknown) => {
      const { Id } = z.object({ Phone: z.string(), Id: z.string().min(1) }).parse(body)
      requireLink(user)
      known(Id).line.isDeleted = true
      core.changed()
      return { Details: 'Deleted', Id }
    },
  }
}
