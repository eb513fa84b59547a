import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sampleMedia } from './samples.ts'
import { startTelegramSimulator, type TelegramSimulator } from './telegram.ts'
import { startReceiver } from './test-receiver.ts'

const token = '7000000001:AAF-segredo_do_bot'
let now = Date.parse('2026-11-20T12:00:00Z')
let sim: TelegramSimulator
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeEach(async () => {
  now = Date.parse('2026-11-20T12:00:00Z')
  receiver = await startReceiver()
  sim = await startTelegramSimulator({
    botToken: token,
    botUsername: 'loja_bot',
    clock: () => now,
    delivery: { retryDelaysMs: [5, 10] },
  })
})
afterEach(async () => {
  await sim.close()
  await receiver.close()
})

const answer = z.looseObject({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z.looseObject({}).optional(),
})
const message = z.looseObject({ message_id: z.number(), chat: z.looseObject({ id: z.number() }) })
const call = async (method: string, params: object | FormData = {}, bot = token) => {
  const isForm = params instanceof FormData
  const reply = await fetch(`${sim.url}/bot${bot}/${method}`, {
    method: 'POST',
    headers: isForm ? {} : { 'content-type': 'application/json' },
    body: params instanceof FormData ? params : JSON.stringify(params),
  })
  const body = answer.parse(await reply.json())
  expect(reply.status).toBe(body.error_code ?? 200)
  return body
}
const hook = (more: object = {}) => call('setWebhook', { url: receiver.url, secret_token: 'segredo-1', ...more })
const updates = () => receiver.received.map(({ body }) => z.looseObject({ update_id: z.number() }).parse(body))
const newAna = async () => {
  const ana = sim.customer({ id: 5_900_000_001, firstName: 'Ana', username: 'ana' })
  await ana.start()
  return ana
}

describe('receiving', () => {
  test('updates are posted with the secret header and sequential ids, with gaps and repeats on demand', async () => {
    await hook()
    const ana = await newAna()
    await ana.sendText('oi')
    sim.skipUpdateIds(3)
    await ana.sendText('tem?')
    await sim.repeat()
    sim.delivery.badSignature = true
    await ana.sendText('falso')
    const ids = updates().map(({ update_id }) => update_id)
    const first = ids[0] ?? 0
    expect(ids).toEqual([first, first + 1, first + 5, first + 5, first + 6])
    const secrets = receiver.received.map(({ headers }) => headers['x-telegram-bot-api-secret-token'])
    expect(secrets).toEqual(['segredo-1', 'segredo-1', 'segredo-1', 'segredo-1', 'wrong-secret'])
    expect(updates()[1]).toMatchObject({
      message: { text: 'oi', chat: { id: 5_900_000_001, type: 'private' }, from: { is_bot: false, username: 'ana' } },
    })
    expect(ana.transcript[1]?.state).toBe('read')
  })

  test('a refused post comes again and getWebhookInfo tells it', async () => {
    await hook()
    receiver.answers.push(500)
    await newAna()
    await sim.idle()
    expect(receiver.received).toHaveLength(2)
    receiver.answers.push(500, 500, 500)
    await sim.customers[0]?.sendText('oi')
    await sim.idle()
    expect((await call('getWebhookInfo')).result).toMatchObject({
      url: receiver.url,
      pending_update_count: 1,
      last_error_message: 'Wrong response from the webhook: 500',
    })
  })

  test('without a webhook updates wait for getUpdates, confirmed by offset', async () => {
    const ana = await newAna()
    await ana.sendText('oi')
    const got = z.array(z.looseObject({ update_id: z.number() })).parse((await call('getUpdates')).result)
    expect(got).toHaveLength(2)
    expect((await call('getUpdates', { offset: (got[0]?.update_id ?? 0) + 1 })).result).toHaveLength(1)
    const waiting = call('getUpdates', { offset: (got[1]?.update_id ?? 0) + 1, timeout: 5 })
    await new Promise((resolve) => setTimeout(resolve, 30))
    await ana.sendText('ainda aí?')
    expect((await waiting).result).toHaveLength(1)
    await hook()
    await sim.idle()
    expect(receiver.received).toHaveLength(1)
    expect((await call('getUpdates')).error_code).toBe(409)
  })

  test('albums, edits, callbacks and voice arrive in their own shapes; reactions only when asked for', async () => {
    await hook()
    const ana = await newAna()
    await ana.sendAlbum([sampleMedia('image'), sampleMedia('image')], 'duas')
    const id = await ana.sendText('erado')
    await ana.editText(id, 'errado')
    await ana.react(id, '👍')
    await hook({ allowed_updates: ['message', 'message_reaction', 'callback_query'] })
    await ana.react(id, '❤')
    await ana.sendVoice()
    const [, one, two, , edited, reaction, voice] = updates()
    expect(one).toMatchObject({
      message: { caption: 'duas', media_group_id: expect.any(String), photo: [{}, { width: 320 }] },
    })
    expect(
      z.looseObject({ message: z.looseObject({ media_group_id: z.string() }) }).parse(two).message.media_group_id,
    ).toBe(z.looseObject({ message: z.looseObject({ media_group_id: z.string() }) }).parse(one).message.media_group_id)
    expect(edited).toMatchObject({ edited_message: { text: 'errado', edit_date: expect.any(Number) } })
    expect(reaction).toMatchObject({
      message_reaction: { old_reaction: [{ emoji: '👍' }], new_reaction: [{ emoji: '❤' }] },
    })
    expect(voice).toMatchObject({ message: { voice: { mime_type: 'audio/ogg' } } })
  })

  test('files are fetched by getFile and a path that lives an hour', async () => {
    await hook()
    const ana = await newAna()
    const file = sampleMedia('document')
    await ana.sendDocument(file)
    const { message: sent } = z
      .looseObject({ message: z.looseObject({ document: z.looseObject({ file_id: z.string() }) }) })
      .parse(updates().at(-1))
    const got = z
      .object({ file_path: z.string(), file_size: z.number() })
      .loose()
      .parse((await call('getFile', { file_id: sent.document.file_id })).result)
    const link = `${sim.url}/file/bot${token}/${got.file_path}`
    expect(Buffer.from(await (await fetch(link)).arrayBuffer())).toEqual(file.bytes)
    now += 3_600_000
    expect((await fetch(link)).status).toBe(404)
    expect((await call('getFile', { file_id: 'nada' })).description).toBe('Bad Request: invalid file_id')
  })
})

describe('sending', () => {
  test('text with markup reaches the phone as text and entities', async () => {
    const ana = await newAna()
    const sent = await call('sendMessage', {
      chat_id: ana.id,
      text: 'Oi <b>Ana</b> &amp; <a href="https://ex.com">cia</a>',
      parse_mode: 'HTML',
    })
    expect(message.parse(sent.result)).toMatchObject({
      text: 'Oi Ana & cia',
      chat: { id: ana.userId },
      from: { is_bot: true },
    })
    expect(ana.inbox[0]?.entities).toEqual([
      { type: 'bold', offset: 3, length: 3 },
      { type: 'text_link', offset: 9, length: 3, url: 'https://ex.com' },
    ])
    await call('sendmessage', { chat_id: ana.id, text: '*Oi* \\- _tudo_', parse_mode: 'MarkdownV2' })
    expect(ana.inbox[1]).toMatchObject({ text: 'Oi - tudo' })
    expect((await call('sendMessage', { chat_id: ana.id, text: '<b>oi', parse_mode: 'HTML' })).error_code).toBe(400)
    expect((await call('sendMessage', { chat_id: ana.id, text: 'oi.', parse_mode: 'MarkdownV2' })).error_code).toBe(400)
    expect((await call('sendMessage', { chat_id: ana.id, text: 'a'.repeat(4097) })).description).toBe(
      'Bad Request: message is too long',
    )
  })

  test('pictures by upload, by id and by form; albums of two to ten', async () => {
    const ana = await newAna()
    const { bytes } = sampleMedia('image')
    const form = new FormData()
    form.set('chat_id', ana.id)
    form.set('caption', 'veja')
    form.set('photo', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'foto.jpg')
    const sent = z
      .looseObject({ photo: z.array(z.looseObject({ file_id: z.string() })) })
      .parse((await call('sendPhoto', form)).result)
    expect(ana.inbox[0]).toMatchObject({ type: 'image', text: 'veja', media: { bytes, mimeType: 'image/jpeg' } })
    await call('sendPhoto', { chat_id: ana.id, photo: sent.photo[1]?.file_id })
    expect(ana.inbox[1]?.media?.bytes).toEqual(bytes)
    expect((await call('sendPhoto', { chat_id: ana.id, photo: 'nada' })).error_code).toBe(400)
    const album = new FormData()
    album.set('chat_id', ana.id)
    album.set(
      'media',
      JSON.stringify([
        { type: 'photo', media: 'attach://a' },
        { type: 'photo', media: sent.photo[1]?.file_id },
      ]),
    )
    album.set('a', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'a.jpg')
    expect((await call('sendMediaGroup', album)).result).toHaveLength(2)
    expect((await call('sendMediaGroup', { chat_id: ana.id, media: [] })).error_code).toBe(400)
    expect(ana.inbox).toHaveLength(4)
  })

  test('replies, edits, reactions, deletion and typing', async () => {
    const ana = await newAna()
    const first = ana.transcript[0]?.id ?? ''
    const { message_id } = message.parse(
      (await call('sendMessage', { chat_id: ana.id, text: 'a', reply_parameters: { message_id: Number(first) } }))
        .result,
    )
    expect(ana.inbox[0]?.replyTo).toBe(first)
    expect(
      (await call('sendMessage', { chat_id: ana.id, text: 'a', reply_parameters: { message_id: 999 } })).error_code,
    ).toBe(400)
    expect((await call('editMessageText', { chat_id: ana.id, message_id, text: 'b' })).ok).toBe(true)
    expect((await call('editMessageText', { chat_id: ana.id, message_id, text: 'b' })).description).toContain(
      'not modified',
    )
    expect(
      (await call('editMessageText', { chat_id: ana.id, message_id: Number(first), text: 'b' })).description,
    ).toContain("can't be edited")
    expect(
      (
        await call('setMessageReaction', {
          chat_id: ana.id,
          message_id: Number(first),
          reaction: [{ type: 'emoji', emoji: '👍' }],
        })
      ).ok,
    ).toBe(true)
    expect(ana.transcript[0]?.reactions.business).toBe('👍')
    expect((await call('sendChatAction', { chat_id: ana.id, action: 'typing' })).result).toBe(true)
    expect(ana.isBusinessTyping).toBe(true)
    now += 49 * 3_600_000
    expect((await call('deleteMessage', { chat_id: ana.id, message_id })).error_code).toBe(400)
    now -= 49 * 3_600_000
    expect((await call('deleteMessage', { chat_id: ana.id, message_id })).result).toBe(true)
    expect(ana.inbox[0]).toMatchObject({ text: 'b', isEdited: true, isDeleted: true })
    await call('forwardMessage', { chat_id: ana.id, from_chat_id: ana.id, message_id: Number(first) })
    expect(ana.inbox.at(-1)?.text).toBe('/start')
  })

  test('a pressed button is a callback query, answered once', async () => {
    await hook()
    const ana = await newAna()
    const { message_id } = message.parse(
      (
        await call('sendMessage', {
          chat_id: ana.id,
          text: 'ok?',
          reply_markup: { inline_keyboard: [[{ text: 'Sim', callback_data: 'sim' }]] },
        })
      ).result,
    )
    await ana.press(String(message_id), 'sim')
    const { callback_query: query } = z
      .looseObject({ callback_query: z.looseObject({ id: z.string(), data: z.string() }) })
      .parse(updates().at(-1))
    expect(query).toMatchObject({ data: 'sim', message: { message_id } })
    expect((await call('answerCallbackQuery', { callback_query_id: query.id, text: 'Certo' })).result).toBe(true)
    expect((await call('answerCallbackQuery', { callback_query_id: query.id })).error_code).toBe(400)
    expect(sim.callbackAnswers.get(query.id)?.text).toBe('Certo')
  })

  test('strangers, blockers, kicks, wrong tokens and unknown methods are refused', async () => {
    await hook()
    expect((await call('sendMessage', { chat_id: 1, text: 'a' })).description).toBe('Bad Request: chat not found')
    const known = sim.customer({ id: 5_900_000_009, firstName: 'Bia' })
    expect((await call('sendMessage', { chat_id: known.id, text: 'a' })).ok).toBe(false)
    known.hasStarted = true // before the simulator was there to see it
    expect((await call('sendMessage', { chat_id: known.id, text: 'a' })).ok).toBe(true)
    const ana = await newAna()
    await ana.block()
    expect(updates().at(-1)).toMatchObject({ my_chat_member: { new_chat_member: { status: 'kicked' } } })
    expect((await call('sendMessage', { chat_id: ana.id, text: 'a' })).error_code).toBe(403)
    await ana.unblock()
    expect((await call('sendMessage', { chat_id: ana.id, text: 'a' })).ok).toBe(true)
    expect((await call('getMe', {}, '1:x')).error_code).toBe(401)
    expect((await call('dance')).error_code).toBe(404)
    sim.revokeToken()
    expect((await call('getMe')).error_code).toBe(401)
  })

  test('429 says how long to wait, by fault and by limit', async () => {
    const ana = await newAna()
    sim.tooManyRequests(5)
    expect((await call('getMe')).ok).toBe(true)
    expect(await call('sendMessage', { chat_id: ana.id, text: 'a' })).toMatchObject({
      error_code: 429,
      parameters: { retry_after: 5 },
    })
    sim.limits.perChatMs = 1_000
    expect((await call('sendMessage', { chat_id: ana.id, text: 'a' })).ok).toBe(true)
    expect(await call('sendMessage', { chat_id: ana.id, text: 'b' })).toMatchObject({
      error_code: 429,
      parameters: { retry_after: 1 },
    })
    expect(ana.inbox).toHaveLength(1)
  })

  test('a migrated group points to its new id', async () => {
    await hook()
    const ana = await newAna()
    const group = sim.group({ title: 'Família', members: [ana] })
    await ana.sendText('oi todos', { chat: group })
    expect(updates().at(-1)).toMatchObject({ message: { chat: { id: group.id, type: 'group', title: 'Família' } } })
    const supergroup = await sim.migrate(group)
    expect(updates().slice(-2)).toMatchObject([
      { message: { migrate_to_chat_id: supergroup.id } },
      { message: { migrate_from_chat_id: group.id } },
    ])
    expect(await call('sendMessage', { chat_id: group.id, text: 'a' })).toMatchObject({
      error_code: 400,
      parameters: { migrate_to_chat_id: supergroup.id },
    })
    expect((await call('sendMessage', { chat_id: supergroup.id, text: 'a' })).ok).toBe(true)
  })
})
