import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { describe, expect, test } from 'vitest'
import type { ChannelContext, InboundEvent, JournalPiece, Session, SessionHost } from './adapter.ts'
import type { Stage } from './conformance.stage.ts'

/** What comes in by a session that is kept open: once, in order, and found again where it stood. */
export const session = <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, simulator, customer } = stage
  const { session: way } = it
  const door = adapter.session
  if (!door || !way) return

  describe('what comes in by a session', () => {
    const kept = new Map<string, string>()
    const context: ChannelContext<K> = { ...stage.context, config: way.config }
    const open = async () => {
      const ending = new AbortController()
      const journal = new Map<string, JournalPiece>()
      const told: string[] = []
      const host: SessionHost = {
        signal: ending.signal,
        receive: async (pieces, changes = {}) => {
          ending.signal.throwIfAborted()
          for (const piece of pieces) journal.set(piece.key, JSON.parse(JSON.stringify(piece)))
          for (const [name, value] of Object.entries(changes)) {
            if (value === null) kept.delete(name)
            else kept.set(name, value)
          }
        },
        state: async (names = '') =>
          new Map(
            [...kept].filter(([name]) => (Array.isArray(names) ? names.includes(name) : name.startsWith(`${names}`))),
          ),
        recall: async (key) => journal.get(key)?.payload,
        forget: async () => kept.clear(),
        tell: async ({ status }) => void told.push(status),
      }
      const live: Session = await door.open(context, host)
      const events = (): InboundEvent[] => [...journal.values()].flatMap(({ payload }) => adapter.parse(payload))
      const texts = () => events().flatMap((event) => (event.kind === 'message' ? event.content.body : []))
      return { live, texts, told, lose: () => ending.abort() }
    }

    test('it connects, says so, and brings what is written in its order', async () => {
      way.hangUp()
      await adapter.connect(context)
      const { live, texts, told } = await open()
      for (const text of ['um', 'dois', 'três']) await customer.sendText(text)
      await expect.poll(texts, { timeout: 10_000 }).toEqual(['um', 'dois', 'três'])
      expect(told).toEqual(['CONNECTED'])
      await live.close()
    })

    test('what is written while nobody listens comes with the next session, and nothing comes twice', async () => {
      await customer.sendText('enquanto isso')
      const { live, texts } = await open()
      await expect.poll(texts, { timeout: 10_000 }).toEqual(['enquanto isso'])
      await live.close()
      const again = await open()
      await customer.sendText('e depois')
      await expect.poll(again.texts, { timeout: 10_000 }).toEqual(['e depois'])
      await again.live.close()
    })

    test('closing, or losing it to another process, ends it at once', async () => {
      const one = await open()
      await expect.poll(() => one.told).toEqual(['CONNECTED'])
      const start = Date.now()
      await one.live.close()
      const two = await open()
      await expect.poll(() => two.told).toEqual(['CONNECTED'])
      two.lose()
      await two.live.ended
      expect(Date.now() - start).toBeLessThan(5_000)
      const asked = simulator.requests.length
      await customer.sendText('ninguém ouve')
      await simulator.idle()
      expect(simulator.requests.length).toBe(asked)
    })

    test('a revoked token ends it with a word for the administrator', async () => {
      const restore = it.revoke?.()
      Object.assign(way.config, it.config, { receive: Reflect.get(way.config, 'receive') })
      try {
        const failed = await open().then(
          ({ live }) =>
            live.ended.then(
              () => undefined,
              (error) => error,
            ),
          (error) => error,
        )
        expect(failed).toMatchObject({ outcome: 'final', isConnectionBroken: true })
      } finally {
        restore?.()
      }
    })
  })
}
