import type { Capability } from '@balcao/contract/channels/abilities.ts'
import '../../test/kit.ts' // an environment of its own, before anything reads it
import {
  abilitiesOf,
  type ChannelConfig,
  type ChannelKind,
  channels,
  secretFields,
} from '@balcao/contract/channels/index.ts'
import type { SentTemplate } from '@balcao/contract/channels/templates.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { fixturesOf } from '@balcao/simulators/fixtures.ts'
import type { HandsetCustomer, Line } from '@balcao/simulators/handset.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import type { Fault, Simulator } from '@balcao/simulators/simulator.ts'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../kit/egress.ts'
import { type ChannelAdapter, type ChannelContext, ChannelError, type InboundEvent, type Outbound } from './adapter.ts'
import { startReceiver } from './conformance.receiver.ts'

type Expected = Partial<Pick<ChannelError, 'outcome' | 'retryAfterMs' | 'isUnreachable' | 'isConnectionBroken'>>

/** One provider as the suite needs it: its simulator, one customer who has written, and what its sheet says. */
export type Harness<K extends ChannelKind> = {
  kind: K & ('waba' | 'telegram')
  adapter: ChannelAdapter<K>
  simulator: Simulator
  config: ChannelConfig<K>
  hookSecret: string
  customer: HandsetCustomer
  to: Identity[]
  /** The provider registers our address itself, or is told it here. */
  listen: (webhookUrl: string) => void
  providerIdOf: (line: Pick<Line, 'id'>) => string
  /** Posts a body with the right signature, none, or another. */
  post: (body: string, signature: 'right' | 'missing' | 'wrong') => Promise<number | undefined>
  /** Where the signature covers the body: the headers that sign it. */
  sign?: (body: string) => Record<string, string>
  /** What each recorded payload must become: `describeEvents` of its events, piece by piece. */
  fixtures: Record<string, string>
  isSend: (request: { method: string; path: string; body: unknown }) => boolean
  /** An approved template of this account with values, and the text a customer reads of it. */
  template?: SentTemplate & { shown: string }
  /** Refusals in the provider's own words. */
  refusals: [name: string, fault: Fault, expected: Expected][]
  revoke: () => () => void
}

const uncertain = { outcome: 'uncertain', isUnreachable: false, isConnectionBroken: false } as const
const silences: [name: string, fault: Fault, expected: Expected][] = [
  ['the connection is cut before it accepts', { drop: true }, uncertain],
  ['it accepts and then says nothing', { afterAccepting: true }, uncertain],
  ['it accepts and then fails with 500', { afterAccepting: true, status: 500 }, uncertain],
  ['a gateway answers 502', { status: 502, body: 'Bad Gateway' }, uncertain],
  ['a gateway answers 504', { status: 504, body: 'Gateway Timeout' }, uncertain],
  ['a gateway answers 503', { status: 503, body: 'Service Unavailable' }, { outcome: 'retry' }],
  ['503 says when', { status: 503, headers: { 'retry-after': '7' } }, { outcome: 'retry', retryAfterMs: 7_000 }],
  ['429 says when', { status: 429, headers: { 'retry-after': '9' } }, { outcome: 'retry', retryAfterMs: 9_000 }],
  ['200 is not JSON', { status: 200, body: '<html>Ok</html>' }, uncertain],
  ['200 is cut in the middle', { status: 200, body: '{"messages":[{"id":"wam' }, uncertain],
  ['200 says nothing', { status: 200, body: {} }, uncertain],
  ['it takes longer than we wait', { delayMs: 500 }, uncertain],
]

const messageTypes = ['text', 'image', 'audio', 'video', 'document', 'sticker', 'location', 'contact'] as const
const fileTypes = ['image', 'audio', 'video', 'document', 'sticker'] as const

/** Everything an adapter promises, over real HTTP, against the simulator of its provider. */
export const conforms = <K extends ChannelKind>(name: string, start: () => Promise<Harness<K>>) =>
  describe(name, async () => {
    const it = await start()
    const { adapter, simulator, customer, to } = it
    const receiver = await startReceiver(adapter)
    const egress = createEgress({ allow: ['127.0.0.1'] })
    const { http } = egress
    let patienceMs = 5_000
    const context: ChannelContext<K> = {
      tenantId: 1,
      connectionId: v7(),
      config: it.config,
      hookSecret: it.hookSecret,
      webhookUrl: receiver.url,
      egress,
      http: (url, request) => http(url, { ...request, timeoutMs: Math.min(request?.timeoutMs ?? 20_000, patienceMs) }),
    }
    receiver.use(context)
    it.listen(receiver.url)
    afterAll(async () => {
      await simulator.close()
      await receiver.close()
    })
    beforeEach(async () => {
      patienceMs = 5_000
      simulator.faults.clear()
      Object.assign(simulator.delivery, { duplicate: 0, reorder: false })
      await simulator.idle()
      receiver.clear()
    })

    const { supports }: { supports: readonly Capability[] } = abilitiesOf(it.kind, it.config)
    const can = (capability: Capability) => supports.includes(capability)
    const outbound = (more: Partial<Outbound>): Outbound => ({
      id: v7(),
      to,
      type: 'text',
      body: '',
      media: null,
      location: null,
      contacts: [],
      quotedProviderId: null,
      ...more,
    })
    const send = (more: Partial<Outbound>) => adapter.send(outbound(more), context)
    const file = (kind: (typeof fileTypes)[number]) => {
      const { bytes, mimeType, filename } = sampleMedia(kind)
      return {
        bytes,
        media: { name: filename ?? `arquivo.${kind}`, mime: mimeType, size: bytes.length, bytes: async () => bytes },
      }
    }
    const seen = async () => {
      await simulator.idle()
      return customer.inbox.at(-1)
    }
    const written = () => receiver.events().filter((event) => event.kind === 'message')
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => expect.fail('it should have been refused'),
        (error) => error,
      )

    test('connecting registers what must be registered and names the account', async () => {
      const account = adapter.accountOf?.(it.config)
      expect(account?.id).toMatch(/^\d+$/)
      expect(channels[it.kind].config.shape).toHaveProperty(account?.field ?? '')
      const { text } = await adapter.connect(context)
      expect(text).toMatch(/^Conectado a/)
    })

    describe('signatures', () => {
      const body = JSON.stringify(fixturesOf(it.kind).find((one) => one.name === 'text')?.payload)
      test('a signed call is stored', async () => {
        expect(await it.post(body, 'right')).toBe(200)
        expect(receiver.journal.size).toBe(1)
      })
      test.each(['missing', 'wrong'] as const)('a %s signature is refused and nothing is stored', async (signature) => {
        expect(await it.post(body, signature)).toBe(401)
        expect(receiver.journal.size).toBe(0)
      })
      when(it.sign !== undefined)('one changed byte is refused', () => {
        const raw = { method: 'POST', query: {}, body: undefined }
        const headers = it.sign?.(body) ?? {}
        expect(adapter.hook?.verify({ ...raw, headers, rawBody: Buffer.from(body) }, context)).toBe(true)
        for (const at of [0, 20, body.length - 1]) {
          const rawBody = Buffer.from(body)
          rawBody[at] = (rawBody[at] ?? 0) ^ 1
          expect(adapter.hook?.verify({ ...raw, headers, rawBody }, context)).toBe(false)
        }
      })
    })

    describe('what comes in', () => {
      test.each(fixturesOf(it.kind))('$name', async ({ name: fixture, payload }) => {
        expect(await it.post(JSON.stringify(payload), 'right')).toBe(200)
        const pieces = [...receiver.journal.values()].map((piece) => describeEvents(piece.events))
        expect(pieces.join(' | ')).toBe(it.fixtures[fixture])
      })

      test('the same event again, and at the same instant, has the same key', async () => {
        simulator.delivery.duplicate = 4
        await customer.sendText('uma vez só')
        await simulator.idle()
        expect(receiver.calls).toHaveLength(5)
        expect(receiver.journal.size).toBe(1)
        expect(written()).toMatchObject([{ content: { body: 'uma vez só' } }])
      })

      test('out of order, each event is understood alone and carries its time', async () => {
        simulator.delivery.reorder = true
        await Promise.all(['um', 'dois', 'três'].map((text) => customer.sendText(text)))
        await simulator.idle()
        const texts = written().map((event) => event.content.body)
        expect(texts.toSorted()).toEqual(['dois', 'três', 'um'])
        expect(new Set(written().map((event) => event.providerId)).size).toBe(3)
        for (const event of written()) expect(Math.abs(Date.now() - event.timestamp.getTime())).toBeLessThan(10_000)
      })

      test('a quoted message is named', async () => {
        const first = await customer.sendText('primeira')
        await customer.sendText('resposta', { replyTo: first })
        expect(written().at(-1)).toMatchObject({ quotedProviderId: it.providerIdOf({ id: first }) })
      })

      test('a reaction names its message, and is taken back', async () => {
        const { providerId } = await send({ body: 'gostou?' })
        const line = await seen()
        for (const emoji of ['👍', '']) await customer.react(line?.id ?? '', emoji)
        await simulator.idle()
        expect(receiver.events().filter((event) => event.kind === 'reaction')).toMatchObject([
          { targetProviderId: providerId, emoji: '👍', fromMe: false },
          { targetProviderId: providerId, emoji: null },
        ])
      })

      test.each([...fileTypes, 'voice'] as const)('a received %s is brought home byte by byte', async (kind) => {
        const media = sampleMedia(kind)
        await customer.sendMedia(kind, media)
        const event = written().at(-1)
        const source = event?.content.media?.source
        expect(event?.content.type).toBe(kind === 'voice' ? 'audio' : kind)
        const stored: Record<string, unknown> = JSON.parse(JSON.stringify(source))
        const fetched = await adapter.fetchMedia?.(stored, context)
        expect(fetched?.bytes.equals(media.bytes)).toBe(true)
      })

      test('a file the provider no longer has is a refusal in Portuguese, and no fault of the connection', async () => {
        for (const source of [{ id: '404404', fileId: 'nada' }, {}, { id: 'http://127.0.0.1:9/x', fileId: '../x' }]) {
          const error = await failure(adapter.fetchMedia?.(source, context) ?? Promise.resolve())
          expect(error).toBeInstanceOf(ChannelError)
          expect(error).toMatchObject({ outcome: 'final', isConnectionBroken: false })
        }
      })

      test('no secret gets into the journal', async () => {
        for (const { payload } of fixturesOf(it.kind)) await it.post(JSON.stringify(payload), 'right')
        const stored = JSON.stringify([...receiver.journal.values()])
        for (const secret of secretsOf(it)) expect(stored).not.toContain(secret)
      })

      test('parse and split take any JSON without a throw, change nothing and say the same twice', () => {
        const known = fixturesOf(it.kind).flatMap(({ payload }) => [
          payload,
          ...adapter.split(payload).map((piece) => piece.payload),
        ])
        const broken = fc
          .tuple(fc.constantFrom(...known), fc.nat(), fc.jsonValue())
          .map(([payload, at, value]) => withOneChanged(payload, at, value))
        fc.assert(
          fc.property(fc.oneof(fc.jsonValue(), broken), (payload) => {
            const before = JSON.stringify(payload)
            const pieces = adapter.split(payload)
            expect(adapter.split(payload)).toEqual(pieces)
            for (const one of [payload, ...pieces.map((piece) => piece.payload)]) {
              const events = adapter.parse(one)
              expect(events.map(({ kind }) => kind)).toEqual(adapter.parse(one).map(({ kind }) => kind))
              for (const moment of events.flatMap(momentsOf)) expect(moment.getTime()).not.toBeNaN()
            }
            expect(pieces.every(({ key }) => key.length > 0 && key.length <= 500)).toBe(true)
            expect(JSON.stringify(payload)).toBe(before)
          }),
          { numRuns: 3_000 },
        )
      })
    })

    describe('what goes out', () => {
      test.each(messageTypes.filter(can))('%s reaches the customer', async (type) => {
        const sample = type === 'text' || type === 'location' || type === 'contact' ? undefined : file(type)
        const hasCaption = type === 'image' || type === 'video' || type === 'document'
        const { providerId } = await send({
          type,
          body: type === 'text' ? 'Olá! *Tudo* bem? <b>&amp;</b> 😀\nhttps://loja.com.br' : hasCaption ? 'Legenda' : '',
          media: sample?.media ?? null,
          location:
            type === 'location' ? { latitude: -23.5, longitude: -46.6, name: 'Loja', address: 'Rua A, 1' } : null,
          contacts:
            type === 'contact' ? [{ name: 'Bruno Lima', phones: ['+5511977776666'], emails: ['b@example.com'] }] : [],
        })
        const line = await seen()
        expect(line && it.providerIdOf(line)).toBe(providerId)
        if (type === 'text') expect(line?.text).toBe('Olá! *Tudo* bem? <b>&amp;</b> 😀\nhttps://loja.com.br')
        if (hasCaption) expect(line?.text).toBe('Legenda')
        if (sample) expect(line?.media?.bytes.equals(sample.bytes)).toBe(true)
        if (type === 'location')
          expect(line?.place).toEqual({ latitude: -23.5, longitude: -46.6, name: 'Loja', address: 'Rua A, 1' })
        if (type === 'contact') expect(line?.cards).toEqual([{ name: 'Bruno Lima', phone: '+5511977776666' }])
      })

      test('a recorded note arrives as a note', async () => {
        const { bytes, mimeType } = sampleMedia('voice')
        const media = { name: 'audio.ogg', mime: mimeType, size: bytes.length, bytes: async () => bytes }
        await send({ type: 'audio', media })
        expect((await seen())?.type).toBe('voice')
      })

      when(can('buttons') || can('list'))('choices reach the customer, and the pressed one comes back', async () => {
        for (const kind of ['buttons', 'list'] as const) {
          if (!can(kind)) continue
          const titles =
            kind === 'buttons' ? ['Sim', 'Não', 'Falar com gente'] : ['Pix', 'Boleto', 'Cartão', 'Dinheiro']
          const { providerId } = await send({
            type: 'interactive',
            body: 'Como prefere?',
            interactive: {
              kind,
              header: 'Pagamento',
              footer: 'Loja Aurora',
              button: '',
              options: titles.map((title, at) => ({
                id: `opcao-${at}`,
                title,
                description: at === 1 && kind === 'list' ? 'Vence amanhã' : '',
              })),
            },
          })
          const line = await seen()
          expect(line && it.providerIdOf(line)).toBe(providerId)
          expect([line?.header, line?.text, line?.footer].filter(Boolean).join('\n')).toMatch(
            /Pagamento\s+Como prefere\?\s+Loja Aurora/,
          )
          expect(line?.buttons?.map(({ title }) => title)).toEqual(titles)
          await customer.press(line?.id ?? '', 'opcao-1')
          await simulator.idle()
          expect(written().at(-1)).toMatchObject({
            content: { type: 'text', body: titles[1], choice: 'opcao-1' },
            quotedProviderId: providerId,
          })
        }
      })

      when(can('template'))('a template reaches the customer with its values, and is found in the list', async () => {
        const template = it.template
        if (!template) return expect.fail('a channel with templates names one in its harness')
        const listed = (await adapter.templates?.(context)) ?? []
        expect(listed).toContainEqual(expect.objectContaining({ name: template.name, language: template.language }))
        const { providerId } = await send({ type: 'template', body: it.template?.shown ?? '', template })
        const line = await seen()
        expect(line && it.providerIdOf(line)).toBe(providerId)
        expect([line?.header, line?.text, line?.footer].filter(Boolean).join('\n\n')).toBe(template.shown)
        const wrong = {
          ...template,
          body: [...template.body, 'a mais'],
          shape: { ...template.shape, body: { text: '', places: ['1', '2', '3', '4'] } },
        }
        expect(await failure(send({ type: 'template', template: wrong }))).toMatchObject({
          outcome: 'final',
          isConnectionBroken: false,
        })
      })

      when(can('reply'))('an answer quotes the customer, with a file too', async () => {
        const asked = await customer.sendText('quanto custa?')
        const quotedProviderId = it.providerIdOf({ id: asked })
        await send({ body: 'R$ 10', quotedProviderId })
        expect((await seen())?.replyTo).toBe(asked)
        await send({ type: 'image', media: file('image').media, quotedProviderId })
        expect((await seen())?.replyTo).toBe(asked)
      })

      when(can('reaction'))('we react, and take it back', async () => {
        const asked = await customer.sendText('obrigada!')
        const line = () => customer.transcript.find((one) => one.id === asked)
        const target = { providerId: it.providerIdOf({ id: asked }), to }
        await adapter.react?.({ ...target, emoji: '👍' }, context)
        await simulator.idle()
        expect(line()?.reactions.business).toBe('👍')
        await adapter.react?.({ ...target, emoji: '' }, context)
        await simulator.idle()
        expect(line()?.reactions.business).toBeUndefined()
      })

      when(can('typing'))('the customer sees that we are typing', async () => {
        const asked = await customer.sendText('alô?')
        await adapter.typing?.({ to, lastInboundProviderId: it.providerIdOf({ id: asked }) }, context)
        expect(customer.isBusinessTyping).toBe(true)
        await send({ body: 'oi' })
        await simulator.idle()
        expect(customer.isBusinessTyping).toBe(false)
      })

      when(can('readReceipts'))('the customer sees that we have read', async () => {
        const asked = await customer.sendText('leu?')
        await adapter.markRead?.({ providerId: it.providerIdOf({ id: asked }), to }, context)
        expect(customer.transcript.find((one) => one.id === asked)?.state).toBe('read')
      })

      when(can('edit'))('we correct a message, and saying the same again is no error', async () => {
        const { providerId } = await send({ body: 'R$ 10' })
        for (const body of ['R$ 12', 'R$ 12']) await adapter.edit?.({ providerId, to, body }, context)
        expect(await seen()).toMatchObject({ text: 'R$ 12', isEdited: true })
      })

      when(can('delete'))('we take a message back', async () => {
        const { providerId } = await send({ body: 'engano' })
        await adapter.remove?.({ providerId, to }, context)
        expect((await seen())?.isDeleted).toBe(true)
      })

      when(can('readReceipts'))('its states come back with the id of ours, once each however often told', async () => {
        simulator.delivery.duplicate = 1
        const message = outbound({ body: 'chegou?' })
        const { providerId } = await adapter.send(message, context)
        await simulator.idle()
        await customer.read()
        await simulator.idle()
        const states = receiver
          .events()
          .flatMap((event) => (event.kind === 'status' && event.providerId === providerId ? [event] : []))
        expect(states.map(({ status }) => status)).toEqual(['sent', 'delivered', 'read'])
        for (const state of states) expect(state.messageId).toBe(message.id)
      })

      test('a file that is gone, or a contact without an address here, is known not to have been sent', async () => {
        const before = simulator.requests.length
        const lost = { ...file('image').media, bytes: () => Promise.reject(new Error('ENOENT')) }
        expect(await failure(send({ type: 'image', media: lost }))).toMatchObject({ outcome: 'final' })
        expect(await failure(send({ type: 'image' }))).toMatchObject({ outcome: 'final' })
        const stranger: Identity[] = [{ kind: 'email', value: 'ana@example.com' }]
        expect(await failure(send({ to: stranger, body: 'oi' }))).toMatchObject({
          outcome: 'final',
          isUnreachable: true,
        })
        expect(simulator.requests.length).toBe(before)
      })
    })

    describe('when the provider fails', () => {
      test.each([...silences, ...it.refusals])('%s', async (_name, fault, expected) => {
        const before = customer.inbox.length
        if (fault.delayMs) patienceMs = 200
        simulator.faults.next({ ...fault, match: it.isSend })
        const error = await failure(send({ body: 'teste de falha' }))
        expect(error).toBeInstanceOf(ChannelError)
        expect(error).toMatchObject(expected)
        for (const secret of secretsOf(it)) expect(error.message).not.toContain(secret)
        patienceMs = 5_000
        await simulator.idle()
        await expect.poll(() => customer.inbox.length).toBe(before + (fault.afterAccepting || fault.delayMs ? 1 : 0))
        await expect(send({ body: 'e depois segue' })).resolves.toMatchObject({ providerId: expect.any(String) })
      })

      test('a file upload fails the same way, and the customer gets it once', async () => {
        simulator.faults.next({ status: 503 })
        expect(await failure(send({ type: 'image', media: file('image').media }))).toMatchObject({ outcome: 'retry' })
      })

      test('nobody at the address: not sent, to be tried again', async () => {
        const config = { ...it.config, baseUrl: 'http://127.0.0.1:1' }
        expect(await failure(adapter.send(outbound({ body: 'oi' }), { ...context, config }))).toMatchObject({
          outcome: 'retry',
        })
      })

      test('an address inside our own network is never called', async () => {
        const config = { ...it.config, baseUrl: 'http://169.254.169.254' }
        expect(await failure(adapter.send(outbound({ body: 'oi' }), { ...context, config }))).toMatchObject({
          outcome: 'final',
          isConnectionBroken: true,
        })
      })

      test('what shows nothing to the customer may always be tried again', async () => {
        const last = it.providerIdOf({ id: await customer.sendText('oi') })
        for (const fault of [{ drop: true }, { afterAccepting: true }, { status: 502 }]) {
          simulator.faults.next(fault)
          expect(
            await failure(adapter.typing?.({ to, lastInboundProviderId: last }, context) ?? Promise.resolve()),
          ).toMatchObject({ outcome: 'retry' })
        }
      })

      test('a revoked token breaks the connection, for sending, fetching and connecting', async () => {
        const restore = it.revoke()
        try {
          const broken = { outcome: 'final', isConnectionBroken: true }
          expect(await failure(send({ body: 'oi' }))).toMatchObject(broken)
          expect(await failure(adapter.connect(context))).toMatchObject(broken)
          expect(
            await failure(adapter.fetchMedia?.({ id: '1', fileId: '1' }, context) ?? Promise.resolve()),
          ).toMatchObject(broken)
        } finally {
          restore()
        }
      })
    })
  })

/** `message:image` with `~` for fromMe, `@` in a group; `unknown` for no events. */
/** A test that is asked only of channels it concerns. */
const when = (concerns: boolean): ((name: string, run: () => Promise<void> | void) => void) =>
  concerns ? (name, run) => test(name, run) : () => {}

const describeEvents = (events: InboundEvent[]): string => events.map(describeEvent).join(' + ') || 'unknown'
const describeEvent = (event: InboundEvent): string => {
  if (event.kind === 'message') {
    return `${event.fromMe ? '~' : ''}message:${event.content.type}${event.from.isGroup ? '@' : ''}`
  }
  if (event.kind === 'status') return `status:${event.status}`
  if (event.kind === 'identity') return `identity:${event.from.kind}>${event.to.kind}`
  if (event.kind === 'reaction') return event.emoji ? 'reaction' : 'reaction:none'
  if (event.kind === 'unreachable') return event.reason ? 'unreachable' : 'reachable'
  return event.kind
}

const momentsOf = (event: InboundEvent): Date[] =>
  event.kind === 'message' ? [event.timestamp] : event.kind === 'edit' ? [event.at] : []

const secretsOf = <K extends ChannelKind>({ kind, config, hookSecret }: Harness<K>): string[] => {
  const values: Record<string, unknown> = config
  return [hookSecret, ...secretFields(kind).flatMap((name) => String(values[name] ?? []))].filter(Boolean)
}

/** A copy of a payload in which the value at some place is another. */
const withOneChanged = (payload: unknown, at: number, value: unknown): unknown => {
  const text = JSON.stringify(payload)
  const places = [...text.matchAll(/[:,]/g)].length + 1
  let place = 0
  return JSON.parse(text, (_key, one: unknown) => (place++ === at % places ? value : one))
}
