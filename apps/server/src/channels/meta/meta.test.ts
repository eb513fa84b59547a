import { startInstagramSimulator, startMessengerSimulator } from '@balcao/simulators/meta.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import { afterAll, expect, test } from 'vitest'
import { createEgress } from '../../kit/egress.ts'
import type { ChannelContext, InboundEvent, Outbound } from '../adapter.ts'
import { instagram } from '../instagram/adapter.ts'
import { messenger } from '../messenger/adapter.ts'

const secrets = { accessToken: 'token-da-pagina-de-teste', appSecret: 'segredo-do-aplicativo', verifyToken: 'palavra' }
const [pageId, instagramId] = ['1001', '2002']
const page = await startMessengerSimulator({ ...secrets, accountId: pageId, name: 'Loja Aurora' })
const account = await startInstagramSimulator({ ...secrets, accountId: instagramId, pageId, username: 'lojaaurora' })
afterAll(() => Promise.all([page.close(), account.close()]))

const egress = createEgress({ allow: ['127.0.0.1'] })
const place = { tenantId: 1, connectionId: 'c', hookSecret: 's', webhookUrl: '', egress, http: egress.http }
const shared = { ...secrets, humanAgent: true, comments: false, apiVersion: 'v25.0' }
const onPage: ChannelContext<'messenger'> = { ...place, config: { ...shared, pageId, baseUrl: page.url } }
const onInstagram: ChannelContext<'instagram'> = {
  ...place,
  config: { ...shared, login: 'page', pageId, instagramId, baseUrl: account.url },
}
const outbound = (more: Partial<Outbound>): Outbound => ({
  id: '0199c0de-0000-7000-8000-000000000001',
  to: [],
  type: 'text',
  body: '',
  media: null,
  location: null,
  contacts: [],
  quotedProviderId: null,
  ...more,
})
const told = (object: 'page' | 'instagram', ...events: object[]): InboundEvent[] => {
  const adapter = object === 'page' ? messenger : instagram
  const id = object === 'page' ? pageId : instagramId
  const parties = { sender: { id: '77' }, recipient: { id }, timestamp: 1_790_000_000_000 }
  const messaging = events.map((event) => ({ ...parties, ...event }))
  return adapter.split({ object, entry: [{ id, messaging }] }).flatMap(({ payload }) => adapter.parse(payload))
}

test('the same person is somebody else to every page, and is written to only by the one that knows them', async () => {
  const body = { sender: { id: '77' }, timestamp: 1, message: { mid: 'm_1', text: 'oi' } }
  const call = {
    object: 'page',
    entry: ['1001', '1002'].map((id) => ({ id, messaging: [{ ...body, recipient: { id } }] })),
  }
  const parts = messenger.hook?.partsOfApp?.(call)
  expect([...(parts?.numbers.keys() ?? [])]).toEqual(['1001', '1002'])
  const known = [...(parts?.numbers.values() ?? [])].map((part) =>
    messenger.split(part).flatMap(({ payload }) => messenger.parse(payload)),
  )
  expect(known).toMatchObject([
    [{ from: { identities: [{ kind: 'messenger', value: '1001:77' }] } }],
    [{ from: { identities: [{ kind: 'messenger', value: '1002:77' }] } }],
  ])
  const elsewhere = messenger.send(outbound({ to: [{ kind: 'messenger', value: '1002:77' }], body: 'oi' }), onPage)
  await expect(elsewhere).rejects.toMatchObject({ outcome: 'final', isUnreachable: true })
  expect(page.requests).toHaveLength(0)
  // What is said of pages is nobody's at the address of Instagram, and the other way round.
  expect(instagram.hook?.partsOfApp?.(call)).toEqual({ numbers: new Map(), accounts: new Map() })
})

test('an answer to a story says so and where the story is; a mention brings the file', () => {
  const url = 'https://scontent.example/story.jpg'
  const [reply, mention] = told(
    'instagram',
    { message: { mid: 'm_1', text: 'Tem no M?', reply_to: { story: { id: '1', url } } } },
    { message: { mid: 'm_2', attachments: [{ type: 'story_mention', payload: { url } }] } },
  )
  expect(reply).toMatchObject({ content: { type: 'text', body: 'Tem no M?', story: { kind: 'reply', url } } })
  expect(mention).toMatchObject({ content: { type: 'image', media: { source: { url } }, story: { kind: 'mention' } } })
})

test('a message that came by an advertisement says which', () => {
  const given = { source: 'ADS', type: 'OPEN_THREAD', ad_id: '120', ads_context_data: { ad_title: 'Vasos' } }
  const [first, plain] = told(
    'page',
    { message: { mid: 'm_1', text: 'Ainda tem?', referral: given } },
    { message: { mid: 'm_2', text: 'oi', referral: 7 } },
  )
  const referral = { kind: 'ad', title: 'Vasos', body: '', url: null, sourceId: '120', clickId: null }
  expect(first).toMatchObject({ content: { body: 'Ainda tem?', referral } })
  expect(plain).toMatchObject({ content: { body: 'oi' } })
})

test('several files in one message are so many messages, the words stay with the first', () => {
  const attachments = ['um', 'dois'].map((name) => ({ type: 'image', payload: { url: `https://cdn.example/${name}` } }))
  expect(told('page', { message: { mid: 'm_9', text: 'olha', attachments } })).toMatchObject([
    { providerId: 'm_9', content: { body: 'olha', media: { source: { url: 'https://cdn.example/um' } } } },
    { providerId: 'm_9#2', content: { body: '', media: { source: { url: 'https://cdn.example/dois' } } } },
  ])
})

test('an edit, a reaction told in words and what was taken back carry what they mean', () => {
  expect(
    told(
      'page',
      { message_edit: { mid: 'm_1', text: 'amanhã', num_edit: 1 } },
      { reaction: { mid: 'm_2', action: 'react', reaction: 'wow' } },
      { message: { mid: 'm_1', is_deleted: true } },
    ),
  ).toMatchObject([
    { kind: 'edit', providerId: 'm_1', body: 'amanhã', at: new Date(1_790_000_000_000) },
    { kind: 'reaction', targetProviderId: 'm_2', emoji: '😮', fromMe: false },
    { kind: 'delete', providerId: 'm_1' },
  ])
})

test('more than three options are quick replies; what is pressed comes back as what we called it', async () => {
  const ana = account.customer({ name: 'Ana', username: 'ana' })
  ana.lastInboundAt = Date.now()
  const to = [{ kind: 'instagram' as const, value: `${instagramId}:${ana.id}` }]
  const options = ['Pix', 'Boleto', 'Cartão', 'Dinheiro'].map((title) => ({ id: title, title, description: '' }))
  const interactive = { kind: 'buttons' as const, header: '', footer: '', button: '', options }
  await instagram.send(outbound({ to, type: 'interactive', body: 'Como prefere?', interactive }), onInstagram)
  expect(ana.inbox.at(-1)).toMatchObject({
    type: 'text',
    text: 'Como prefere?',
    buttons: options.map(({ id, title }) => ({ id, title })),
  })
  expect(
    told('instagram', { message: { mid: 'm', text: 'Boleto', quick_reply: { payload: 'Boleto' } } }),
  ).toMatchObject([{ content: { type: 'text', body: 'Boleto', choice: 'Boleto' } }])
})

test('after a day a person answers with the tag of a human agent, and nobody after a week', async () => {
  const bia = page.customer({ name: 'Bia' })
  const to = [{ kind: 'messenger' as const, value: `${pageId}:${bia.id}` }]
  const day = 24 * 60 * 60_000
  bia.lastInboundAt = Date.now() - 2 * day
  const refused = messenger.send(outbound({ to, body: 'automática' }), onPage)
  await expect(refused).rejects.toMatchObject({ outcome: 'final', isConnectionBroken: false, isUnreachable: false })
  await messenger.send(outbound({ to, body: 'de gente', isLate: true }), onPage)
  expect([bia.inbox.at(-1)?.text, page.tags.at(-1)]).toEqual(['de gente', 'HUMAN_AGENT'])
  bia.lastInboundAt = Date.now() - 8 * day
  await expect(messenger.send(outbound({ to, body: 'tarde', isLate: true }), onPage)).rejects.toMatchObject({
    outcome: 'final',
    isConnectionBroken: false,
  })
})

test('Instagram takes its own kinds of files, and a page one reaction: the rest is known before anything leaves', async () => {
  const { bytes } = sampleMedia('sticker')
  const file = {
    name: 'a.webp',
    mime: 'image/webp',
    size: bytes.length,
    bytes: async () => bytes,
    url: () => 'https://x.example/a',
  }
  const to = [{ kind: 'instagram' as const, value: `${instagramId}:1` }]
  const before = account.requests.length
  const send = (media: Outbound['media']) => instagram.send(outbound({ to, type: 'image', media }), onInstagram)
  await expect(send(file)).rejects.toMatchObject({ outcome: 'final', message: expect.stringContaining('JPEG') })
  await expect(send({ ...file, mime: 'image/png', size: 9_000_000 })).rejects.toMatchObject({
    message: expect.stringContaining('grande'),
  })
  const react = instagram.react?.({ to, providerId: 'm', emoji: '👍', fromMe: false }, onInstagram)
  await expect(react).rejects.toMatchObject({ outcome: 'final', isConnectionBroken: false })
  expect(account.requests).toHaveLength(before)
})

test('who writes is asked for by name; an account that lost its subscription says what to do', async () => {
  const caio = account.customer({ name: 'Caio Prado', username: 'caio' })
  const to = [{ kind: 'instagram' as const, value: `${instagramId}:${caio.id}` }]
  expect(await instagram.profile?.({ to }, onInstagram)).toMatchObject({ name: 'Caio Prado' })
  expect((await instagram.connect(onInstagram)).text).toBe('Conectado a @lojaaurora.')
  expect(await instagram.check?.(onInstagram)).toEqual({ problem: null })
  account.isSubscribed = false
  expect((await instagram.check?.(onInstagram))?.problem).toMatch(/Toque em Testar/)
  // A token of one account says nothing of another.
  const other = { ...onInstagram, config: { ...onInstagram.config, instagramId: '9' } }
  await expect(instagram.connect(other)).rejects.toMatchObject({ outcome: 'final' })
})

test('a permission that is missing is named to whoever takes care of the channel', async () => {
  page.faults.next({
    status: 403,
    body: { error: { code: 200, message: '(#200) Requires pages_messaging permission to manage the object' } },
  })
  const refused = messenger.send(outbound({ to: [{ kind: 'messenger', value: `${pageId}:77` }], body: 'oi' }), onPage)
  await expect(refused).rejects.toMatchObject({
    isConnectionBroken: true,
    forAdmin: { text: expect.stringContaining('permissão pages_messaging') },
  })
})

test('comments are asked for where they are attended alone', async () => {
  const asked = async (comments: boolean) => {
    await messenger.connect({ ...onPage, config: { ...onPage.config, comments } })
    return page.requests.findLast(({ path }) => path.endsWith('/subscribed_apps'))?.query.subscribed_fields
  }
  expect(await asked(false)).not.toContain('feed')
  expect(await asked(true)).toContain('feed')
})

test('an Instagram account without a page is asked for its messages by its own names', async () => {
  const alone = await startInstagramSimulator({ ...secrets, accountId: instagramId })
  const config = { ...onInstagram.config, login: 'instagram' as const, baseUrl: alone.url, comments: true }
  await instagram.connect({ ...onInstagram, config })
  const told = alone.requests.findLast(({ path }) => path.endsWith('/subscribed_apps'))?.query.subscribed_fields
  expect(told?.split(',')).toEqual(expect.arrayContaining(['messages', 'messaging_seen', 'comments']))
  await alone.close()
})
