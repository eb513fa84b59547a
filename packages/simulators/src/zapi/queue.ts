import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Line, type Media, shownPoll } from '../handset.ts'
import { pollPart } from './customer.ts'
import { newId, type State, ZapiError } from './state.ts'
import type { Talk } from './talk.ts'

export type Queue = ReturnType<typeof createQueue>
const most = 1_000

const text = z.string()
const common = z.object({ phone: text.min(5), messageId: text.optional() })
const captioned = { caption: text.optional() }
const number = z.coerce.number()
const shapes = {
  text: common.extend({ message: text.min(1), mentioned: z.array(text).optional() }),
  image: common.extend({ image: text.min(1), ...captioned }),
  video: common.extend({ video: text.min(1), ...captioned }),
  audio: common.extend({ audio: text.min(1), waveform: z.boolean().optional() }),
  sticker: common.extend({ sticker: text.min(1) }),
  document: common.extend({ document: text.min(1), fileName: text.optional(), ...captioned }),
  location: common.extend({ title: text, address: text, latitude: number, longitude: number }),
  poll: common.extend({
    message: text.min(1),
    poll: z
      .array(z.object({ name: text.min(1) }))
      .min(2)
      .max(12),
    pollMaxOptions: z.int().min(1).optional(),
  }),
  contact: common.extend({ contactName: text, contactPhone: text.regex(/^\d+$/) }),
  contacts: common.extend({
    contacts: z.array(z.object({ name: text, phones: z.array(text.regex(/^\d+$/)).min(1) })).min(1),
  }),
}
export type SendKind = keyof typeof shapes
export const sendKinds = Object.keys(shapes) as SendKind[]

type Shown = Pick<Line, 'type'> & Partial<Line>
type Job = { id: string; zaapId: string; phone: string; shown: Shown; parts: object; mentioned?: string[] }

/** Messages leave one by one, and only while a phone is there; until then they wait. */
export const createQueue = (state: State, talk: Talk) => {
  const { core, instance, options } = state
  const waiting: Job[] = []
  let isRunning = false

  const process = async (job: Job) => {
    const { id, zaapId, phone, shown, parts, mentioned } = job
    const isGroup = state.groups.some((one) => one.id === phone)
    if (!isGroup && !talk.reached(phone).isOnWhatsApp) return talk.tellFailure(id, phone, zaapId)
    const line = talk.say(id, phone, shown, parts, mentioned)
    await talk.tellOwn(line, phone, parts, true)
    await talk.tellLife(line, phone, zaapId)
  }
  const run = async () => {
    if (isRunning) return
    isRunning = true
    while (instance.connected) {
      const job = waiting.shift()
      if (!job) break
      await process(job)
      if (options.queueMs) await sleep(options.queueMs, undefined, { signal: core.closing }).catch(() => undefined)
    }
    isRunning = false
  }
  const start = () => core.track(run())

  const bytesOf = async (given: string): Promise<{ bytes: Buffer; mimeType: string }> => {
    const [, mimeType = 'application/octet-stream', base64] = /^data:([^,]+);base64,(.*)$/s.exec(given) ?? []
    if (base64 !== undefined) return { bytes: Buffer.from(base64, 'base64'), mimeType }
    if (!/^https?:/.test(given)) throw new ZapiError(400, 'Base64 without its type')
    const answer = await fetch(given, { signal: AbortSignal.any([core.closing, AbortSignal.timeout(10_000)]) })
    if (!answer.ok) throw new ZapiError(400, 'Could not download the file')
    return { bytes: Buffer.from(await answer.arrayBuffer()), mimeType: answer.headers.get('content-type') ?? mimeType }
  }
  type Prepared = { shown: Shown; parts: object }
  const fileOf = async (
    name: string,
    given: string,
    caption?: string,
    more: Partial<Media> = {},
  ): Promise<Prepared> => {
    const media = { ...(await bytesOf(given)), ...more }
    return {
      shown: { type: name === 'audio' ? 'voice' : name, media, text: caption },
      parts: { [name]: { [`${name}Url`]: `${core.url}/files/sent`, mimeType: media.mimeType, caption } },
    }
  }
  const preparedOf = async (kind: SendKind, body: unknown, extension: string): Promise<Prepared> => {
    const is = <K extends SendKind>(name: K, _: unknown): _ is z.output<(typeof shapes)[K]> => kind === name
    const p: unknown = body
    if (is('text', p)) return { shown: { type: 'text', text: p.message }, parts: { text: { message: p.message } } }
    if (is('image', p)) return fileOf('image', p.image, p.caption)
    if (is('video', p)) return fileOf('video', p.video, p.caption)
    if (is('audio', p)) return fileOf('audio', p.audio)
    if (is('sticker', p)) return fileOf('sticker', p.sticker)
    if (is('document', p))
      return fileOf('document', p.document, p.caption, { filename: `${p.fileName ?? 'arquivo'}.${extension}` })
    if (is('location', p)) {
      const { latitude, longitude, title, address } = p
      const place = { latitude, longitude, ...(title && { name: title }), ...(address && { address }) }
      return { shown: { type: 'location', place }, parts: { location: { latitude, longitude, name: title, address } } }
    }
    if (is('poll', p)) {
      const poll = { question: p.message, options: p.poll.map(({ name }) => name), isMultiple: p.pollMaxOptions !== 1 }
      return { shown: shownPoll(poll), parts: { poll: pollPart(poll) } }
    }
    if (is('contact', p)) return cardsOf([{ name: p.contactName, phones: [p.contactPhone] }])
    if (is('contacts', p)) return cardsOf(p.contacts)
    throw new ZapiError(404, 'NOT_FOUND')
  }
  const cardsOf = (contacts: { name: string; phones: string[] }[]): Prepared => {
    const cards = contacts.flatMap(({ name, phones }) => phones.map((phone) => ({ name, phone: `+${phone}` })))
    const displayName = cards[0]?.name
    return { shown: { type: 'contact', cards }, parts: { contact: { displayName, vCard: `FN:${displayName}` } } }
  }

  return {
    get length() {
      return waiting.length
    },
    start,
    clear: () => void waiting.splice(0),
    /** What was accepted has left: for calls about a message that was just sent. */
    settled: async () => {
      while (isRunning || (waiting.length && instance.connected)) await sleep(1)
    },
    send: async (kind: SendKind, body: unknown, extension = 'bin') => {
      const { data, error } = shapes[kind].safeParse(body)
      if (error) throw new ZapiError(400, error.issues.map((one) => `${one.path.join('.')} ${one.message}`).join('; '))
      if (waiting.length >= most) throw new ZapiError(400, 'Queue is full')
      const { shown, parts } = await preparedOf(kind, data, extension)
      const id = newId()
      const replyTo = state.known.has(data.messageId ?? '') ? data.messageId : undefined
      const mentioned = 'mentioned' in data ? data.mentioned : undefined
      const job = { id, zaapId: newId(), phone: data.phone, shown: { ...shown, replyTo }, parts, mentioned }
      waiting.push(job)
      if (core.delivery.statusBeforeAnswer) await start()
      else void core.track(sleep(1).then(run))
      return { zaapId: job.zaapId, messageId: id, id }
    },
  }
}
