import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import { describe, expect, test } from 'vitest'
import { type Stage, when } from './conformance.stage.ts'

const messageTypes = ['text', 'image', 'audio', 'video', 'document', 'sticker', 'location', 'contact'] as const

/** What goes out reaches the customer as it was meant, within what the channel can. */
export const outbound = <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, simulator, customer, to, receiver, context, can, outbound, send, file, seen, written, failure } =
    stage
  describe('what goes out', () => {
    test.each(messageTypes.filter(can))('%s reaches the customer', async (type) => {
      const sample = type === 'text' || type === 'location' || type === 'contact' ? undefined : file(type)
      const hasCaption = type === 'image' || type === 'video' || type === 'document'
      const { providerId } = await send({
        type,
        body: type === 'text' ? 'Olá! *Tudo* bem? <b>&amp;</b> 😀\nhttps://loja.com.br' : hasCaption ? 'Legenda' : '',
        media: sample?.media ?? null,
        location: type === 'location' ? { latitude: -23.5, longitude: -46.6, name: 'Loja', address: 'Rua A, 1' } : null,
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
        const titles = kind === 'buttons' ? ['Sim', 'Não', 'Falar com gente'] : ['Pix', 'Boleto', 'Cartão', 'Dinheiro']
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
}
