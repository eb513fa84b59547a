import { z } from 'zod'
import { hexColor } from '../common.ts'

/** The languages the window speaks by itself. */
export const webchatLanguages = ['pt-BR', 'en', 'es'] as const
export type WebchatLanguage = (typeof webchatLanguages)[number]
export const webchatLanguageLabels: Record<WebchatLanguage, string> = {
  'pt-BR': 'Português',
  en: 'Inglês',
  es: 'Espanhol',
}
/** The company writes in Portuguese; what it says in the others is optional. */
export const foreignLanguages = ['en', 'es'] as const

/** What the visitor reads: from Brazil's Portuguese where nothing nearer is spoken. */
export const nearestLanguage = (wanted: string | undefined): WebchatLanguage => {
  const tongue = wanted?.slice(0, 2).toLowerCase()
  return webchatLanguages.find((one) => one.slice(0, 2) === tongue) ?? (tongue === 'gl' ? 'es' : 'pt-BR')
}

const foreign = (max: number) =>
  z.object({ en: z.string().trim().max(max).default(''), es: z.string().trim().max(max).default('') })
const noWords = { en: '', es: '' }

export const preChatTypes = ['text', 'email', 'phone', 'select', 'consent'] as const
export type PreChatType = (typeof preChatTypes)[number]
export const preChatTypeLabels: Record<PreChatType, string> = {
  text: 'Texto',
  email: 'E-mail',
  phone: 'Telefone',
  select: 'Lista de opções',
  consent: 'Caixa de aceite',
}
/** Where an answer goes: the contact's own name and e-mail, or beside them under the field's key. */
export const preChatTargets = ['name', 'email', 'phone', 'extra'] as const
export type PreChatTarget = (typeof preChatTargets)[number]

export const preChatField = z
  .object({
    /** The name of the answer in the contact; a custom field of the company with this key takes it. */
    key: z
      .string()
      .trim()
      .min(1, 'Informe a chave.')
      .max(60, 'Use no máximo 60 caracteres.')
      .regex(/^[^{}]+$/, 'A chave não pode ter { nem }.'),
    label: z.string().trim().min(1, 'Informe a pergunta.').max(200, 'Use no máximo 200 caracteres.'),
    labels: foreign(200).default(noWords),
    type: z.enum(preChatTypes).default('text'),
    target: z.enum(preChatTargets).default('extra'),
    required: z.boolean().default(true),
    options: z.array(z.string().trim().min(1, 'Informe a opção.').max(100)).max(30).default([]),
    /** What a ticked box allows in the ledger of consent; none: it is kept as an answer. */
    purpose: z.enum(['none', 'marketing', 'research']).default('none'),
  })
  .check(({ value, issues }) => {
    const problem = (path: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [path], message })
    if (value.type === 'select' && value.options.length === 0) problem('options', 'Informe pelo menos uma opção.')
    if (value.target !== 'extra' && value.type !== typeOfTarget[value.target])
      problem('type', 'Este dado do contato pede outro tipo de campo.')
    if (value.purpose !== 'none' && value.type !== 'consent')
      problem('purpose', 'Só uma caixa de aceite autoriza envios.')
  })
export type PreChatField = z.output<typeof preChatField>
const typeOfTarget = { name: 'text', email: 'email', phone: 'phone' } as const

export const addressMatches = ['any', 'contains', 'equals', 'pattern'] as const
/** A message the site begins with, by where and for how long the visitor is there. */
export const proactiveMessage = z.object({
  id: z.string().regex(/^[\w-]{1,40}$/),
  isActive: z.boolean().default(true),
  text: z.string().trim().min(1, 'Escreva a mensagem.').max(500, 'Use no máximo 500 caracteres.'),
  texts: foreign(500).default(noWords),
  match: z.enum(addressMatches).default('any'),
  /** What the address holds, is, or looks like (`*` stands for anything). */
  address: z.string().trim().max(500).default(''),
  afterS: z.int().min(0).max(3_600).default(10),
  /** Share of the page that was scrolled through. */
  scrollPercent: z.int().min(0).max(100).default(0),
  visitors: z.enum(['all', 'new', 'returning']).default('all'),
  /** Shown again to the same browser only after so many days. */
  everyDays: z.int().min(1).max(365).default(7),
  onlyOpen: z.boolean().default(false),
})
export type ProactiveMessage = z.output<typeof proactiveMessage>

export const uploadKinds = ['image', 'audio', 'video', 'document'] as const
export type UploadKind = (typeof uploadKinds)[number]

const title = z.string().trim().max(60, 'Use no máximo 60 caracteres.')
const line = z.string().trim().max(80, 'Use no máximo 80 caracteres.')
const text = z.string().trim().max(500, 'Use no máximo 500 caracteres.')
const foreignTexts = z.object({
  title: title.default(''),
  subtitle: line.default(''),
  welcome: text.default(''),
  offlineText: text.default(''),
})
export type WebchatTexts = z.output<typeof foreignTexts>
const noTexts = { title: '', subtitle: '', welcome: '', offlineText: '' }

/** How the window looks, what it says and asks: set on a page of its own, with the window itself beside it. */
export const lookShape = {
  color: hexColor.default('#0B7A75').meta({ label: 'Cor', isHidden: true }),
  title: title.min(1, 'Informe o título.').default('Fale com a gente').meta({ label: 'Título', isHidden: true }),
  /** Empty: whether somebody is there. */
  subtitle: line.default('').meta({ label: 'Subtítulo', isHidden: true }),
  welcome: text.default('Olá! Como podemos ajudar?').meta({ label: 'Boas-vindas', isHidden: true }),
  offlineText: text
    .default('Estamos fora do horário de atendimento. Deixe sua mensagem e responderemos assim que possível.')
    .meta({ label: 'Texto fora do horário', isHidden: true }),
  translations: z
    .object({ en: foreignTexts.default(noTexts), es: foreignTexts.default(noTexts) })
    .default({ en: noTexts, es: noTexts })
    .meta({ label: 'Outros idiomas', isHidden: true }),
  language: z
    .enum(['auto', ...webchatLanguages])
    .default('auto')
    .meta({ label: 'Idioma', isHidden: true }),
  position: z.enum(['right', 'left']).default('right').meta({ label: 'Posição', isHidden: true }),
  avatar: z.enum(['initials', 'logo']).default('initials').meta({ label: 'Imagem', isHidden: true }),
  launcherIcon: z.enum(['chat', 'question', 'hand']).default('chat').meta({ label: 'Ícone do botão', isHidden: true }),
  launcherLabel: z
    .string()
    .trim()
    .max(24, 'Use no máximo 24 caracteres.')
    .default('')
    .meta({ label: 'Texto do botão', isHidden: true }),
  preChat: z
    .array(preChatField)
    .max(10, 'Use no máximo 10 perguntas.')
    .refine(
      (fields) => new Set(fields.map(({ key }) => key.toLowerCase())).size === fields.length,
      'Há perguntas com a mesma chave.',
    )
    .default([])
    .meta({ label: 'Perguntas antes de começar', isHidden: true }),
  proactive: z
    .array(proactiveMessage)
    .max(10, 'Use no máximo 10 mensagens.')
    .default([])
    .meta({ label: 'Mensagens que se oferecem', isHidden: true }),
  uploads: z.boolean().default(true).meta({ label: 'Aceitar arquivos do visitante', isHidden: true }),
  uploadKinds: z
    .array(z.enum(uploadKinds))
    .default([...uploadKinds])
    .meta({ label: 'Tipos de arquivo', isHidden: true }),
  uploadMaxMb: z
    .int()
    .min(1, 'De 1 a 10 MB.')
    .max(10, 'De 1 a 10 MB.')
    .default(10)
    .meta({ label: 'Tamanho máximo', isHidden: true }),
  helpArticles: z.boolean().default(true).meta({ label: 'Mostrar artigos de ajuda', isHidden: true }),
  transcripts: z.boolean().default(true).meta({ label: 'Oferecer cópia por e-mail', isHidden: true }),
}
export const webchatLook = z.object(lookShape)
export type WebchatLook = z.output<typeof webchatLook>

/** What the window asks of a visitor, in the language they read. */
export type WindowField = Pick<PreChatField, 'key' | 'label' | 'type' | 'target' | 'required' | 'options'>

/**
 * What the window needs to be drawn, in one language: the same for a visitor, for a preview of what is not saved yet,
 * and for the button on the site.
 */
export const windowLook = (
  look: WebchatLook,
  { wanted, logoUrl, maxBytes }: { wanted: string | undefined; logoUrl: string | null; maxBytes: number },
) => {
  const language = look.language === 'auto' ? nearestLanguage(wanted) : look.language
  const own = language === 'pt-BR' ? noTexts : look.translations[language]
  return {
    language,
    name: own.title || look.title,
    subtitle: own.subtitle || look.subtitle,
    color: look.color,
    welcome: own.welcome || look.welcome,
    position: look.position,
    offlineText: own.offlineText || look.offlineText,
    logoUrl: look.avatar === 'logo' ? logoUrl : null,
    uploads: {
      enabled: look.uploads && look.uploadKinds.length > 0,
      maxBytes: Math.min(maxBytes, look.uploadMaxMb * 1024 * 1024),
      kinds: look.uploadKinds,
    },
    hasHelp: look.helpArticles,
    hasTranscript: look.transcripts,
    fields: look.preChat.map(
      ({ key, label, labels, type, target, required, options }): WindowField => ({
        key,
        label: wordsIn(language, label, labels),
        type,
        target,
        required,
        options,
      }),
    ),
  }
}

/** The company's words in this language, else in its own. */
export const wordsIn = (language: WebchatLanguage, own: string, foreign: { en: string; es: string }): string =>
  (language === 'pt-BR' ? '' : foreign[language]) || own
