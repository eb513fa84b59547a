import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { campaignContent, campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { defaultSettings } from '@balcao/contract/people/settings.ts'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { type Recipient, renderSend, type Saying } from './render.ts'
import { variantOf, winnerOf } from './variants.ts'

const now = new Date('2026-11-24T13:00:00Z')
const saying = (more: Partial<Saying> = {}): Saying => ({
  connection: { id: v7(), kind: 'telegram', abilities: { ...defaults, ...abilitiesOf('telegram', {}) } },
  directory: { timezone: 'America/Sao_Paulo', settings: defaultSettings },
  author: { name: 'Carla Dias', email: 'carla@loja.com.br' },
  ...{ files: new Map(), templates: new Map(), onMissing: 'skip', fallbacks: {}, now },
  ...more,
})
const defaults = { account: null, reachedBy: null }
const recipient = (more: Partial<Recipient['contact']> = {}, vars: Recipient['vars'] = null): Recipient => ({
  id: v7(),
  contact: {
    name: 'Maria Silva',
    email: null,
    number: '5511988887777',
    businessName: '',
    kanban: null,
    extraInfo: [],
    ...more,
  },
  vars,
  windowFrom: null,
})
const text = (body: string) => campaignContent.parse({ parts: [{ kind: 'text', body }] })
const bodyOf = (...given: Parameters<typeof renderSend>) => renderSend(...given).drafts?.[0]?.body

test('a text has its choices made before its variables, and what data contain is neither', () => {
  const content = text('{Oi|Olá}, {{primeiro_nome}}! {{extra.Cupom}}')
  const maria = recipient({ name: '{A|B} {{email}}' }, { Cupom: '{X|Y}' })
  const said = bodyOf(saying(), content, maria)
  expect(said).toMatch(/^(Oi|Olá), \{A\|B\}! \{X\|Y\}$/)
  expect(bodyOf(saying(), content, maria)).toBe(said)
})

test('a list goes before the contact’s own field; what is missing is told, or takes the words for it', () => {
  const content = text('{{primeiro_nome}}: {{extra.Cupom}} {{businessName}}')
  const own = { extraInfo: [{ name: 'Cupom', value: 'DELE' }], businessName: 'Loja' }
  expect(bodyOf(saying(), content, recipient(own, { Cupom: 'DA LISTA' }))).toBe('Maria: DA LISTA Loja')
  expect(bodyOf(saying(), content, recipient(own))).toBe('Maria: DELE Loja')
  expect(renderSend(saying(), content, recipient({ name: '+55 11 98888-7777' }))).toEqual({
    missing: ['primeiro_nome', 'extra.Cupom', 'businessName'],
  })
  const fallbacks = { primeiro_nome: 'cliente', 'extra.Cupom': 'VOLTEI', businessName: 'sua empresa' }
  expect(bodyOf(saying({ onMissing: 'fallback', fallbacks }), content, recipient({ name: 'Contato' }))).toBe(
    'cliente: VOLTEI sua empresa',
  )
})

test('an official number sends its template to who has not written, and words to who has; with what it costs', () => {
  const connection = { id: v7(), kind: 'waba' as const, abilities: { ...defaults, ...abilitiesOf('waba', {}) } }
  const components = [{ type: 'BODY', text: 'Oi, {{1}}!' }]
  const templates = new Map([['oferta pt_BR', { status: 'APPROVED', category: 'MARKETING', components }]])
  const content = campaignContent.parse({
    ...{ template: { name: 'oferta', language: 'pt_BR', body: ['{{primeiro_nome}}'] } },
    parts: [{ kind: 'text', body: 'Oi de novo' }],
  })
  const official = saying({
    connection: connection as Saying['connection'],
    templates: templates as Saying['templates'],
  })
  expect(renderSend(official, content, recipient())).toMatchObject({
    drafts: [{ type: 'template', body: 'Oi, Maria!' }],
    cost: 3_438,
  })
  const heard = { ...recipient(), windowFrom: new Date(now.getTime() - 3_600_000) }
  expect(renderSend(official, content, heard)).toMatchObject({
    drafts: [{ type: 'text', body: 'Oi de novo' }],
    cost: null,
  })
  const paused = new Map([['oferta pt_BR', { status: 'PAUSED', category: 'MARKETING', components }]])
  expect(renderSend({ ...official, templates: paused as Saying['templates'] }, content, recipient()).error).toContain(
    'pausado',
  )
  expect(renderSend(official, text('Oi'), recipient()).error).toBeTruthy()
})

test('an e-mail has its subject, and the way out in its text and beside it', () => {
  const connection = { id: v7(), kind: 'email' as const, abilities: { ...defaults, ...abilitiesOf('email', {}) } }
  const by = saying({
    connection: connection as Saying['connection'],
    unsubscribeUrl: (id) => `https://loja.com.br/sair/${id}`,
  })
  const rita = recipient({ email: 'rita@teste.com.br' })
  const content = { ...text('Novidades'), subject: 'Para {{primeiro_nome}}' }
  expect(renderSend(by, content, rita)).toMatchObject({
    subject: 'Para Maria',
    drafts: [
      {
        body: `Novidades\n\nPara não receber mais: https://loja.com.br/sair/${rita.id}`,
        payload: { mail: { subject: 'Para Maria' }, unsubscribe: `https://loja.com.br/sair/${rita.id}` },
      },
    ],
  })
})

test('variants go by their weights, the rest of a test to the one that fared best', () => {
  const step = campaignStep.parse({
    variants: [{ weight: 3, content: text('A') }, { content: text('B') }],
    test: { percent: 40 },
  })
  const drawn = Array.from({ length: 4_000 }, (_, n) => variantOf(step, `recipient-${n}`))
  const share = (variant: number | null) => drawn.filter((one) => one === variant).length / drawn.length
  expect(share(null)).toBeCloseTo(0.6, 1)
  expect(share(0)).toBeCloseTo(0.3, 1)
  expect(share(1)).toBeCloseTo(0.1, 1)
  expect(
    winnerOf([
      { variant: 0, sent: 100, wins: 10 },
      { variant: 1, sent: 50, wins: 9 },
    ]),
  ).toBe(1)
  expect(
    winnerOf([
      { variant: 0, sent: 0, wins: 0 },
      { variant: 1, sent: 0, wins: 0 },
    ]),
  ).toBe(0)
})
