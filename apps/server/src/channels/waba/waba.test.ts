import { fixture } from '@balcao/simulators/fixtures.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import type { TemplateInput } from '@balcao/simulators/waba/templates.ts'
import { startWabaSimulator, type WabaSimulator } from '@balcao/simulators/waba.ts'
import { v7 } from 'uuid'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { direct, http } from '../../kit/egress.ts'
import type { ChannelContext, InboundEvent, Outbound } from '../adapter.ts'
import { startReceiver, wholeOf } from '../conformance.receiver.ts'
import { templateShapeOf } from '../template-shape.ts'
import { waba } from './adapter.ts'
import { byAccount, byPhoneNumber, parse, split } from './parse.ts'

const config = {
  accessToken: 'EAAB-token-de-teste-0123456789',
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
  appSecret: 'segredo-do-aplicativo-de-teste',
  verifyToken: 'palavra-de-verificacao',
  apiVersion: 'v25.0',
}
const simulator: WabaSimulator = await startWabaSimulator({
  ...config,
  displayPhoneNumber: '+55 11 3000-0000',
  delivery: { retryDelaysMs: [] },
})
const receiver = await startReceiver(waba)
simulator.setWebhook(receiver.url)
const context: ChannelContext<'waba'> = {
  tenantId: 1,
  connectionId: v7(),
  config: { ...config, baseUrl: `${simulator.url}/` },
  hookSecret: '',
  webhookUrl: receiver.url,
  http,
  egress: direct,
}
receiver.use(context)
afterAll(async () => {
  await simulator.close()
  await receiver.close()
})
beforeEach(async () => {
  await simulator.idle()
  receiver.clear()
})

const eventsOf = (name: string): InboundEvent[] =>
  split(fixture('waba', name)).flatMap(({ payload }) => parse(JSON.parse(JSON.stringify(payload))))
const incoming = (message: object, value: object = {}) =>
  split({
    entry: [
      {
        id: '1',
        changes: [
          {
            field: 'messages',
            value: {
              messages: [{ id: 'wamid.1', from: '5511988887777', timestamp: '1790000000', ...message }],
              ...value,
            },
          },
        ],
      },
    ],
  }).flatMap(({ payload }) => parse(payload))

test('the handshake echoes the challenge for our word only', async () => {
  expect(await simulator.verifyWebhook()).toMatchObject({ isVerified: true, status: 200 })
  expect(await simulator.verifyWebhook('outra-palavra')).toMatchObject({ isVerified: false, status: 403 })
  const query = { 'hub.mode': 'unsubscribe', 'hub.challenge': '1', 'hub.verify_token': config.verifyToken }
  const raw = { method: 'GET', headers: {}, rawBody: Buffer.alloc(0), body: undefined }
  expect(waba.hook?.handshake?.({ ...raw, query }, context)).toBeUndefined()
})

test('connecting subscribes the app to the account', async () => {
  expect(await waba.connect(context)).toEqual({
    text: 'Conectado a Loja de Teste (+55 11 3000-0000).',
    account: { name: 'Loja de Teste', number: '551130000000' },
  })
  expect(simulator.isSubscribed).toBe(true)
  const wrong = { ...context, config: { ...context.config, phoneNumberId: '999' } }
  await expect(waba.connect(wrong)).rejects.toMatchObject({
    outcome: 'final',
    message: 'A Meta não reconhece o ID do número ou da conta. Confira os dados do canal.',
  })
})

test('a number that is not registered yet says so where it is connected', async () => {
  simulator.account.isRegistered = false
  const { text } = await waba.connect(context)
  simulator.account.isRegistered = true
  expect(text).toContain('Falta registrar o número')
})

test('someone with a username is known by the business-scoped id alone, and answered by it', async () => {
  expect(eventsOf('text-bsuid-only')).toMatchObject([
    { from: { identities: [{ kind: 'bsuid', value: 'BR.9876543210' }], name: 'Bia' } },
  ])
  const bia = simulator.customer({ userId: 'BR.9876543210', name: 'Bia' })
  await bia.sendText('oi')
  const to = [{ kind: 'bsuid', value: 'BR.9876543210' } as const]
  const blank = { media: null, location: null, contacts: [], quotedProviderId: null }
  const sent = await waba.send({ id: v7(), to, type: 'text', body: 'Oi, Bia', ...blank }, context)
  expect(sent.identities).toEqual([{ kind: 'bsuid', value: 'BR.9876543210' }])
  await simulator.idle()
  expect(bia.inbox.at(-1)).toMatchObject({ text: 'Oi, Bia' })
})

test('what was written on the phone is ours, to the customer', () => {
  expect(eventsOf('smb-message-echoes')).toMatchObject([
    {
      fromMe: true,
      from: { identities: [{ kind: 'phone', value: '5511988887777' }] },
      content: { body: 'Respondi pelo celular' },
    },
  ])
})

test('a group is one contact; whoever speaks is named beside it', () => {
  expect(eventsOf('text-group')).toMatchObject([
    {
      from: { identities: [{ kind: 'group', value: '120363000000000001' }], isGroup: true },
      author: { name: 'Ana Souza' },
      content: { body: 'Bom dia, grupo' },
    },
  ])
})

test('in a batch each message keeps its own person', async () => {
  const [ana, bia] = [
    simulator.customer({ waId: '5511911110000', name: 'Ana' }),
    simulator.customer({ userId: 'BR.77', name: 'Bia' }),
  ]
  await simulator.batch(() => {
    void ana.sendText('de Ana')
    void bia.sendText('de Bia')
    void simulator.emitStatus('wamid.X', 'sent')
    void simulator.emitChange('account_update', { event: 'X' })
  })
  expect(receiver.calls).toHaveLength(1)
  expect(receiver.events()).toMatchObject([
    { content: { body: 'de Ana' }, from: { name: 'Ana' } },
    { content: { body: 'de Bia' }, from: { name: 'Bia' } },
    { kind: 'status', providerId: 'wamid.X', status: 'sent' },
    { kind: 'standing' },
  ])
  expect(receiver.journal.size).toBe(4)
})

test('what Meta tells besides messages says of whom and when; a ringing call is turned down at Meta', async () => {
  const who = [
    { kind: 'bsuid', value: 'BR.1234567890' },
    { kind: 'phone', value: '5511988887777' },
  ]
  const when = new Date(1_790_000_000_000)
  const [ringing] = eventsOf('calls-connect')
  expect(ringing).toMatchObject({ providerId: 'wacid.AAA', from: { identities: who, name: 'Ana Souza' }, at: when })
  expect(eventsOf('calls-terminate')).toMatchObject([{ state: 'ended', seconds: 55, fromMe: false }])
  const call = {
    id: 'wacid.B',
    event: 'terminate',
    direction: 'BUSINESS_INITIATED',
    from: '1',
    to: '5511',
    timestamp: '1790000000',
  }
  expect(parse({ field: 'calls', value: { calls: [call] } })).toMatchObject([
    { state: 'missed', fromMe: true, from: { identities: [{ kind: 'phone', value: '5511' }] } },
  ])
  expect(eventsOf('group-participants-update')).toMatchObject([
    { group: { isGroup: true }, change: 'joined', members: [{ identities: [{ kind: 'phone' }] }], at: when },
  ])
  expect(eventsOf('user-preferences')).toMatchObject([
    { who, isGiven: false, proof: 'não quer mais receber promoções', at: when },
  ])
  expect(eventsOf('history')).toMatchObject([{ messages: [{ fromMe: false, content: { body: 'mensagem antiga' } }] }])
  await waba.rejectCall?.({ providerId: 'wacid.AAA', to: [] }, context)
  expect(simulator.rejectedCalls).toEqual(['wacid.AAA'])
})

test('our own id comes back with a state only when it is one of ours', () => {
  expect(eventsOf('status-delivered')).toMatchObject([{ messageId: undefined }])
  const id = v7()
  const status = { id: 'wamid.1', status: 'sent', timestamp: '1790000000', biz_opaque_callback_data: id }
  expect(parse({ kind: 'status', status })).toMatchObject([{ messageId: id }])
})

test('a failure is told in Portuguese; one that stops the account tells the administrator too', () => {
  expect(eventsOf('status-failed')).toEqual([
    expect.objectContaining({
      status: 'failed',
      isUnreachable: true,
      error: 'Não conseguimos entregar. O número não tem WhatsApp ou usa uma versão antiga.',
    }),
  ])
  const failed = { id: 'wamid.1', status: 'failed', timestamp: '1', errors: [{ code: 131042, title: 'x' }] }
  expect(parse({ kind: 'status', status: failed })).toMatchObject([
    { kind: 'status', status: 'failed', isUnreachable: false },
    { kind: 'connection', status: 'ERROR', text: 'Há um problema de cobrança na conta da Meta.' },
  ])
})

test('an account error beside messages is kept, and one that stops everything is told', () => {
  const value = { errors: [{ code: 131031, title: 'Account locked' }] }
  expect(incoming({ type: 'text', text: { body: 'oi' } }, value)).toMatchObject([
    { kind: 'message' },
    { kind: 'connection', status: 'ERROR' },
  ])
})

test('the answers of a Flow are readable', () => {
  expect(eventsOf('interactive-nfm-reply')).toMatchObject([
    { content: { body: 'Formulário respondido\nNota: 5', form: [{ field: 'Nota', value: '5' }] } },
  ])
})

test('fields and options of a Flow read as a person wrote them', () => {
  const answers = {
    flow_token: 't',
    screen_0_Nome_completo_0: 'Ana',
    screen_1_Quer_2: '0_Sim',
    dias: ['0_Seg', 'Ter'],
    ok: true,
  }
  const nfm_reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(answers) }
  expect(incoming({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply } })).toMatchObject([
    { content: { body: 'Formulário respondido\nNome completo: Ana\nQuer: Sim\nDias: Seg, Ter\nOk: Sim' } },
  ])
  const broken = { ...nfm_reply, response_json: '{' }
  expect(incoming({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: broken } })).toMatchObject([
    { content: { body: 'Formulário respondido\nSent' } },
  ])
})

test('an order shows its prices, and a broken one is left for a person to look at', () => {
  const [asked] = eventsOf('order')
  expect(asked).toMatchObject({
    content: { order: { items: [{ id: 'SKU-1', quantity: 2, unitCents: 1990 }, {}], note: 'Sem cebola' } },
  })
  expect(asked?.kind === 'message' && asked.content.body.replaceAll('\u00a0', ' ')).toBe(
    'Pedido do catálogo:\n2 × SKU-1 (R$ 19,90)\n1 × SKU-2 (R$ 5,00)\nTotal: R$ 44,80\nSem cebola',
  )
  const item = { product_retailer_id: 'A', quantity: 1, item_price: 1, currency: 'REAIS' }
  expect(incoming({ type: 'order', order: { product_items: [item] } })).toEqual([])
})

test('a message tells of the advertisement it came from, the product it asks about, and that it was passed on', () => {
  const [advert, product] = [fixture('waba', 'text-referral'), fixture('waba', 'text-product')].map((one) =>
    split(one).flatMap(({ payload }) => parse(payload)),
  )
  const referral = {
    kind: 'ad',
    title: 'Promoção de inverno',
    body: 'Até 40% de desconto',
    url: 'https://fb.me/abc',
    sourceId: '120200000000',
    clickId: 'ARabc123',
  }
  expect(advert).toMatchObject([{ content: { body: 'Vi o anúncio', referral } }])
  expect(product).toMatchObject([{ content: { product: { catalogId: '880011', id: 'SKU-1' } } }])
  for (const word of ['forwarded', 'frequently_forwarded'])
    expect(incoming({ type: 'text', text: { body: 'oi' }, context: { [word]: true } })).toMatchObject([
      { content: { body: 'oi', isForwarded: true } },
    ])
})

test('what a restricted account cannot do is told in words', () => {
  const value = {
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' }],
  }
  expect(parse({ field: 'account_update', value })).toMatchObject([
    { text: expect.stringContaining('A Meta restringiu esta conta: ela não inicia conversas.') },
    { kind: 'standing' },
  ])
})

test('a limit of sends is told in numbers, and as none where there is none', () => {
  const told = (field: string, value: object) =>
    split({ entry: [{ id: '1', changes: [{ field, value }] }] })
      .flatMap(({ payload }) => parse(payload))
      .flatMap((event) => (event.kind === 'alert' ? event.text : []))
  const quality = (current_limit: string) =>
    told('phone_number_quality_update', { event: 'UPGRADE', current_limit, display_phone_number: '551130000000' })
  expect(quality('TIER_2K')[0]).toContain('com até 2.000 pessoas por dia')
  expect(quality('TIER_UNLIMITED')[0]).toContain('com quantas pessoas quiser por dia')
  expect(told('business_capability_update', { max_daily_conversations_per_business: -1 })[0]).toContain(
    'quantas pessoas',
  )
  expect(told('business_capability_update', { max_daily_conversations_per_business: 10_000 })[0]).toContain('10.000')
})

test('a detail of the wrong shape does not lose the message', () => {
  const odd = { type: 'text', text: { body: 'oi' }, context: 'x', errors: null, referral: 7, group_id: null }
  expect(incoming(odd, { contacts: [{ wa_id: 7, profile: null }] })).toMatchObject([{ content: { body: 'oi' } }])
})

test('what comes in stays within the contract', () => {
  const long = 'á'.repeat(2_000)
  const place = { latitude: 1, longitude: 2, name: long, address: long }
  const [where] = incoming({ type: 'location', location: place })
  expect(where).toMatchObject({ content: { location: { name: 'á'.repeat(200), address: 'á'.repeat(500) } } })
  expect(incoming({ type: 'location', location: { latitude: 91, longitude: 0 } })).toEqual([])
  const card = { name: { formatted_name: long }, phones: Array(30).fill({ phone: long }), org: { company: long } }
  const [contact] = incoming({ type: 'contacts', contacts: [card, {}] })
  expect(contact).toMatchObject({ content: { contacts: [{ name: 'á'.repeat(120) }, { name: 'Contato', phones: [] }] } })
})

test('keys are the provider’s, and never meet by chance', () => {
  const keys = (name: string) => split(fixture('waba', name)).map(({ key }) => key)
  expect(keys('status-read')[0]).toMatch(/^status:wamid\..+:read$/)
  expect(keys('text')[0]).toMatch(/^message:wamid\./)
  expect(keys('calls-connect')).not.toEqual(keys('calls-terminate'))
  expect(split({ a: 1 })[0]?.key).not.toBe(split({ a: 2 })[0]?.key)
})

test('a call for a whole app is cut by phone number', () => {
  const change = (number: string) => ({
    field: 'messages',
    value: { metadata: { phone_number_id: number }, messages: [] },
  })
  const parts = byPhoneNumber({
    entry: [
      { id: '1', changes: [change('10'), change('20')] },
      { id: '2', changes: [change('10')] },
    ],
  })
  expect([...parts.keys()]).toEqual(['10', '20'])
  expect(parts.get('10')).toMatchObject({ entry: [{ id: '1' }, { id: '2' }] })
})

test('a document whose content looks like an error of Meta is still a document', async () => {
  const bytes = Buffer.from('{"error":{"code":190}}')
  await simulator
    .customer({ waId: '5511911112222' })
    .sendDocument({ bytes, mimeType: 'text/plain', filename: 'a.json' })
  const [event] = receiver.events()
  const source = event?.kind === 'message' ? event.content.media?.source : undefined
  expect((await wholeOf(await waba.fetchMedia?.(source ?? {}, context)))?.toString()).toBe(bytes.toString())
})

test('a file that does not match its hash is asked for again', async () => {
  await simulator.customer({ waId: '5511911112222' }).sendImage()
  const [event] = receiver.events()
  const source = event?.kind === 'message' ? event.content.media?.source : undefined
  simulator.faults.next({ status: 200, body: 'meia imagem', match: '/whatsapp_business/attachments/' })
  await expect(waba.fetchMedia?.(source ?? {}, context)).rejects.toMatchObject({ outcome: 'retry' })
})

test('what names no number is cut by account', () => {
  const change = (value: object) => ({ field: 'message_template_status_update', value })
  const parts = byAccount({
    entry: [
      { id: '1', changes: [change({ event: 'APPROVED' }), change({ metadata: { phone_number_id: '10' } })] },
      { id: '2', changes: [change({ event: 'PAUSED' })] },
    ],
  })
  expect([...parts]).toMatchObject([
    ['1', { entry: [{ id: '1', changes: [{ value: { event: 'APPROVED' } }] }] }],
    ['2', { entry: [{ id: '2' }] }],
  ])
  expect(parts.get('1')).toMatchObject({ entry: { length: 1 } })
})

describe('templates', () => {
  const to = [{ kind: 'phone', value: '5511933334444' } as const]
  const blank = { body: '', location: null, contacts: [], quotedProviderId: null }
  const shapeFrom = (components: object[]) => {
    const parsed = templateShapeOf(components)
    if ('obstacle' in parsed) throw new Error(parsed.obstacle)
    return parsed.shape
  }
  const deliver = (name: string, components: object[], more: object = {}, media: Outbound['media'] = null) =>
    waba.send(
      {
        ...blank,
        id: v7(),
        to,
        type: 'template',
        media,
        template: { name, language: 'pt_BR', header: [], body: [], buttons: {}, shape: shapeFrom(components), ...more },
      },
      context,
    )
  const sentTo = async () => {
    await simulator.idle()
    return simulator.customer({ waId: '5511933334444' }).inbox.at(-1)
  }
  const add = (name: string, components: TemplateInput['components'], status?: 'PAUSED') => {
    simulator.addTemplate({ name, language: 'pt_BR', category: 'UTILITY', components }, status)
    return components
  }

  test.each(['image', 'video', 'document'] as const)('a header with a %s carries the file by its id', async (kind) => {
    const { bytes, mimeType } = sampleMedia(kind)
    const format = kind === 'image' ? 'IMAGE' : kind === 'video' ? 'VIDEO' : 'DOCUMENT'
    const components = add(`com_${kind}`, [
      { type: 'HEADER', format, example: {} },
      { type: 'BODY', text: 'Segue o arquivo.' },
    ])
    const media = { name: 'nota.pdf', mime: mimeType, size: bytes.length, bytes: async () => bytes }
    await deliver(`com_${kind}`, components, {}, media)
    const line = await sentTo()
    expect(line?.media?.bytes.equals(bytes)).toBe(true)
    if (kind === 'document') expect(line?.media?.filename).toBe('nota.pdf')
    await expect(deliver(`com_${kind}`, components)).rejects.toMatchObject({ outcome: 'final' })
  })

  test('a code to copy, and numbers out of order', async () => {
    const components = add('cupom', [
      { type: 'BODY', text: 'Até {{2}}, {{1}}.', example: {} },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Sair' }, { type: 'COPY_CODE' }] },
    ])
    await deliver('cupom', components, { body: ['Ana', 'sexta'], buttons: { 1: 'VOLTA10' } })
    expect(await sentTo()).toMatchObject({ text: 'Até sexta, Ana.' })
    await expect(deliver('cupom', components, { body: ['Ana', 'sexta'] })).rejects.toMatchObject({ outcome: 'final' })
  })

  test('what is wrong with a template is said in words', async () => {
    const components = add('parado', [{ type: 'BODY', text: 'Oi' }], 'PAUSED')
    await expect(deliver('parado', components)).rejects.toThrow('A Meta pausou este modelo')
    await expect(deliver('nao_existe', components)).rejects.toThrow('Este modelo não existe mais na Meta')
  })

  test('what nobody can fill in by hand is named', () => {
    const buttons = (type: string) => [{ type: 'BUTTONS', buttons: [{ type, text: 'x' }] }]
    expect(templateShapeOf([{ type: 'CAROUSEL', cards: [] }])).toMatchObject({
      obstacle: expect.stringContaining('um carrossel'),
    })
    expect(templateShapeOf(buttons('OTP'))).toMatchObject({ obstacle: expect.stringContaining('código de acesso') })
    expect(templateShapeOf(buttons('FLOW'))).toMatchObject({ obstacle: expect.stringContaining('um formulário') })
    expect(templateShapeOf([{ type: 'HEADER', format: 'LOCATION' }])).toMatchObject({
      obstacle: expect.stringContaining('mapa'),
    })
    expect(templateShapeOf('x')).toMatchObject({ obstacle: expect.any(String) })
  })
})
