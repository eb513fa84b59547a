import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'

/** A browser that subscribed: its keys, and what it was pushed. */
type Browser = { keys: ECDH; auth: Buffer; isGone: boolean }
export type ReceivedPush = {
  endpoint: string
  /** What the service worker would read. */
  payload: unknown
  ttl: number
  urgency: string
  topic: string | undefined
  /** Whom the sender says it is, and by which key. */
  subject: string
  publicKey: string
}
export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

export type PushSimulator = Simulator & {
  /** A browser subscribes. */
  subscribe(): Subscription
  /** Newest last: of the same topic, all of them. */
  readonly pushes: ReceivedPush[]
  /** The person took the permission back: 410 from now on. */
  expire(subscription: Subscription): void
}

/**
 * A push service and the browsers behind it (RFC 8030): asks for a TTL, checks the sender's signature (RFC 8292) and
 * opens what only the browser can read (RFC 8291).
 */
export async function startPushSimulator(options: SimulatorOptions = {}): Promise<PushSimulator> {
  const core = await createSimulator(options)
  const browsers = new Map<string, Browser>()
  const pushes: ReceivedPush[] = []
  addRoutes(core.app, { browsers, pushes, urlOf: (id) => `${core.url}/push/${id}`, origin: () => core.url })
  await core.listen()
  return Object.assign(core, {
    pushes,
    subscribe: () => {
      const id = randomBytes(24).toString('base64url')
      const keys = createECDH('prime256v1')
      const p256dh = keys.generateKeys('base64url')
      const auth = randomBytes(16)
      browsers.set(id, { keys, auth, isGone: false })
      return { endpoint: `${core.url}/push/${id}`, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    expire: ({ endpoint }: Subscription) => {
      const browser = browsers.get(endpoint.split('/').at(-1) ?? '')
      if (browser) browser.isGone = true
    },
  })
}

type House = {
  browsers: Map<string, Browser>
  pushes: ReceivedPush[]
  urlOf: (id: string) => string
  origin: () => string
}

const addRoutes = (app: FastifyInstance, { browsers, pushes, urlOf, origin }: House) => {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_req, body, done) => done(null, body))
  app.post<{ Params: { id: string } }>('/push/:id', async (request, reply) => {
    const { headers, params, body } = request
    const browser = browsers.get(params.id)
    if (!browser) return reply.code(404).send()
    if (browser.isGone) return reply.code(410).send()
    const ttl = Number(headers.ttl)
    if (!Number.isInteger(ttl)) return reply.code(400).send({ message: 'TTL missing' })
    if (!Buffer.isBuffer(body) || headers['content-encoding'] !== 'aes128gcm') return reply.code(400).send()
    if (body.length > 4_096) return reply.code(413).send()
    const sender = readSender(headers.authorization ?? '', origin())
    if (!sender) return reply.code(403).send({ message: 'VAPID refused' })
    const topic = headers.topic === undefined ? undefined : String(headers.topic)
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) return reply.code(400).send({ message: 'Topic' })
    pushes.push({
      endpoint: urlOf(params.id),
      payload: JSON.parse(decrypt(body, browser).toString('utf8')),
      ttl,
      urgency: String(headers.urgency ?? 'normal'),
      topic,
      ...sender,
    })
    return reply
      .code(201)
      .header('location', `${origin()}/message/${randomBytes(8).toString('hex')}`)
      .send()
  })
}

/** `vapid t=<JWT>, k=<key>`: signed by that key, for this service, for a day at most. */
const readSender = (authorization: string, audience: string) => {
  const [, token = '', publicKey = ''] = /^vapid t=([^,\s]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (!signature) return undefined
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== 65) return undefined
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const { alg } = parse(head)
  const { aud, exp, sub } = parse(claims)
  const lifeS = Number(exp) - Date.now() / 1_000
  if (!isSigned || alg !== 'ES256' || aud !== audience || !(lifeS > 0 && lifeS <= 24 * 60 * 60)) return undefined
  if (!/^(mailto:.+@.+|https:\/\/.+)/.test(String(sub))) return undefined
  return { subject: String(sub), publicKey }
}
const parse = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

/** aes128gcm with one record: salt, record size, the sender's key, then the text with its delimiter and the tag. */
const decrypt = (body: Buffer, { keys, auth }: Browser): Buffer => {
  const salt = body.subarray(0, 16)
  const keyLength = body[20] ?? 0
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey])
  const secret = derive(keys.computeSecret(senderKey), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2))
}
const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))
