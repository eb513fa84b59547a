import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sampleMedia } from './samples.ts'
import { startReceiver } from './test-receiver.ts'
import { startWabaSimulator, type WabaSimulator } from './waba.ts'

let now = Date.parse('2026-11-20T12:00:00Z')
let sim: WabaSimulator
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeEach(async () => {
  now = Date.parse('2026-11-20T12:00:00Z')
  receiver = await startReceiver()
  sim = await startWabaSimulator({
    appSecret: 'segredo',
    verifyToken: 'verifica',
    accessToken: 'token',
    wabaId: 'WABA1',
    phoneNumberId: 'PN1',
    displayPhoneNumber: '551130000000',
    webhookUrl: receiver.url,
    clock: () => now,
    delivery: { retryDelaysMs: [5, 10, 20] },
  })
})
afterEach(async () => {
  await sim.close()
  await receiver.close()
})

const valueShape = z.looseObject({
  metadata: z.looseObject({}).optional(),
  contacts: z.array(z.looseObject({})).optional(),
  messages: z.array(z.looseObject({ id: z.string(), type: z.string() })).optional(),
  statuses: z.array(z.looseObject({ id: z.string(), status: z.string() })).optional(),
})
const envelopeShape = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(z.object({ id: z.string(), changes: z.array(z.object({ field: z.string(), value: valueShape })) })),
})
const posts = () => receiver.received.filter(({ method }) => method === 'POST')
const values = () =>
  posts().flatMap(({ body }) =>
    envelopeShape.parse(body).entry.flatMap((entry) => entry.changes.map((change) => change.value)),
  )
const messages = () => values().flatMap((value) => value.messages ?? [])
const statuses = () => values().flatMap((value) => value.statuses ?? [])

const call = async (path: string, init: { method?: string; body?: unknown; token?: string } = {}) => {
  const isForm = init.body instanceof FormData
  const answer = await fetch(`${sim.url}/v25.0/${path}`, {
    method: init.method ?? (init.body ? 'POST' : 'GET'),
    headers: {
      authorization: `Bearer ${init.token ?? 'token'}`,
      ...(init.body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    body: init.body instanceof FormData ? init.body : init.body ? JSON.stringify(init.body) : undefined,
  })
  const body: z.infer<typeof anyAnswer> = anyAnswer.parse(await answer.json())
  return { status: answer.status, body, code: body.error?.code, id: body.messages?.[0]?.id ?? '' }
}
const anyAnswer = z.looseObject({
  id: z.string().optional(),
  url: z.string().optional(),
  error: z.looseObject({ code: z.number() }).optional(),
  messages: z.array(z.looseObject({ id: z.string() })).optional(),
  data: z.array(z.looseObject({})).optional(),
})
const send = (message: object, token?: string) =>
  call('PN1/messages', { body: { messaging_product: 'whatsapp', ...message }, token })
const text = (to: string, body = 'Olá') => send({ to, type: 'text', text: { body } })

describe('webhooks', () => {
  test('the handshake echoes the challenge', async () => {
    expect(await sim.verifyWebhook()).toMatchObject({ isVerified: true, status: 200 })
    expect(receiver.received[0]?.path).toContain('hub.mode=subscribe')
  })

  test('every post is signed over its raw bytes, or wrongly on demand', async () => {
    const ana = sim.customer({ waId: '5511988887777', name: 'Ana' })
    await ana.sendText('oi ☕')
    sim.delivery.badSignature = true
    await ana.sendText('falso')
    const [good, bad] = receiver.received
    const sign = (raw = '') => `sha256=${createHmac('sha256', 'segredo').update(raw).digest('hex')}`
    expect(good?.headers['x-hub-signature-256']).toBe(sign(good?.raw))
    expect(bad?.headers['x-hub-signature-256']).not.toBe(sign(bad?.raw))
  })

  test('a post that is not answered with 2xx comes again, until it is', async () => {
    receiver.answers.push(500, 503)
    const ana = sim.customer({ name: 'Ana' })
    await ana.sendText('oi')
    await sim.idle()
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1)
    expect(ana.transcript[0]?.state).toBe('delivered')
  })

  test('retries are bounded', async () => {
    receiver.answers.push(...Array.from({ length: 20 }, () => 500))
    await sim.customer({ name: 'Ana' }).sendText('oi')
    await sim.idle()
    expect(receiver.received).toHaveLength(4)
    expect(sim.webhooks[0]).toMatchObject({ attempts: 4, status: 500 })
  })

  test('one post may carry several messages, statuses and entries', async () => {
    const ana = sim.customer({ name: 'Ana' })
    const bia = sim.customer({ userId: 'BR.1234567890', name: 'Bia' })
    await sim.batch(() => {
      void ana.sendText('um')
      void bia.sendText('dois')
      void sim.emitStatus('wamid.desconhecido', 'read')
    })
    expect(receiver.received).toHaveLength(1)
    expect(messages().map(({ text }) => text)).toEqual([{ body: 'um' }, { body: 'dois' }])
    expect(statuses()).toMatchObject([{ id: 'wamid.desconhecido', status: 'read' }])
  })

  test('a customer known only by her BSUID shows no phone', async () => {
    await sim.customer({ userId: 'BR.1234567890', username: 'bia', name: 'Bia' }).sendText('oi')
    expect(messages()[0]).not.toHaveProperty('from')
    expect(messages()[0]).toMatchObject({ from_user_id: 'BR.1234567890' })
    expect(values()[0]?.contacts).toEqual([{ profile: { name: 'Bia', username: 'bia' }, user_id: 'BR.1234567890' }])
    expect((await send({ recipient: 'BR.1234567890', type: 'text', text: { body: 'Olá' } })).status).toBe(200)
  })

  test('a change of number has no contacts and moves the customer', async () => {
    const ana = sim.customer({ waId: '5511988887777', name: 'Ana' })
    await ana.systemNumberChange('5511955554444')
    expect(values()[0]).not.toHaveProperty('contacts')
    expect(messages()[0]).toMatchObject({
      type: 'system',
      system: { type: 'user_changed_number', wa_id: '5511955554444' },
    })
    expect(sim.customer({ waId: '5511955554444' })).toBe(ana)
  })

  test('every kind of inbound message can be sent', async () => {
    const ana = sim.customer({ name: 'Ana' })
    await ana.sendText('oi')
    await ana.sendImage()
    await ana.sendVideo()
    await ana.sendAudio()
    await ana.sendDocument()
    await ana.sendSticker()
    await ana.sendLocation({ latitude: -23.5, longitude: -46.6, name: 'Sé' })
    await ana.sendContacts([{ name: 'Bia', phone: '+55 11 97777-6666' }])
    await ana.react(ana.transcript[0]?.id ?? '', '👍')
    await ana.replyTo(ana.transcript[0]?.id ?? '', 'isso')
    await ana.buttonReply({ id: 'sim', title: 'Sim' })
    await ana.listReply({ id: 'a', title: 'A' })
    await ana.templateButton({ payload: 'OK', text: 'Ok' })
    await ana.sendOrder([{ product_retailer_id: 'p1', quantity: 1, item_price: 10, currency: 'BRL' }])
    await ana.flowReply({ nota: 5 })
    await ana.unsupported('edit')
    await ana.requestWelcome()
    expect(messages().map(({ type }) => type)).toEqual(
      'text image video audio document sticker location contacts reaction text interactive interactive button order interactive unsupported request_welcome'.split(
        ' ',
      ),
    )
    const ids = messages().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^wamid\.[A-Za-z0-9+/=]{40,}$/)
    expect(messages()[9]).toMatchObject({ context: { id: ids[0] } })
  })
})

describe('sending', () => {
  test('an accepted message is told sent, delivered and, once read, read, with our own data echoed', async () => {
    const ana = sim.customer({ waId: '5511988887777', name: 'Ana' })
    await ana.sendText('oi')
    const { status, id, body } = await send({
      to: '+5511988887777',
      type: 'text',
      text: { body: 'Olá' },
      biz_opaque_callback_data: 'msg:42',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      contacts: [{ input: '+5511988887777', wa_id: '5511988887777' }],
      messages: [{ message_status: 'accepted' }],
    })
    await sim.idle()
    await ana.read()
    await ana.read()
    expect(statuses().map(({ status }) => status)).toEqual(['sent', 'delivered', 'read'])
    expect(statuses()[0]).toMatchObject({ id, recipient_id: '5511988887777', biz_opaque_callback_data: 'msg:42' })
    expect(ana.inbox).toMatchObject([{ type: 'text', text: 'Olá', state: 'read' }])
  })

  test('statuses may be repeated, reordered, skipped, or come before the answer', async () => {
    const ana = sim.customer({ name: 'Ana' })
    ana.autoRead = true
    await ana.sendText('oi')
    sim.delivery.reorder = true
    await text(ana.id)
    await sim.idle()
    expect(statuses().map(({ status }) => status)).toEqual(['read', 'delivered', 'sent'])

    receiver.received.length = 0
    Object.assign(sim.delivery, { reorder: false, skipDelivered: true, duplicate: 1 })
    await text(ana.id)
    await sim.idle()
    expect(statuses().map(({ status }) => status)).toEqual(['sent', 'sent', 'read', 'read'])

    receiver.received.length = 0
    Object.assign(sim.delivery, { skipDelivered: false, duplicate: 0, statusBeforeAnswer: true })
    await text(ana.id)
    expect(statuses().map(({ status }) => status)).toEqual(['sent', 'delivered', 'read'])
  })

  test('the ninth digit does not make another person', async () => {
    const ana = sim.customer({ waId: '551188887777', name: 'Ana' })
    await ana.sendText('oi')
    expect((await text('5511988887777')).body).toMatchObject({ contacts: [{ wa_id: '551188887777' }] })
  })

  test('free text is refused outside the 24 h window, by answer or by status', async () => {
    const ana = sim.customer({ name: 'Ana' })
    expect((await text(ana.id)).code).toBe(131047)
    await ana.sendText('oi')
    now += 24 * 3_600_000 - 1
    expect((await text(ana.id)).status).toBe(200)
    now += 1
    expect(await text(ana.id)).toMatchObject({ status: 400, code: 131047 })
    sim.policy.errorsBy = 'status'
    expect((await text(ana.id)).status).toBe(200)
    await sim.idle()
    expect(statuses().at(-1)).toMatchObject({ status: 'failed', errors: [{ code: 131047 }] })
    expect(values().at(-1)).not.toHaveProperty('contacts')
  })

  test.each([
    [{ to: '5511988887777', type: 'poll', poll: {} }, 131051],
    [{ to: '5511988887777', type: 'text' }, 131008],
    [{ type: 'text', text: { body: 'a' } }, 131008],
    [{ to: '5511988887777', type: 'text', text: { body: 'a'.repeat(4097) } }, 131009],
    [{ to: 'ana', type: 'text', text: { body: 'a' } }, 131009],
    [{ to: '551130000000', type: 'text', text: { body: 'a' } }, 131021],
    [{ to: '5511988887777', type: 'image', image: { id: '404' } }, 131009],
    [{ to: '5511988887777', type: 'image', image: {} }, 131009],
    [{ to: '5511988887777', type: 'template', template: { name: 'nada', language: { code: 'pt_BR' } } }, 132001],
    [
      {
        to: '5511988887777',
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'a' },
          action: { buttons: [1, 2, 3, 4].map((n) => ({ type: 'reply', reply: { id: `${n}`, title: `${n}` } })) },
        },
      },
      131009,
    ],
  ])('%o is refused with %i', async (message, code) => {
    const answer = await send(message)
    expect(answer.code).toBe(code)
    expect(answer.body.error).toMatchObject({ type: 'OAuthException', error_data: { messaging_product: 'whatsapp' } })
  })

  test('a wrong token is 190, a foreign object is 100/33', async () => {
    expect(await send({ to: '5511988887777', type: 'text', text: { body: 'a' } }, 'outro')).toMatchObject({
      status: 401,
      code: 190,
    })
    expect((await call('PN2/messages', { body: {} })).body.error).toMatchObject({ code: 100, error_subcode: 33 })
  })

  test('throughput and pair rate refuse when switched on', async () => {
    const ana = sim.customer({ name: 'Ana' })
    await ana.sendText('oi')
    sim.policy.pairRateMs = 6_000
    expect((await text(ana.id)).status).toBe(200)
    expect(await text(ana.id)).toMatchObject({ status: 429, code: 131056 })
    now += 6_000
    sim.policy.perSecond = 1
    expect((await text(ana.id)).status).toBe(200)
    expect(await text(ana.id)).toMatchObject({ status: 429, code: 130429 })
  })

  test('a number without WhatsApp fails later with 131026', async () => {
    const gone = sim.customer({ name: 'Caio', isOnWhatsApp: false })
    gone.lastInboundAt = now
    expect((await text(gone.id)).status).toBe(200)
    await sim.idle()
    expect(statuses()).toMatchObject([{ status: 'failed', errors: [{ code: 131026 }] }])
    expect(gone.inbox).toEqual([])
  })

  test('interactive messages show buttons, and pressing one answers with its id', async () => {
    const ana = sim.customer({ name: 'Ana' })
    await ana.sendText('oi')
    const { id } = await send({
      to: ana.id,
      type: 'interactive',
      interactive: {
        type: 'button',
        body: { text: 'Confirma?' },
        action: { buttons: [{ type: 'reply', reply: { id: 'sim', title: 'Sim' } }] },
      },
    })
    await sim.idle()
    await ana.press(id, 'sim')
    expect(messages().at(-1)).toMatchObject({
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'sim', title: 'Sim' } },
      context: { id, from: '551130000000' },
    })
  })

  test('marking as read ticks the customer and shows typing', async () => {
    const ana = sim.customer({ name: 'Ana' })
    const id = await ana.sendText('oi')
    const answer = await send({ status: 'read', message_id: id, typing_indicator: { type: 'text' } })
    expect(answer.body).toEqual({ success: true })
    expect(ana.transcript[0]?.state).toBe('read')
    expect(ana.isBusinessTyping).toBe(true)
    await text(ana.id)
    await sim.idle()
    expect(ana.isBusinessTyping).toBe(false)
    expect((await send({ status: 'read', message_id: 'wamid.x' })).code).toBe(131009)
  })
})

describe('media', () => {
  test('inbound media is fetched in two steps with the token, by a link that dies in five minutes', async () => {
    const file = sampleMedia('image')
    await sim.customer({ name: 'Ana' }).sendImage(file, 'veja')
    const image = z.object({ id: z.string(), sha256: z.string() }).parse(messages()[0]?.image)
    const meta = await call(`${image.id}?phone_number_id=PN1`)
    expect(meta.body).toMatchObject({ mime_type: 'image/jpeg', sha256: image.sha256, file_size: file.bytes.length })
    const link = meta.body.url ?? ''
    expect((await fetch(link)).status).toBe(401)
    const answer = await fetch(link, { headers: { authorization: 'Bearer token' } })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(file.bytes)
    now += 5 * 60_000
    expect((await fetch(link, { headers: { authorization: 'Bearer token' } })).status).toBe(404)
    expect((await call(image.id, { method: 'DELETE' })).body).toEqual({ success: true })
    expect((await call(image.id)).code).toBe(100)
  })

  test('an upload can be sent, and the phone has its bytes', async () => {
    const { bytes } = sampleMedia('document')
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('type', 'application/pdf')
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'nota.pdf')
    const { body } = await call('PN1/media', { body: form })
    const ana = sim.customer({ name: 'Ana' })
    await ana.sendText('oi')
    await send({
      to: ana.id,
      type: 'document',
      document: { id: body.id, filename: 'nota fiscal.pdf', caption: 'Segue' },
    })
    await sim.idle()
    expect(ana.inbox[0]).toMatchObject({
      type: 'document',
      text: 'Segue',
      media: { bytes, filename: 'nota fiscal.pdf' },
    })
  })

  test('uploads of wrong type or size are refused', async () => {
    const upload = (type: string, size: number) => {
      const form = new FormData()
      form.set('messaging_product', 'whatsapp')
      form.set('file', new Blob([new Uint8Array(size)], { type }), 'x')
      return call('PN1/media', { body: form })
    }
    expect((await upload('application/zip', 10)).code).toBe(100)
    expect((await upload('image/png', 5 * 1024 * 1024 + 1)).code).toBe(131053)
    expect((await upload('image/png', 0)).code).toBe(131053)
  })

  test('a link is fetched; a dead one fails the message with 131053', async () => {
    const ana = sim.customer({ name: 'Ana' })
    await ana.sendText('oi')
    await send({ to: ana.id, type: 'image', image: { link: `${receiver.url}/x.png` } })
    await sim.idle()
    expect(statuses()).toMatchObject([{ status: 'failed', errors: [{ code: 131053 }] }])
  })
})

describe('templates', () => {
  const pedido = {
    name: 'pedido_enviado',
    language: 'pt_BR',
    category: 'UTILITY' as const,
    parameter_format: 'NAMED' as const,
    components: [
      {
        type: 'HEADER' as const,
        format: 'TEXT' as const,
        text: 'Pedido {{numero}}',
        example: { header_text_named_params: [] },
      },
      { type: 'BODY' as const, text: 'Oi {{nome}}, saiu.', example: { body_text_named_params: [] } },
      { type: 'BUTTONS' as const, buttons: [{ type: 'QUICK_REPLY' as const, text: 'Ok' }] },
    ],
  }
  const use = (nome: object[]) => ({
    to: '5511988887777',
    type: 'template',
    template: {
      name: 'pedido_enviado',
      language: { code: 'pt_BR' },
      components: [
        { type: 'header', parameters: [{ type: 'text', parameter_name: 'numero', text: '123' }] },
        { type: 'body', parameters: nome },
      ],
    },
  })

  test('a new template is reviewed, told by webhook, and only then usable', async () => {
    sim.policy.reviewAfterMs = undefined
    const made = await call('WABA1/message_templates', { body: pedido })
    expect(made.body).toMatchObject({ status: 'PENDING', category: 'UTILITY' })
    const named = [{ type: 'text', parameter_name: 'nome', text: 'Ana' }]
    expect((await send(use(named))).code).toBe(132001)
    await sim.reviewTemplate('pedido_enviado', 'APPROVED')
    expect(receiver.received.at(-1)?.body).toMatchObject({
      entry: [{ changes: [{ field: 'message_template_status_update', value: { event: 'APPROVED' } }] }],
    })
    expect((await send(use(named))).status).toBe(200)
    await sim.idle()
    expect(sim.customer({ waId: '5511988887777' }).inbox[0]).toMatchObject({
      header: 'Pedido 123',
      text: 'Oi Ana, saiu.',
    })
    const list = await call('WABA1/message_templates?fields=name,status&limit=1')
    expect(list.body.data).toEqual([{ id: made.body.id, name: 'pedido_enviado', status: 'APPROVED' }])
  })

  test('parameters must fit', async () => {
    sim.addTemplate(pedido)
    expect((await send(use([]))).code).toBe(132000)
    expect((await send(use([{ type: 'text', text: 'Ana' }]))).code).toBe(132012)
    expect((await call('WABA1/message_templates', { body: pedido })).code).toBe(100)
  })

  test('who stopped marketing gets none', async () => {
    sim.addTemplate({ ...pedido, name: 'promo', category: 'MARKETING', components: [{ type: 'BODY', text: 'Oferta' }] })
    const ana = sim.customer({ waId: '5511988887777', name: 'Ana' })
    await ana.stopMarketing()
    const promo = { to: ana.id, type: 'template', template: { name: 'promo', language: { code: 'pt_BR' } } }
    expect((await send(promo)).code).toBe(131050)
    await ana.resumeMarketing()
    expect((await send(promo)).status).toBe(200)
  })
})

describe('faults', () => {
  test('a fault hits the next matching requests, then it is over', async () => {
    const ana = sim.customer({ name: 'Ana' })
    await ana.sendText('oi')
    sim.faults.next({ status: 500, body: { error: { code: 131000 } }, times: 2, match: '/messages' })
    expect((await call('PN1')).status).toBe(200)
    expect((await text(ana.id)).code).toBe(131000)
    expect((await text(ana.id)).code).toBe(131000)
    expect((await text(ana.id)).status).toBe(200)
    expect(sim.requests.map(({ status }) => status)).toEqual([200, 500, 500, 200])
    await sim.idle()
    expect(ana.inbox).toHaveLength(1)
  })

  test('afterAccepting records the message and cuts the connection', async () => {
    const ana = sim.customer({ name: 'Ana' })
    await ana.sendText('oi')
    sim.faults.next({ afterAccepting: true })
    await expect(text(ana.id)).rejects.toThrow()
    sim.faults.next({ afterAccepting: true, status: 502, body: { error: { code: 1 } } })
    expect((await text(ana.id)).status).toBe(502)
    sim.faults.next({ drop: true })
    await expect(text(ana.id)).rejects.toThrow()
    await sim.idle()
    expect(ana.inbox).toHaveLength(2)
    expect(statuses().filter(({ status }) => status === 'delivered')).toHaveLength(2)
  })
})

test('the account can be read and subscribed', async () => {
  expect((await call('PN1?fields=display_phone_number,quality_rating')).body).toEqual({
    id: 'PN1',
    display_phone_number: '551130000000',
    quality_rating: 'GREEN',
  })
  expect((await call('WABA1/phone_numbers')).body.data).toHaveLength(1)
  expect((await call('WABA1/subscribed_apps', { method: 'POST' })).body).toEqual({ success: true })
  expect((await call('WABA1/subscribed_apps')).body.data).toHaveLength(1)
  expect(sim.isSubscribed).toBe(true)
})

test('a receiver that never answers is given up and tried again', async () => {
  const held = new Set<Socket>()
  let calls = 0
  const silent = createServer((_req, res) => {
    calls++
    if (calls > 1) res.end('ok')
  })
  silent.on('connection', (socket: Socket) => held.add(socket))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  sim.setWebhook(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
  sim.delivery.timeoutMs = 60
  await sim.customer({ name: 'Ana' }).sendText('oi')
  await sim.idle()
  expect(sim.webhooks[0]).toMatchObject({ attempts: 2, status: 200 })
  for (const socket of held) socket.destroy()
  silent.close()
})
