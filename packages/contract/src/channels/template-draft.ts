import { z } from 'zod'
import { id } from '../common.ts'
import type { FieldProblem } from '../errors.ts'
import { isNumbered, placesOf } from './template-text.ts'
import { type TemplateShape, type TemplateUse, templateCategories } from './templates.ts'

/**
 * Limits of a template (waba-meta.md §5): header 60 with one place, body 1,024, footer 60, ten buttons. The rest is what
 * Meta refuses in practice: a button's title of 25, at most two links, one phone and one code, quick replies together.
 */
export const templateLimits = {
  name: 512,
  header: 60,
  body: 1_024,
  footer: 60,
  buttons: 10,
  button: 25,
  url: 2_000,
  code: 15,
  links: 2,
} as const

/** Languages a company of ours writes to its customers in, by Meta's codes. */
export const templateLanguages = {
  pt_BR: 'Português (Brasil)',
  pt_PT: 'Português (Portugal)',
  es: 'Espanhol',
  es_AR: 'Espanhol (Argentina)',
  es_MX: 'Espanhol (México)',
  en: 'Inglês',
  en_US: 'Inglês (Estados Unidos)',
  fr: 'Francês',
  it: 'Italiano',
  de: 'Alemão',
} as const

const example = z.string().trim().max(200)

/** A template as it is written here, before Meta has judged it: what was typed, with an example for each place. */
export const templateDraft = z.strictObject({
  name: z.string().trim().max(600),
  language: z.string().min(2).max(10),
  category: z.enum(templateCategories),
  header: z.strictObject({
    kind: z.enum(['none', 'text', 'image', 'video', 'document']),
    text: z.string().trim().max(200).default(''),
    example: example.default(''),
    /** A file of ours that shows Meta what will be sent. */
    mediaId: id.nullable().default(null),
  }),
  body: z.strictObject({ text: z.string().trim().max(4_000), examples: z.array(example).max(30).default([]) }),
  footer: z.string().trim().max(200).default(''),
  buttons: z
    .array(
      z.strictObject({
        kind: z.enum(['reply', 'url', 'phone', 'code']),
        text: z.string().trim().max(100).default(''),
        /** Address or phone. */
        value: z.string().trim().max(2_500).default(''),
        /** Of an address with a place, or the code itself. */
        example: z.string().trim().max(2_000).default(''),
      }),
    )
    .max(20)
    .default([]),
  /** Of an access code, whose words are Meta's own: everything else of the draft is left aside then. */
  access: z
    .strictObject({
      /** "Para sua segurança, não o compartilhe." */
      warns: z.boolean().default(true),
      /** How long the code works, said below it; null: nothing is said. */
      minutes: z.int().min(1).max(90).nullable().default(10),
      /** What copies the code. */
      button: z.string().trim().max(100).default('Copiar código'),
    })
    .prefault({}),
})
export type TemplateDraft = z.output<typeof templateDraft>

/** POST /templates: of which connection's account. */
export const templateCreate = z.strictObject({ connectionId: id, draft: templateDraft })
export const templateChange = z.strictObject({ draft: templateDraft })

export const emptyDraft: TemplateDraft = {
  name: '',
  language: 'pt_BR',
  category: 'UTILITY',
  header: { kind: 'none', text: '', example: '', mediaId: null },
  body: { text: '', examples: [] },
  footer: '',
  buttons: [],
  access: { warns: true, minutes: 10, button: 'Copiar código' },
}

/** "Pedido enviado!" becomes "pedido_enviado": the name that Meta takes. */
export const templateNameOf = (typed: string): string =>
  typed
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/_{2,}/g, '_')
    .slice(0, templateLimits.name)

/** What Meta would refuse, at its field and with what to do; both sides ask. */
export const draftProblems = (draft: TemplateDraft): FieldProblem[] => [
  ...nameProblems(draft),
  ...(draft.category === 'AUTHENTICATION' ? accessProblems(draft) : wordProblems(draft)),
]

const accessProblems = ({ access: { button } }: TemplateDraft) => [
  ...refuse(!button, 'access.button', 'Escreva o botão.'),
  ...refuse(button.length > templateLimits.button, 'access.button', tooLong(templateLimits.button)),
]
const wordProblems = (draft: TemplateDraft) => [
  ...headerProblems(draft),
  ...bodyProblems(draft),
  ...footerProblems(draft),
  ...buttonProblems(draft),
]

const nameProblems = ({ name, language }: TemplateDraft) => [
  ...refuse(!name, 'name', 'Dê um nome ao modelo.'),
  ...refuse(
    name !== '' && !/^[a-z0-9_]{1,512}$/.test(name),
    'name',
    'Use só letras minúsculas sem acento, números e sublinhado: pedido_enviado.',
  ),
  ...refuse(
    !(language in templateLanguages) && !/^[a-z]{2,3}(_[A-Z]{2})?$/.test(language),
    'language',
    'Escolha o idioma.',
  ),
]

const headerProblems = ({ header }: TemplateDraft): FieldProblem[] => {
  const { kind, text, example, mediaId } = header
  if (kind === 'none') return []
  if (kind !== 'text')
    return refuse(!mediaId, 'header.mediaId', 'Escolha um arquivo de exemplo: a Meta o vê ao analisar o modelo.')
  const places = placesOf(text)
  return [
    ...refuse(!text, 'header.text', 'Escreva o cabeçalho ou tire-o.'),
    ...refuse(text.length > templateLimits.header, 'header.text', tooLong(templateLimits.header)),
    ...refuse(
      /[\n*_~]/.test(text.replace(anyPlace, '')),
      'header.text',
      'O cabeçalho não leva quebras nem formatação.',
    ),
    ...refuse(places.length > 1, 'header.text', 'O cabeçalho leva no máximo uma variável.'),
    ...placeProblems('header.text', text),
    ...refuse(places.length > 0 && !example, 'header.example', 'Dê um exemplo do que entra aqui.'),
  ]
}

const bodyProblems = ({ body }: TemplateDraft): FieldProblem[] => {
  const { text, examples } = body
  const places = placesOf(text)
  const beside = text.replace(anyPlace, '').trim()
  return [
    ...refuse(!text, 'body.text', 'Escreva a mensagem.'),
    ...refuse(text.length > templateLimits.body, 'body.text', tooLong(templateLimits.body)),
    ...placeProblems('body.text', text),
    ...refuse(
      places.length > 0 && (/^\{\{\s*\w+\s*\}\}/.test(text) || /\{\{\s*\w+\s*\}\}$/.test(text)),
      'body.text',
      'A Meta recusa textos que começam ou terminam com uma variável. Escreva algo antes e depois.',
    ),
    ...refuse(
      places.length > 0 && beside !== '' && beside.split(/\s+/).length < places.length * 2 + 1,
      'body.text',
      'Há variáveis demais para tão pouco texto. Escreva mais palavras ou tire variáveis.',
    ),
    ...refuse(/\n{3,}/.test(text), 'body.text', 'Deixe no máximo uma linha em branco entre os parágrafos.'),
    ...places.flatMap((_, at) => refuse(!examples[at], `body.examples.${at}`, 'Dê um exemplo do que entra aqui.')),
  ]
}

const footerProblems = ({ footer }: TemplateDraft) => [
  ...refuse(footer.length > templateLimits.footer, 'footer', tooLong(templateLimits.footer)),
  ...refuse(footer.includes('{{'), 'footer', 'O rodapé não leva variáveis.'),
]

const buttonProblems = ({ buttons }: TemplateDraft): FieldProblem[] => {
  const count = (kind: string) => buttons.filter((one) => one.kind === kind).length
  const kinds = buttons.map(({ kind }) => kind === 'reply')
  const changes = kinds.filter((isReply, at) => at > 0 && isReply !== kinds[at - 1]).length
  return [
    ...refuse(buttons.length > templateLimits.buttons, 'buttons', `São no máximo ${templateLimits.buttons} botões.`),
    ...refuse(count('url') > templateLimits.links, 'buttons', 'São no máximo dois botões com link.'),
    ...refuse(count('phone') > 1, 'buttons', 'Só um botão pode ligar.'),
    ...refuse(count('code') > 1, 'buttons', 'Só um botão pode copiar um código.'),
    ...refuse(changes > 1, 'buttons', 'Deixe as respostas rápidas juntas, antes ou depois dos outros botões.'),
    ...buttons.flatMap((button, at) => oneButton(button, `buttons.${at}`)),
    ...buttons.flatMap(({ text, kind }, at) =>
      refuse(
        kind !== 'code' && text !== '' && buttons.findIndex((other) => other.text === text) < at,
        `buttons.${at}.text`,
        'Já há um botão com este texto.',
      ),
    ),
  ]
}

const oneButton = ({ kind, text, value, example }: TemplateDraft['buttons'][number], at: string): FieldProblem[] => {
  const titled = [
    ...refuse(kind !== 'code' && !text, `${at}.text`, 'Escreva o botão.'),
    ...refuse(text.length > templateLimits.button, `${at}.text`, tooLong(templateLimits.button)),
    ...refuse(text.includes('{{'), `${at}.text`, 'O texto do botão não leva variáveis.'),
  ]
  if (kind === 'url') {
    const places = placesOf(value)
    return [
      ...titled,
      ...refuse(!isAddress(value), `${at}.value`, 'Escreva o endereço inteiro, com https://.'),
      ...refuse(value.length > templateLimits.url, `${at}.value`, tooLong(templateLimits.url)),
      ...refuse(
        places.length > 1 || (places.length === 1 && !/\{\{\s*1\s*\}\}$/.test(value)),
        `${at}.value`,
        'A variável do link é uma só e fica no fim: https://loja.com/{{1}}.',
      ),
      ...refuse(places.length === 1 && !example, `${at}.example`, 'Dê um exemplo do fim do link.'),
    ]
  }
  if (kind === 'phone')
    return [
      ...titled,
      ...refuse(
        !/^\+?\d{10,15}$/.test(value.replace(/[\s()-]/g, '')),
        `${at}.value`,
        'Escreva o telefone com DDI e DDD: +551130000000.',
      ),
    ]
  if (kind === 'code')
    return [
      ...titled,
      ...refuse(!example, `${at}.example`, 'Dê um exemplo de código.'),
      ...refuse(example.length > templateLimits.code, `${at}.example`, tooLong(templateLimits.code)),
    ]
  return titled
}

const anyPlace = /\{\{\s*\w+\s*\}\}/g
/** Either all numbered from 1 on, or all by name; nothing half written. */
const placeProblems = (path: string, text: string): FieldProblem[] => {
  const places = placesOf(text)
  const numbers = places.filter((name) => /^\d+$/.test(name))
  const left = text.replace(anyPlace, '')
  return [
    ...refuse(/\{\{|\}\}/.test(left), path, 'Uma variável está pela metade. Escreva {{1}} ou {{nome}}.'),
    ...refuse(
      numbers.length > 0 && numbers.length < places.length,
      path,
      'Use só números ou só nomes nas variáveis, não os dois.',
    ),
    ...refuse(
      numbers.length === places.length && numbers.some((name, at) => Number(name) !== at + 1),
      path,
      'Numere as variáveis em ordem, a partir de {{1}}.',
    ),
    ...refuse(
      numbers.length === 0 && places.some((name) => !/^[a-z_]{1,20}$/.test(name)),
      path,
      'O nome de uma variável tem até 20 letras minúsculas sem acento: {{nome}}.',
    ),
    ...refuse(/\}\}\s*\{\{/.test(text), path, 'Escreva algo entre duas variáveis.'),
  ]
}

const isAddress = (value: string) => {
  if (!/^https?:\/\//.test(value) || /\s/.test(value.replace(anyPlace, ''))) return false
  return URL.canParse(value.replace(anyPlace, 'x'))
}
const refuse = (isWrong: boolean, path: string, message: string): FieldProblem[] =>
  isWrong ? [{ path: `draft.${path}`, message }] : []
const tooLong = (most: number) => `Use no máximo ${most.toLocaleString('pt-BR')} caracteres.`

/** What the customer would read: for the preview while it is being written. */
export const draftShape = (draft: TemplateDraft): TemplateShape =>
  draft.category === 'AUTHENTICATION' ? accessShape(draft.access) : wordShape(draft)

/** As Meta writes it in Portuguese; in the other languages it says the same. */
const accessShape = ({ warns, minutes, button }: TemplateDraft['access']): TemplateShape => ({
  header: null,
  body: {
    text: `*{{1}}* é seu código de verificação.${warns ? ' Para sua segurança, não o compartilhe.' : ''}`,
    places: ['1'],
  },
  footer: minutes ? `Este código expira em ${minutes} ${minutes === 1 ? 'minuto' : 'minutos'}.` : '',
  buttons: [{ kind: 'code', text: button || 'Copiar código', value: '', takesValue: true }],
})
const wordShape = ({ header, body, footer, buttons }: TemplateDraft): TemplateShape => ({
  header:
    header.kind === 'none'
      ? null
      : { kind: header.kind, text: header.text, places: header.kind === 'text' ? placesOf(header.text) : [] },
  body: { text: body.text, places: placesOf(body.text) },
  footer,
  buttons: buttons.map(({ kind, text, value }) => ({
    kind,
    text: text || (kind === 'code' ? 'Copiar código' : 'Botão'),
    value,
    takesValue: kind === 'code' || placesOf(value).length > 0,
  })),
})
/** Its examples as the values of its places. */
export const draftValues = (draft: TemplateDraft): Pick<TemplateUse, 'header' | 'body' | 'buttons'> =>
  draft.category === 'AUTHENTICATION' ? { header: [], body: ['123456'], buttons: { 0: '123456' } } : wordValues(draft)
const wordValues = ({ header, body, buttons }: TemplateDraft) => ({
  header: placesOf(header.text).map(() => header.example),
  body: placesOf(body.text).map((_, at) => body.examples[at] ?? ''),
  buttons: Object.fromEntries(buttons.map(({ example }, at) => [String(at), example])),
})

/** Whether the places of a draft go by number; a draft without any counts as one that does. */
export const isDraftNumbered = ({ header, body }: TemplateDraft) =>
  isNumbered([...placesOf(body.text), ...(header.kind === 'text' ? placesOf(header.text) : [])])

/** Only these may be written again; of an approved one, not the category (its provider refuses it). */
export const isEditable = (status: string) => ['APPROVED', 'REJECTED', 'PAUSED'].includes(status)
