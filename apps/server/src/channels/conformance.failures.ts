import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import type { Fault } from '@balcao/simulators/simulator.ts'
import { describe, expect, test } from 'vitest'
import { ChannelError } from './adapter.ts'
import { type Expected, type Stage, secretsOf, when } from './conformance.stage.ts'

const uncertain = { outcome: 'uncertain', isUnreachable: false, isConnectionBroken: false } as const
const silences: [name: string, fault: Fault, expected: Expected][] = [
  ['the connection is cut before it accepts', { drop: true }, uncertain],
  ['it accepts and then says nothing', { afterAccepting: true }, uncertain],
  ['it accepts and then fails with 500', { afterAccepting: true, status: 500 }, uncertain],
  ['a gateway answers 502', { status: 502, body: 'Bad Gateway' }, uncertain],
  ['a gateway answers 504', { status: 504, body: 'Gateway Timeout' }, uncertain],
  ['a gateway answers 503', { status: 503, body: 'Service Unavailable' }, { outcome: 'retry' }],
  ['503 says when', { status: 503, headers: { 'retry-after': '7' } }, { outcome: 'retry', retryAfterMs: 7_000 }],
  ['429 without when', { status: 429, body: '<html>Too Many Requests</html>' }, { outcome: 'retry' }],
  ['429 says when', { status: 429, headers: { 'retry-after': '9' } }, { outcome: 'retry', retryAfterMs: 9_000 }],
  ['500 is a page', { status: 500, body: '<html>Internal Server Error</html>' }, uncertain],
  ['200 is not JSON', { status: 200, body: '<html>Ok</html>' }, uncertain],
  ['200 is cut in the middle', { status: 200, body: '{"messages":[{"id":"wam' }, uncertain],
  ['200 says nothing', { status: 200, body: {} }, uncertain],
  ['it takes longer than we wait', { delayMs: 500 }, uncertain],
]

/** What goes wrong at the provider, told apart: not sent, perhaps sent, never to be sent. */
export const failures = <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, simulator, customer, to, context, patience, can, outbound, send, file, written, failure } = stage
  const overHttp = it.post !== undefined
  describe('when the provider fails', () => {
    test.each([...(overHttp ? silences : []), ...it.refusals])('%s', async (_name, fault, expected) => {
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

    when(overHttp)(
      '200 with an error nobody knows inside is not taken for sent, nor sent again by itself',
      async () => {
        simulator.faults.next({ status: 200, body: { error: 'Algo deu errado' }, match: it.isSend })
        const error = await failure(send({ body: 'teste de falha' }))
        expect(error).toBeInstanceOf(ChannelError)
        expect(error.outcome).toMatch(/^(uncertain|final)$/)
        expect(error).toMatchObject({ isUnreachable: false, isConnectionBroken: false })
      },
    )

    when(overHttp && can('image'))('a file upload fails the same way, and the customer gets it once', async () => {
      simulator.faults.next({ status: 503 })
      expect(await failure(send({ type: 'image', media: file('image').media }))).toMatchObject({ outcome: 'retry' })
    })

    when(overHttp && can('video'))(
      'a file that is too large for the provider is refused in words, and nothing else is wrong',
      async () => {
        simulator.faults.next({ status: 413, body: '<html>Request Entity Too Large</html>' })
        const error = await failure(
          send({ type: 'video', media: { ...file('video').media, ...(!it.filesByAddress && { url: undefined }) } }),
        )
        expect(error).toMatchObject({ outcome: 'final', isConnectionBroken: false, isUnreachable: false })
        expect(error.message).toMatch(/grande/)
      },
    )

    test.each(adapter.fetchMedia ? [404, 410] : [])(
      'a file that is gone by now (%i) is a refusal in words, and no fault of the connection',
      async (status) => {
        await customer.sendMedia('image', sampleMedia('image'))
        await simulator.idle()
        const source = written().at(-1)?.content.media?.source ?? {}
        simulator.faults.next({ status, body: '<html>Gone</html>' })
        const error = await failure(adapter.fetchMedia?.(source, context) ?? Promise.resolve())
        expect(error).toBeInstanceOf(ChannelError)
        expect(error).toMatchObject({ outcome: 'final', isConnectionBroken: false })
      },
    )

    when(overHttp)('an address that answers with a page is said when it is connected', async () => {
      simulator.faults.next({ status: 200, body: '<html>Olá</html>', times: 20 })
      const error = await failure(adapter.connect(context))
      expect(error).toBeInstanceOf(ChannelError)
      expect(error).toMatchObject({ isConnectionBroken: false })
      expect(error.forAdmin.text).toMatch(/[a-zçãé]{3,}.*\./i)
    })

    const { phone } = it
    when(phone !== undefined)(
      'a phone that leaves in the middle of a send: what was said arrives once, when it is back',
      async () => {
        const message = outbound({ body: 'no meio da saída' })
        const before = customer.inbox.length
        simulator.faults.next({ delayMs: 60, match: it.isSend })
        const sending = adapter.send(message, context).catch((error: unknown) => error)
        await phone?.leave()
        const outcome = await sending
        // Of one that may have left nobody knows; by its own id it would be one message all the same.
        const known = overHttp ? 'retry' : 'uncertain'
        if (outcome instanceof ChannelError) expect(outcome).toMatchObject({ outcome: known, isUnreachable: false })
        await phone?.scan((await adapter.link?.({}, context))?.login ?? {})
        await simulator.idle()
        if (outcome instanceof ChannelError) await adapter.send(message, context)
        await simulator.idle()
        await expect.poll(() => customer.inbox.length).toBe(before + 1)
      },
    )

    when(overHttp)('nobody at the address: not sent, to be tried again', async () => {
      const config = { ...it.config, baseUrl: 'http://127.0.0.1:1' }
      expect(await failure(adapter.send(outbound({ body: 'oi' }), { ...context, config }))).toMatchObject({
        outcome: 'retry',
      })
    })

    when(overHttp)('an address inside our own network is never called', async () => {
      const config = { ...it.config, baseUrl: 'http://169.254.169.254' }
      expect(await failure(adapter.send(outbound({ body: 'oi' }), { ...context, config }))).toMatchObject({
        outcome: 'final',
        isConnectionBroken: true,
      })
    })

    when(Boolean(adapter.typing ?? adapter.markRead))(
      'what shows nothing to the customer may always be tried again',
      async () => {
        const last = it.providerIdOf({ id: await customer.sendText('oi') })
        for (const fault of [{ drop: true }, { afterAccepting: true }, { status: 502 }]) {
          await simulator.idle()
          simulator.faults.next(fault)
          const shown = adapter.typing
            ? adapter.typing({ to, lastInboundProviderId: last }, context)
            : adapter.markRead?.({ to, providerId: last }, context)
          expect(await failure(shown ?? Promise.resolve())).toMatchObject({ outcome: 'retry' })
        }
      },
    )

    const { revoke } = it
    when(revoke !== undefined)(
      'a revoked token breaks the connection, for sending, fetching and connecting',
      async () => {
        if (adapter.fetchMedia) await customer.sendMedia('image', sampleMedia('image'))
        await simulator.idle()
        const source = written().at(-1)?.content.media?.source ?? {}
        const restore = revoke?.()
        try {
          const broken = { outcome: 'final', isConnectionBroken: true }
          expect(await failure(send({ body: 'oi' }))).toMatchObject(broken)
          expect(await failure(adapter.connect(context))).toMatchObject(broken)
          // A file by its address is had without a token.
          if (it.mediaByAddress || !adapter.fetchMedia) return
          expect(await failure(adapter.fetchMedia?.(source, context) ?? Promise.resolve())).toMatchObject(broken)
        } finally {
          restore?.()
        }
      },
    )
  })
}
