import { createHmac, randomBytes, randomInt } from 'node:crypto'
import type { Line, Media } from '../handset.ts'
import type { DeliveredWebhook, SimulatorCore, SimulatorOptions } from '../simulator.ts'
import type { PageCustomer } from './customer.ts'

export type PageOptions = SimulatorOptions & {
  appSecret: string
  verifyToken: string
  accessToken: string
  /** What Meta calls the account in what it tells: the page, or the Instagram account. */
  accountId: string
  /** The page by which an Instagram account is called, where one is linked. */
  pageId?: string
  name?: string
  username?: string
  webhookUrl?: string
}
export type PageObject = 'page' | 'instagram'

const linkLifeMs = 60 * 60_000
export const windowMs = 24 * 60 * 60_000
export const humanWindowMs = 7 * windowMs

/** What Meta knows of one account: its people, messages and files; and how it tells of them. */
export const createState = (core: SimulatorCore, object: PageObject, options: PageOptions) => {
  const files = new Map<string, { media: Media; expiresAt: number }>()
  const prefix = randomBytes(6).toString('base64url')
  let messages = 0
  const state = {
    core,
    object,
    options,
    customers: [] as PageCustomer[],
    known: new Map<string, { customer: PageCustomer; line: Line }>(),
    accessToken: options.accessToken,
    webhookUrl: options.webhookUrl,
    isSubscribed: false,
    /** What the last send of ours said of itself: `RESPONSE`, or a tag. */
    tags: [] as string[],
    /** Whose comments they are, and which were answered: once each. */
    comments: new Map<string, { customer: PageCustomer; isAnswered: boolean }>(),
  }

  const sign = (body: string, secret = options.appSecret) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

  /** One event, signed, in an envelope of its own. */
  const emit = (event: object, onAccepted?: () => void): Promise<void> =>
    tell({ time: core.now(), messaging: [{ timestamp: core.now(), ...event }] }, onAccepted)
  const tell = (what: object, onAccepted?: () => void): Promise<void> => {
    if (!state.webhookUrl) return Promise.resolve()
    const entry = { id: options.accountId, ...what }
    const body = JSON.stringify({ object, entry: [entry] })
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'facebookexternalua',
      'x-hub-signature-256': sign(body, core.delivery.badSignature ? 'wrong' : undefined),
    }
    return core.deliver({ url: state.webhookUrl, body, headers, onAccepted })
  }

  return Object.assign(state, {
    sign,
    emit,
    tell,
    newMid: () => `m_${prefix}${String(++messages).padStart(8, '0')}`,
    newPersonId: () => String(randomInt(1_000_000_000, 9_999_999_999)) + String(randomInt(100_000, 999_999)),
    /** An address that opens without a token, for a while. */
    keep: (media: Media): string => {
      const name = randomBytes(16).toString('hex')
      files.set(name, { media, expiresAt: core.now() + linkLifeMs })
      return `${core.url}/cdn/${name}`
    },
    open: (name: string): Media | undefined => {
      const file = files.get(name)
      return file && file.expiresAt > core.now() ? file.media : undefined
    },
    postRaw: async (payload: object | string, { signature }: { signature?: string | null } = {}) => {
      if (!state.webhookUrl) throw new Error('call setWebhook first')
      const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (signature !== null) headers['x-hub-signature-256'] = signature ?? sign(body)
      const log: DeliveredWebhook = { at: Date.now(), body, attempts: 1 }
      const answer = await fetch(state.webhookUrl, { method: 'POST', headers, body, redirect: 'manual' })
      await answer.arrayBuffer()
      log.status = answer.status
      core.webhooks.push(log)
      return log
    },
  })
}
export type State = ReturnType<typeof createState>
