import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { emptyDraft } from '@balcao/contract/channels/template-draft.ts'
import { expect } from 'vitest'
import type { InboundEvent } from './adapter.ts'
import { partOf, type Stage } from './conformance.stage.ts'
import { memberId } from './members.ts'

/** Proofs of what is done around messages: to them, in groups, in calls, before and after the hours. */
const ofKind = <K extends ChannelKind, Kind extends InboundEvent['kind']>({ receiver }: Stage<K>, kind: Kind) =>
  receiver.events().filter((event): event is Extract<InboundEvent, { kind: Kind }> => event.kind === kind)

export const reacting = async <K extends ChannelKind>({
  it,
  adapter,
  context,
  simulator,
  customer,
  to,
  abilities,
}: Stage<K>) => {
  const asked = await customer.sendText('obrigada!')
  const line = () => customer.transcript.find((one) => one.id === asked)
  const target = { providerId: it.providerIdOf({ id: asked }), to, fromMe: false }
  for (const emoji of [abilities.reactions?.[0] ?? '👍', '']) {
    await adapter.react?.({ ...target, emoji }, context)
    await simulator.idle()
    expect(line()?.reactions.business).toBe(emoji || undefined)
  }
}

export const typing = async <K extends ChannelKind>({
  it,
  adapter,
  context,
  simulator,
  customer,
  to,
  send,
}: Stage<K>) => {
  const asked = await customer.sendText('alô?')
  await adapter.typing?.({ to, lastInboundProviderId: it.providerIdOf({ id: asked }) }, context)
  expect(customer.isBusinessTyping).toBe(true)
  await send({ body: 'oi' })
  await simulator.idle()
  expect(customer.isBusinessTyping).toBe(false)
}

/** Saying the same again is no error. */
export const editing = async <K extends ChannelKind>({ adapter, context, to, send, seen }: Stage<K>) => {
  const { providerId } = await send({ body: 'R$ 10' })
  for (const body of ['R$ 12', 'R$ 12']) await adapter.edit?.({ providerId, to, body }, context)
  expect(await seen()).toMatchObject({ text: 'R$ 12', isEdited: true })
}

export const takingBack = async <K extends ChannelKind>({ adapter, context, to, send, seen }: Stage<K>) => {
  const { providerId } = await send({ body: 'engano' })
  await adapter.remove?.({ providerId, to }, context)
  expect((await seen())?.isDeleted).toBe(true)
}

/** Written, changed and taken away again; a second of the same name is refused in words. */
export const writingTemplates = async <K extends ChannelKind>({ adapter, context }: Stage<K>) => {
  const draft = { ...emptyDraft, name: 'escrito_aqui', body: { text: 'Oi {{nome}}, tudo bem?', examples: ['Ana'] } }
  const edits = adapter.editTemplates
  const kept = async () => (await adapter.templates?.(context))?.find(({ name }) => name === draft.name)
  const made = await edits?.create({ draft, file: null }, context)
  expect(made).toMatchObject({ category: 'UTILITY' })
  expect(await kept()).toMatchObject({ externalId: made?.externalId, components: made?.components })
  await expect(edits?.create({ draft, file: null }, context)).rejects.toMatchObject({
    outcome: 'final',
    isConnectionBroken: false,
    message: expect.stringContaining('Já existe'),
  })
  await edits?.remove({ externalId: made?.externalId ?? '', name: draft.name }, context)
  expect(await kept()).toBeUndefined()
}

/** What is written of the number is read there again. */
export const publicProfile = async <K extends ChannelKind>({ adapter, context }: Stage<K>) => {
  const account = adapter.businessAccount
  const before = await account?.profile(context)
  if (!before) throw new Error('no profile')
  const { pictureUrl: _, ...profile } = before
  await account?.changeProfile({ profile: { ...profile, address: 'Rua das Flores, 10' }, picture: null }, context)
  expect(await account?.profile(context)).toEqual({ ...before, address: 'Rua das Flores, 10' })
  await account?.changeProfile({ profile, picture: null }, context)
  expect((await account?.number(context))?.phone).not.toBe('')
}

/** Saying the same again is no error. */
export const blocking = async <K extends ChannelKind>({ adapter, context, to }: Stage<K>) => {
  for (const isBlocked of [true, true, false, false]) await adapter.block?.({ to, isBlocked }, context)
}

/** The customer sees that we have read; we see what became of ours, once each however often it is told. */
export const reading = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, context, simulator, customer, to, outbound } = stage
  const asked = await customer.sendText('leu?')
  await adapter.markRead?.({ providerId: it.providerIdOf({ id: asked }), to }, context)
  expect(customer.transcript.find((one) => one.id === asked)?.state).toBe('read')

  simulator.delivery.duplicate = 1
  const message = outbound({ body: 'chegou?' })
  const { providerId } = await adapter.send(message, context)
  await simulator.idle()
  await customer.read()
  await simulator.idle()
  const states = ofKind(stage, 'status').filter((event) => event.providerId === providerId)
  const told = states.map(({ status }) => status)
  const until = ofKind(stage, 'readUntil')
  expect(until.length).toBe(it.receipts === 'until' ? 1 : 0)
  for (const { at, from } of until) {
    expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(10_000)
    expect(from.identities).toEqual(expect.arrayContaining(to))
  }
  if (it.receipts === 'until') return expect(told).toEqual(['delivered'])
  if (it.receipts === 'read') return expect(told).toEqual(['read'])
  // That it was sent the answer has said already: not every provider tells it once more.
  expect(told).toEqual(told[0] === 'sent' ? ['sent', 'delivered', 'read'] : ['delivered', 'read'])
  // A provider that names our own message names the right one.
  for (const state of states) expect([message.id, undefined]).toContain(state.messageId)
}

/** Each member's words are that member's, also of one whose name we are not told, also when many come in one call. */
export const groupAuthors = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { simulator, written } = stage
  const { identity, members, speak } = partOf(stage, 'group')
  await speak([
    { who: 0, text: 'quem vai?' },
    { who: 1, text: 'eu vou' },
    { who: 'unnamed', text: 'também' },
    { who: 0, text: 'combinado' },
  ])
  await speak([
    { who: 0, text: 'às dez' },
    { who: 'unnamed', text: 'fechado' },
  ])
  await simulator.idle()
  const said = new Map(written().map((event) => [event.content.body, event]))
  expect([...said.keys()].toSorted()).toEqual(['combinado', 'eu vou', 'fechado', 'quem vai?', 'também', 'às dez'])
  for (const event of said.values()) {
    expect(event).toMatchObject({ fromMe: false, from: { isGroup: true } })
    expect(event.from.identities).toContainEqual(identity)
    expect(event.author?.identities ?? []).not.toContainEqual(identity)
  }
  const authorOf = (body: string) => said.get(body)?.author
  expect(authorOf('quem vai?')?.identities).toContainEqual(members[0])
  expect(authorOf('eu vou')?.identities).toContainEqual(members[1])
  for (const later of ['combinado', 'às dez']) expect(authorOf(later)).toEqual(authorOf('quem vai?'))
  // Of whom we are told little we say little: nobody else's name, and no name of anybody else.
  const known = [authorOf('quem vai?'), authorOf('eu vou')]
  for (const unnamed of [authorOf('também'), authorOf('fechado')]) {
    for (const other of known) {
      if (unnamed?.name) expect(unnamed.name).not.toBe(other?.name)
      for (const one of other?.identities ?? []) expect(unnamed?.identities ?? []).not.toContainEqual(one)
    }
  }
}

/** Who is in a group, each by all that is known of them. */
export const groupMembers = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { adapter, context } = stage
  const { identity, members } = partOf(stage, 'group')
  const listed = (await adapter.participants?.({ to: [identity] }, context)) ?? []
  expect(listed.length).toBeGreaterThanOrEqual(members.length)
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length)
  for (const member of members) expect(listed.flatMap(({ identities }) => identities)).toContainEqual(member)
}

/** Members are called by their names in the text. */
export const groupMentions = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { simulator, send } = stage
  const { identity, members, mentioned } = partOf(stage, 'group')
  const id = memberId(members[0])
  await send({ to: [identity], body: 'atenção, @Ana Souza!', mentions: [{ id, name: 'Ana Souza' }] })
  await simulator.idle()
  expect(mentioned?.()).toEqual([id])
}

export const turningDown = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { adapter, context, simulator, to } = stage
  const { ring, giveUp, rejected } = partOf(stage, 'call')
  const providerId = await ring()
  await simulator.idle()
  expect(ofKind(stage, 'call')).toMatchObject([{ providerId, state: 'ringing', fromMe: false }])
  expect(ofKind(stage, 'call')[0]?.from.identities).toEqual(expect.arrayContaining(to))
  await adapter.rejectCall?.({ providerId, to }, context)
  expect(rejected()).toContain(providerId)
  await giveUp(providerId)
  await simulator.idle()
  expect(ofKind(stage, 'call').at(-1)).toMatchObject({ providerId, state: 'missed', fromMe: false })
}

/** It is no message of now, keeps its times, and says whose words they were. */
export const olderMessages = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { simulator, written, to } = stage
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 12, minute))
  const lines = [
    { text: 'bom dia', fromMe: false, at: at(0) },
    { text: 'bom dia, em que ajudo?', fromMe: true, at: at(1) },
  ]
  await partOf(stage, 'history').tell(lines)
  await simulator.idle()
  expect(written()).toEqual([])
  const told = ofKind(stage, 'history').flatMap(({ messages }) => messages)
  expect(told.map(({ content, fromMe, timestamp }) => ({ text: content.body, fromMe, at: timestamp }))).toEqual(lines)
  for (const { from } of told) expect(from.identities).toEqual(expect.arrayContaining(to))
}

/** Free text is refused for good, and is no fault of the contact or the connection; later it is taken again. */
export const closedWindow = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { send, failure } = stage
  const open = partOf(stage, 'window').close()
  try {
    expect(await failure(send({ body: 'ainda aí?' }))).toMatchObject({
      outcome: 'final',
      isConnectionBroken: false,
      isUnreachable: false,
    })
  } finally {
    open()
  }
  await expect(send({ body: 'oi de novo' })).resolves.toMatchObject({ providerId: expect.any(String) })
}

export const inStories = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { mention, reply } = partOf(stage, 'story')
  await mention()
  await reply('que lindo!')
  await stage.simulator.idle()
  expect(stage.written().map(({ content }) => content.story?.kind)).toEqual(['mention', 'reply'])
  expect(stage.written().at(-1)?.content.body).toBe('que lindo!')
}

/** It is told as what it is; its author alone is answered, once, also when they have never written. */
export const privateReply = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { send, seen, failure, to } = stage
  const open = stage.it.window?.close()
  try {
    await partOf(stage, 'comment').write('quanto custa?')
    await stage.simulator.idle()
    const told = stage.written().at(-1)
    expect(told).toMatchObject({ fromMe: false, content: { type: 'text', body: 'quanto custa?', comment: {} } })
    expect(told?.from.identities).toEqual(expect.arrayContaining(to))
    expect(Math.abs(Date.now() - (told?.timestamp.getTime() ?? 0))).toBeLessThan(10_000)
    await send({ body: 'R$ 10', lastHeard: told?.providerId })
    expect((await seen())?.text).toBe('R$ 10')
    expect(await failure(send({ body: 'e mais', lastHeard: told?.providerId }))).toMatchObject({
      outcome: 'final',
      isUnreachable: false,
      isConnectionBroken: false,
    })
  } finally {
    open?.()
  }
}

/** A phone that left is told of and comes back by a code; taken away, it is gone at the provider. */
export const linking = async <K extends ChannelKind>(stage: Stage<K>) => {
  const { it, adapter, context } = stage
  const phone = partOf(stage, 'phone')
  const standing = async () => {
    if (it.standing) return it.standing()?.status
    const health = await adapter.check?.(context)
    return health?.standing?.status ?? (health?.problem ? 'ERROR' : 'CONNECTED')
  }
  await phone.leave()
  await expect.poll(standing).not.toBe('CONNECTED')
  const asked = await adapter.link?.({}, context)
  expect(asked).toMatchObject({ status: 'OPENING', login: { qr: expect.any(String) } })
  await phone.scan(asked?.login ?? {})
  await expect.poll(standing).toBe('CONNECTED')
  const { account } = it.standing?.() ?? (await adapter.connect(context))
  expect(account).toMatchObject({ number: expect.stringMatching(/^\d{10,15}$/) })

  await adapter.unlink?.({}, context)
  await expect.poll(standing).not.toBe('CONNECTED')
  const back = await adapter.link?.({}, context)
  await phone.scan(back?.login ?? {})
  await expect.poll(standing).toBe('CONNECTED')
}
