import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Fault } from '@balcao/simulators/simulator.ts'
import { describe, expect, test } from 'vitest'
import { ChannelError } from './adapter.ts'
import { type Expected, type Stage, secretsOf } from './conformance.stage.ts'

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

/** What goes wrong at the provider, told apart: not sent, perhaps sent, never to be sent. */
export const failures = <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, simulator, customer, to, context, patience, outbound, send, file, failure } = stage
  describe('when the provider fails', () => {
    test.each([...silences, ...it.refusals])('%s', async (_name, fault, expected) => {
      const before = customer.inbox.length
      if (fault.delayMs) patience.ms = 200
      simulator.faults.next({ ...fault, match: it.isSend })
      const error = await failure(send({ body: 'teste de falha' }))
      expect(error).toBeInstanceOf(ChannelError)
      expect(error).toMatchObject(expected)
      for (const secret of secretsOf(it)) expect(error.message).not.toContain(secret)
      patience.ms = 5_000
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
}
