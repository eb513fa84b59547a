import { isDeepStrictEqual } from 'node:util'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { fixturesOf } from '@balcao/simulators/fixtures.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ChannelError, type InboundEvent } from './adapter.ts'
import { wholeOf } from './conformance.receiver.ts'
import { fileTypes, type Stage, secretsOf, when } from './conformance.stage.ts'

/** What comes in, by the hook or by the session: proven, stored once, understood. */
export const inbound = <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, simulator, customer, receiver, context, can, send, hear, seen, written, failure } = stage
  const { post } = it
  describe.runIf(post)('signatures', () => {
    const body = JSON.stringify(fixturesOf(it.kind).find((one) => one.name === 'text')?.payload)
    test('a signed call is stored', async () => {
      expect(await post?.(body, 'right')).toBe(200)
      expect(receiver.journal.size).toBe(1)
    })
    test.each(['missing', 'wrong'] as const)('a %s signature is refused and nothing is stored', async (signature) => {
      expect(await post?.(body, signature)).toBe(401)
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
      await hear(payload)
      const pieces = [...receiver.journal.values()].map((piece) => describeEvents(piece.events))
      expect(pieces.join(' | ')).toBe(it.fixtures[fixture])
    })

    test('the same event again, and at the same instant, has the same key', async () => {
      simulator.delivery.duplicate = 4
      await customer.sendText('uma vez só')
      await simulator.idle()
      if (post) expect(receiver.calls).toHaveLength(5)
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

    when(!customer.hasOnlyText && !customer.quotesNothing)('a quoted message is named', async () => {
      const first = await customer.sendText('primeira')
      await customer.sendText('resposta', { replyTo: first })
      await simulator.idle()
      expect(written().at(-1)).toMatchObject({ quotedProviderId: it.providerIdOf({ id: first }) })
    })

    when(can('reaction'))('a reaction names its message, and is taken back', async () => {
      const { providerId } = await send({ body: 'gostou?' })
      const line = await seen()
      for (const emoji of ['👍', '']) await customer.react(line?.id ?? '', emoji)
      await simulator.idle()
      expect(receiver.events().filter((event) => event.kind === 'reaction')).toMatchObject([
        { targetProviderId: providerId, emoji: '👍', fromMe: false },
        { targetProviderId: providerId, emoji: null },
      ])
    })

    const shown = fileTypes.filter((kind) => kind !== 'sticker' || can('sticker'))
    const carried = adapter.fetchMedia ? ([...shown, 'voice'] as const) : []
    test.each(carried)('a received %s is brought home byte by byte', async (kind) => {
      const media = sampleMedia(kind)
      await customer.sendMedia(kind, media)
      await simulator.idle()
      const event = written().at(-1)
      const source = event?.content.media?.source
      expect(event?.content.type).toBe(kind === 'voice' ? 'audio' : kind)
      const stored: Record<string, unknown> = JSON.parse(JSON.stringify(source))
      const fetched = await adapter.fetchMedia?.(stored, context)
      expect((await wholeOf(fetched))?.equals(media.bytes)).toBe(true)
    })

    when(adapter.fetchMedia !== undefined)(
      'a file by address asks nothing inside our network, and tells nobody our secrets',
      async () => {
        await customer.sendMedia('image', sampleMedia('image'))
        await simulator.idle()
        const source = written().at(-1)?.content.media?.source ?? {}
        const elsewhere = (address: string) => withAddress(source, address)
        expect(JSON.stringify(source) !== JSON.stringify(elsewhere('x')), JSON.stringify(source)).toBe(
          it.mediaByAddress === true,
        )
        if (!it.mediaByAddress) return
        expect(
          await failure(adapter.fetchMedia?.(elsewhere('http://169.254.169.254/meta'), context) ?? Promise.resolve()),
        ).toMatchObject({ outcome: 'final', isConnectionBroken: false })
        // Whoever can write into our journal names the address: it hears of no secret.
        const address = receiver.offer(sampleMedia('image').bytes, 'image/png')
        await adapter.fetchMedia?.(elsewhere(address), context).catch(() => undefined)
        for (const { path, said } of receiver.fetched)
          for (const secret of secretsOf(it)) expect(path + said).not.toContain(secret)
      },
    )

    when(adapter.fetchMedia !== undefined)(
      'a file the provider no longer has is a refusal in Portuguese, and no fault of the connection',
      async () => {
        for (const source of [{ id: '404404', fileId: 'nada' }, {}, { id: 'http://127.0.0.1:9/x', fileId: '../x' }]) {
          const error = await failure(adapter.fetchMedia?.(source, context) ?? Promise.resolve())
          expect(error).toBeInstanceOf(ChannelError)
          expect(error).toMatchObject({ outcome: 'final', isConnectionBroken: false })
        }
      },
    )

    test('no secret gets into the journal', async () => {
      for (const { payload } of fixturesOf(it.kind)) await hear(payload)
      const stored = JSON.stringify([...receiver.journal.values()])
      for (const secret of secretsOf(it)) expect(stored).not.toContain(secret)
    })

    test('parse and split take any JSON without a throw, change nothing and say the same twice', async () => {
      const told = fixturesOf(it.kind).map(({ payload }) => payload)
      for (const payload of told) await hear(payload)
      const known = [...told, ...[...receiver.journal.values()].map(({ payload }) => payload)]
      const broken = fc
        .tuple(fc.constantFrom(...known), fc.nat(), fc.jsonValue())
        .map(([payload, at, value]) => withOneChanged(payload, at, value))
      fc.assert(
        fc.property(fc.oneof(fc.jsonValue(), broken), (payload) => {
          const before = JSON.stringify(payload)
          const pieces = adapter.split(payload)
          const isSaidTwice = isDeepStrictEqual(adapter.split(payload), pieces)
          const hasKeys = pieces.every(({ key }) => key.length > 0 && key.length <= 500)
          const oddities = [payload, ...pieces.map((piece) => piece.payload)].filter((one) => {
            const events = adapter.parse(one)
            const again = adapter.parse(one)
            const isSame = isDeepStrictEqual(events.map(kindOf), again.map(kindOf))
            return !isSame || events.flatMap(momentsOf).some((moment) => Number.isNaN(moment.getTime()))
          })
          // One expectation for all of it: each costs more than what it looks at.
          const isUnchanged = JSON.stringify(payload) === before
          expect({ isSaidTwice, hasKeys, oddities, isUnchanged }).toEqual(sound)
        }),
        { numRuns: 1_000 },
      )
    })
  })
}

/** `message:image` with `~` for fromMe, `@` in a group; `unknown` for no events. */
const describeEvents = (events: InboundEvent[]): string => events.map(describeEvent).join(' + ') || 'unknown'
const describeEvent = (event: InboundEvent): string => {
  if (event.kind === 'message') {
    return `${event.fromMe ? '~' : ''}message:${event.content.type}${event.from.isGroup ? '@' : ''}`
  }
  if (event.kind === 'group') return `group:${event.change}`
  if (event.kind === 'call') return `call:${event.state}`
  if (event.kind === 'consent') return `consent:${event.isGiven ? 'yes' : 'no'}`
  if (event.kind === 'status') return `status:${event.status}`
  if (event.kind === 'identity') return `identity:${event.from.kind}>${event.to.kind}`
  if (event.kind === 'vote') return event.chosen.length ? 'vote' : 'vote:none'
  if (event.kind === 'reaction') return event.emoji ? 'reaction' : 'reaction:none'
  if (event.kind === 'unreachable') return event.reason ? 'unreachable' : 'reachable'
  return event.kind
}

const sound = { isSaidTwice: true, hasKeys: true, oddities: [], isUnchanged: true }
const kindOf = ({ kind }: InboundEvent) => kind

const momentsOf = (event: InboundEvent): Date[] =>
  'at' in event && event.at ? [event.at] : event.kind === 'message' ? [event.timestamp] : []

/** A copy in which every address is another. */
const withAddress = (source: Record<string, unknown>, address: string): Record<string, unknown> =>
  JSON.parse(JSON.stringify(source), (_key, one: unknown) =>
    typeof one === 'string' && /^https?:\/\//.test(one) ? address : one,
  )

/** A copy of a payload in which the value at some place is another. */
const withOneChanged = (payload: unknown, at: number, value: unknown): unknown => {
  const text = JSON.stringify(payload)
  const places = [...text.matchAll(/[:,]/g)].length + 1
  let place = 0
  return JSON.parse(text, (_key, one: unknown) => (place++ === at % places ? value : one))
}
