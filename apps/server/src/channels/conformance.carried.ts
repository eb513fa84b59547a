import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import { withoutMarks } from '@balcao/contract/conversations/user-text.ts'
import { expect } from 'vitest'
import { partOf, type Stage } from './conformance.stage.ts'
import { placesOf } from './content.ts'

/** Proofs that a kind of message reaches the customer as it was meant. */
const captioned = ['image', 'video', 'document']
const text = 'Olá! *Tudo* bem? <b>&amp;</b> 😀\nhttps://loja.com.br'
const place = { latitude: -23.5, longitude: -46.6, name: 'Loja', address: 'Rua A, 1' }

type Type = 'text' | 'image' | 'audio' | 'video' | 'document' | 'sticker' | 'location' | 'contact'

export const reaches =
  (type: Type) =>
  async <K extends ChannelKind>(stage: Stage<K>) => {
    const { it, send, seen, file, abilities, failure } = stage
    const sample = type === 'text' || type === 'location' || type === 'contact' ? undefined : file(type)
    const caption = captioned.includes(type) && abilities.textLimits.caption > 0 ? 'Legenda' : ''
    const message = {
      type,
      body: type === 'text' ? text : caption,
      media: sample?.media ?? null,
      location: type === 'location' ? place : null,
      contacts:
        type === 'contact' ? [{ name: 'Bruno Lima', phones: ['+5511977776666'], emails: ['b@example.com'] }] : [],
    }
    const { providerId } = await send(message)
    const line = await seen()
    expect(line && it.providerIdOf(line)).toBe(providerId)
    if (type === 'text') expect(line?.text).toBe(it.hasNoMarks ? withoutMarks(text) : text)
    if (caption) expect(line?.text).toBe(caption)
    if (sample) expect(line?.media?.bytes.equals(sample.bytes)).toBe(true)
    if (type === 'location') {
      const { name, address, ...point } = line?.place ?? {}
      expect(point).toEqual({ latitude: place.latitude, longitude: place.longitude })
      expect([name, address].filter(Boolean).join(', ')).toBe(`${place.name}, ${place.address}`)
    }
    if (type === 'contact') expect(line?.cards).toEqual([{ name: 'Bruno Lima', phone: '+5511977776666' }])
    if (type === 'contact') await severalContacts(stage)
    // Nobody outside reaches our addresses: the bytes go, as they are.
    if (!sample) return
    const bytesAlone = { ...message, media: { ...sample.media, url: undefined } }
    if (it.filesByAddress) return expect(await failure(send(bytesAlone))).toMatchObject({ outcome: 'final' })
    const again = await send(bytesAlone)
    expect(again.providerId).not.toBe(providerId)
    expect((await seen())?.media?.bytes.equals(sample.bytes)).toBe(true)
  }

/** All of them arrive, or it is known before anything leaves that they cannot go together. */
const severalContacts = async <K extends ChannelKind>({ simulator, abilities, send, seen, failure }: Stage<K>) => {
  const contacts = [
    { name: 'Bruno Lima', phones: ['+5511977776666'], emails: [] },
    { name: 'Carla Dias', phones: ['+5511966665555'], emails: [] },
  ]
  if (abilities.contactLimit && abilities.contactLimit < contacts.length) {
    const before = simulator.requests.length
    expect(await failure(send({ type: 'contact', contacts }))).toMatchObject({ outcome: 'final' })
    return expect(simulator.requests.length).toBe(before)
  }
  await send({ type: 'contact', contacts })
  expect((await seen())?.cards).toEqual(contacts.map(({ name, phones: [phone] }) => ({ name, phone })))
}

/** Pictures sent together are one group at both ends, each with its words; one that cannot go takes none along. */
export const anAlbum = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, simulator, context, outbound, customer, file, written, failure } = stage
  const { send, groupsOfLast } = partOf(stage, 'album')
  const pictures = ['Frente', 'Verso'].map((body) => outbound({ type: 'image', body, media: file('image').media }))
  const calls = simulator.requests.filter(it.isSend).length
  const sent = await adapter.sendAlbum?.(pictures, context)
  await simulator.idle()
  const [front, back] = customer.inbox.slice(-2)
  expect(front && back && [front, back].map(it.providerIdOf)).toEqual(sent?.providerIds)
  expect([front?.text, back?.text]).toEqual(['Frente', 'Verso'])
  expect(front?.media?.bytes.equals(file('image').bytes)).toBe(true)
  const [group, ...others] = groupsOfLast()
  expect(group).toBeTruthy()
  expect(others).toEqual([group])
  expect(simulator.requests.filter(it.isSend).length).toBe(calls + 1)

  const shown = customer.inbox.length
  const empty = { ...file('image').media, size: 0, bytes: async () => Buffer.alloc(0) }
  const withOneEmpty = [...pictures, outbound({ type: 'image', media: empty })]
  expect(await failure(adapter.sendAlbum?.(withOneEmpty, context) ?? Promise.resolve())).toMatchObject({
    outcome: 'final',
  })
  expect(customer.inbox.length).toBe(shown)

  await send(3, 'As três')
  await simulator.idle()
  const heard = written().map(({ content }) => content)
  expect(heard.map(({ type, body }) => [type, body])).toEqual([
    ['image', 'As três'],
    ['image', ''],
    ['image', ''],
  ])
  expect(heard[0]?.album).toBeTruthy()
  expect(new Set(heard.map(({ album }) => album)).size).toBe(1)
}

/** Words and files leave as one message: the words once, each file whole; one that cannot go takes none along. */
export const attachments = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, simulator, context, outbound, customer, file, failure } = stage
  const { last } = partOf(stage, 'attached')
  const [photo, paper] = [file('image'), file('document')]
  const messages = [
    outbound({ body: 'Segue tudo.' }),
    outbound({ type: 'image', body: 'A frente', media: photo.media }),
    outbound({ type: 'document', media: paper.media }),
  ]
  const shown = customer.inbox.length
  const sent = await adapter.sendAttached?.(messages, context)
  await simulator.idle()
  expect(customer.inbox.slice(shown).map(it.providerIdOf)).toEqual(sent?.providerIds.slice(0, 1))
  expect(new Set(sent?.providerIds).size).toBe(messages.length)
  const { text, files } = last() ?? {}
  expect(text).toBe('Segue tudo.\n\nA frente')
  expect(files?.map(({ name }) => name)).toEqual([photo.media.name, paper.media.name])
  expect(files?.map(({ bytes }, at) => bytes.equals([photo, paper][at]?.bytes ?? Buffer.of()))).toEqual([true, true])

  const gone = { ...photo.media, bytes: () => Promise.reject(new Error('gone')) }
  const withOneGone = [...messages, outbound({ type: 'image', media: gone })]
  expect(await failure(adapter.sendAttached?.(withOneGone, context) ?? Promise.resolve())).toMatchObject({
    outcome: 'final',
  })
  expect(customer.inbox.length).toBe(shown + 1)
}

const titlesOf = {
  buttons: ['Sim', 'Não', 'Falar com gente'],
  list: ['Pix', 'Boleto', 'Cartão', 'Dinheiro'],
}
/** They are read, and the pressed one comes back. */
export const choices =
  (kind: 'buttons' | 'list') =>
  async <K extends ChannelKind>({ it, customer, simulator, send, seen, written }: Stage<K>) => {
    const titles = titlesOf[kind]
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
      ...(!it.pressesAreLoose && { quotedProviderId: providerId }),
    })
  }

/** Each asks for one thing, of what the account has; what it has not is refused. */
export const requests = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, context, send, seen, failure } = stage
  const [form] = (await adapter.requests?.forms(context)) ?? []
  const { id: catalogId, products } = (await adapter.requests?.catalog({ search: '' }, context)) ?? { products: [] }
  const [first, second] = products
  if (!form || !catalogId || !first || !second) throw new Error('The harness shows a form and two products.')
  expect((await adapter.requests?.catalog({ search: second.name }, context))?.products).toEqual([second])

  const blank = { header: '', footer: 'Loja Aurora', button: '', options: [] }
  const asked: [Partial<Interactive> & Pick<Interactive, 'kind'>, string[]][] = [
    [{ kind: 'place' }, ['Enviar localização']],
    [{ kind: 'link', header: 'Pedido', button: 'Acompanhar', url: 'https://loja.com.br/p/1' }, ['Acompanhar']],
    [{ kind: 'form', button: 'Agendar', form: { ...form, screen: 'INICIO' } }, ['Agendar']],
    [{ kind: 'address', country: 'SG' }, ['Informar endereço']],
    [{ kind: 'catalog' }, ['Ver catálogo']],
    [{ kind: 'products', catalog: { id: catalogId, sections: [{ title: '', products: [first] }] } }, [first.id]],
    [
      {
        kind: 'products',
        header: 'Para você',
        catalog: {
          id: catalogId,
          sections: [
            { title: 'Novos', products: [first] },
            { title: 'Usados', products: [second] },
          ],
        },
      },
      [first.id, second.id],
    ],
  ]
  for (const [interactive, titles] of asked) {
    const { providerId } = await send({
      type: 'interactive',
      body: 'Veja só',
      interactive: { ...blank, ...interactive },
    })
    const line = await seen()
    expect(line && it.providerIdOf(line)).toBe(providerId)
    expect(line).toMatchObject({ text: 'Veja só', footer: interactive.kind === 'place' ? undefined : blank.footer })
    expect(line?.buttons?.map(({ title }) => title)).toEqual(titles.map((title) => expect.stringContaining(title)))
  }
  const unknown = { ...blank, kind: 'form' as const, button: 'Abrir', form: { id: '1', name: '', screen: '' } }
  expect(await failure(send({ type: 'interactive', body: 'Veja', interactive: unknown }))).toMatchObject({
    outcome: 'final',
    isConnectionBroken: false,
  })
}

/** It is asked as it is, and each vote comes back as all that is chosen then; a poll of theirs is one too. */
export const aPoll = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, customer, simulator, receiver, send, seen, written, abilities } = stage
  const isMultiple = abilities.pollLimits?.several ?? false
  const titles = ['Sábado, de manhã', 'Domingo', 'Nenhum | outro']
  const options = titles.map((title, at) => ({ id: String(at + 1), title, description: '' }))
  const { providerId, pollKey } = await send({
    type: 'interactive',
    body: 'Que dia?',
    interactive: { kind: 'poll', header: '', footer: '', button: '', options, selectable: isMultiple ? 0 : 1 },
  })
  const line = await seen()
  expect(line && it.providerIdOf(line)).toBe(providerId)
  expect(line).toMatchObject({ text: 'Que dia?', poll: { isMultiple } })
  expect(line?.poll?.options.map((title) => title.replace('∣', '|'))).toEqual(titles)
  const choices = [[1], isMultiple ? [1, 2] : [2], []]
  for (const chosen of choices) {
    await customer.vote(line?.id ?? '', chosen)
    await simulator.idle()
  }
  const votes = receiver.events().filter((event) => event.kind === 'vote')
  for (const vote of votes) {
    expect(vote.poll).toEqual(pollKey ? { key: pollKey } : { providerId })
    expect(vote.fromMe).toBe(false)
  }
  expect(votes.map(({ chosen }) => placesOf(chosen, titles))).toEqual(choices)

  await customer.sendPoll({ question: 'E a hora?', options: ['9h', '10h'], isMultiple: true })
  await simulator.idle()
  expect(written().at(-1)?.content).toMatchObject({
    type: 'poll',
    body: 'E a hora?',
    interactive: { kind: 'poll', options: [{ title: '9h' }, { title: '10h' }] },
  })
  expect(written().at(-1)?.content.interactive?.selectable).not.toBe(1)
}

export const aTemplate = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, context, send, seen, failure } = stage
  const template = partOf(stage, 'template')
  const listed = (await adapter.templates?.(context)) ?? []
  expect(listed).toContainEqual(expect.objectContaining({ name: template.name, language: template.language }))
  const { providerId } = await send({ type: 'template', body: template.shown, template })
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
}

/** Of a text, and with a file. */
export const aQuote = async <K extends ChannelKind>({ it, customer, send, seen, file, can }: Stage<K>) => {
  const asked = await customer.sendText('quanto custa?')
  const quotedProviderId = it.providerIdOf({ id: asked })
  await send({ body: 'R$ 10', quotedProviderId })
  expect((await seen())?.replyTo).toBe(asked)
  if (!can('image')) return
  await send({ type: 'image', media: file('image').media, quotedProviderId })
  expect((await seen())?.replyTo).toBe(asked)
}

/** As fast as they are accepted: each once, in order. */
export const manyInARow = async <K extends ChannelKind>({ customer, simulator, send }: Stage<K>) => {
  const texts = Array.from({ length: 10 }, (_, at) => `promoção ${at}`)
  const ids = new Set<string>()
  for (const body of texts) ids.add((await send({ body })).providerId)
  await simulator.idle()
  expect(customer.inbox.slice(-10).map((line) => line.text)).toEqual(texts)
  expect(ids.size).toBe(10)
}

/** Subject, copies, formatted text and what it answers, both ways. */
export const aMail = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { write, last } = partOf(stage, 'mail')
  const mail = {
    subject: 'Pedido 123: chegou?',
    cc: ['financeiro@example.com'],
    bcc: [],
    html: '<p>Já <b>saiu</b>.</p>',
    references: ['<primeira@example.com>', '<segunda@example.com>'],
  }
  await write({ ...mail, text: 'Já saiu?' })
  await stage.simulator.idle()
  expect(stage.written().at(-1)?.content).toMatchObject({ body: 'Já saiu?', mail })
  await stage.send({ body: 'Já saiu.', mail })
  await stage.simulator.idle()
  expect(last()).toMatchObject(mail)
}
