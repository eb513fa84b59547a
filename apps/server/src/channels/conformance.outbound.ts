import { type ChannelKind, channels, type IdentityKind, identityKinds } from '@balcao/contract/channels/index.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import { describe, expect, test } from 'vitest'
import { type Stage, when } from './conformance.stage.ts'

/** What goes out, whatever it is: as a note, told back to us, or known not to have gone. */
export const outbound = <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, simulator, to, context, can, outbound, send, file, seen, written, failure } = stage
  describe('what goes out', () => {
    when(can('audio'))('a recorded note arrives as a note', async () => {
      const { bytes, mimeType } = sampleMedia('voice')
      const url = it.filesByAddress && (() => stage.receiver.offer(bytes, mimeType))
      const media = { name: 'audio.ogg', mime: mimeType, size: bytes.length, bytes: async () => bytes, url }
      await send({ type: 'audio', media })
      expect((await seen())?.type).toBe('voice')
    })

    test('a file that is gone, or a contact without an address here, is known not to have been sent', async () => {
      const before = simulator.requests.length
      const lost = { ...file('image').media, url: undefined, bytes: () => Promise.reject(new Error('ENOENT')) }
      expect(await failure(send({ type: 'image', media: lost }))).toMatchObject({ outcome: 'final' })
      expect(await failure(send({ type: 'image' }))).toMatchObject({ outcome: 'final' })
      const reached: readonly IdentityKind[] = channels[it.kind].reachedBy.identities
      const unknown = identityKinds.find((kind) => !reached.includes(kind)) ?? 'phone'
      const stranger: Identity[] = [{ kind: unknown, value: 'ana@example.com' }]
      expect(await failure(send({ to: stranger, body: 'oi' }))).toMatchObject({
        outcome: 'final',
        isUnreachable: true,
      })
      expect(simulator.requests.length).toBe(before)
    })
  })

  describe('what we said ourselves', () => {
    when(it.echo === true)('a message of ours is told back by its own id, before the answer or after it', async () => {
      for (const isFirst of [true, false]) {
        simulator.delivery.statusBeforeAnswer = isFirst
        const message = outbound({ body: isFirst ? 'contada antes' : 'contada depois' })
        message.providerId = adapter.chooseId?.(message.id, it.config)
        const { providerId } = await adapter.send(message, context)
        if (message.providerId) expect(providerId).toBe(message.providerId)
        await simulator.idle()
        const told = written().filter((event) => event.content.body === message.body)
        expect(told).toMatchObject([{ fromMe: true, providerId }])
        expect(told[0]?.from.identities).toEqual(expect.arrayContaining(to))
        expect(told[0]?.author).toBeUndefined()
      }
    })

    when(it.echo !== true)('a message of ours is not told back', async () => {
      await send({ body: 'só para o cliente' })
      await simulator.idle()
      expect(written()).toEqual([])
    })

    const { ownPhone } = it
    when(ownPhone !== undefined)('what the owner writes on the phone belongs to the customer, once', async () => {
      simulator.delivery.duplicate = 1
      const id = await ownPhone?.write('já te respondo')
      await simulator.idle()
      const told = written()
      expect(told).toMatchObject([{ fromMe: true, providerId: id, content: { type: 'text', body: 'já te respondo' } }])
      expect(told[0]?.from.identities).toEqual(expect.arrayContaining(to))
      expect(told[0]?.author).toBeUndefined()
    })
  })
}
