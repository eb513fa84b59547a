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

export const offerRepeats = ['once', 'session', 'always'] as const
/** A message the site begins with, by where and for how long the visitor is there. */
export const proactiveMessage = z.object({
  id: z.string().regex(/^[\w-]{1,40}$/),
  isActive: z.boolean().default(true),
  text: z.string().trim().min(1, 'Escreva a mensagem.').max(300, 'Use no máximo 300 caracteres.'),
  texts: foreign(300).default(noWords),
  /** The pages it is for, as `isPageAmong` reads them; none: every page. */
  addresses: z
    .array(
      z
        .string()
        .trim()
        .max(300, 'Use no máximo 300 caracteres.')
        .regex(
          /^(\/|\*|(https?:\/\/)?(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$))\S*$/,
          'Comece com /, com * ou com o domínio, sem espaços.',
        ),
    )
    .max(20, 'Use no máximo 20 endereços.')
    .default([]),
  afterS: z.int().min(0, 'De 0 a 3600 segundos.').max(3_600, 'De 0 a 3600 segundos.').default(10),
  /** Share of the page that was scrolled through. */
  scrollPercent: z.int().min(0, 'De 0 a 100.').max(100, 'De 0 a 100.').default(0),
  /** How often the same browser sees it: ever, per visit, or on every page it is for. */
  repeat: z.enum(offerRepeats).default('once'),
  onlyOpen: z.boolean().default(false),
})
export type ProactiveMessage = z.output<typeof proactiveMessage>

export const uploadKinds = ['image', 'audio', 'video', 'document'] as const
export type UploadKind = (typeof uploadKinds)[number]

const title = z.string().trim().max(60, 'Use no máximo 60 caracteres.')
const line = z.string().trim().max(80, 'Use no máximo 80 caracteres.')
const text = z.string().trim().max(500, 'Use no máximo 500 caracteres.')
const label = z.string().trim().max(24, 'Use no máximo 24 caracteres.')
const foreignTexts = z.object({
  title: title.default(''),
  subtitle: line.default(''),
  welcome: text.default(''),
  offlineText: text.default(''),
  launcherLabel: label.default(''),
})
export type WebchatTexts = z.output<typeof foreignTexts>
const noTexts = { title: '', subtitle: '', welcome: '', offlineText: '', launcherLabel: '' }

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
  launcherLabel: label.default('').meta({ label: 'Texto do botão', isHidden: true }),
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
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Há mensagens com o mesmo código.')
    .default([])
    .meta({ label: 'Mensagens proativas', isHidden: true }),
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
  const language = languageFor(look, wanted)
  const own = ownTexts(look, language)
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

/** The button on a site as the visitor finds it, and the messages it may begin with. */
export const siteLook = (
  look: WebchatLook,
  { wanted, isOnline }: { wanted: string | undefined; isOnline: boolean },
) => {
  const language = languageFor(look, wanted)
  const own = ownTexts(look, language)
  return {
    name: own.title || look.title,
    color: look.color,
    position: look.position,
    icon: launcherPaths[look.launcherIcon],
    label: own.launcherLabel || look.launcherLabel,
    /** What the button says of itself; of Portuguese it knows it by heart. */
    ...(language !== 'pt-BR' && { words: launcherWords[language] }),
    offers: look.proactive
      .filter(({ isActive, onlyOpen }) => isActive && (isOnline || !onlyOpen))
      .map(({ id, text, texts, addresses, afterS, scrollPercent, repeat }) => ({
        id,
        text: wordsIn(language, text, texts),
        addresses,
        afterS,
        scrollPercent,
        repeat,
      })),
  }
}
export type SiteLook = ReturnType<typeof siteLook>

/**
 * In the order the loader reads them: open, close, one unread, several unread (after their number), dismiss the notice,
 * could not be opened, try again, close the panel, name of the window.
 */
const launcherWords = {
  en: [
    'Open chat',
    'Close chat',
    '1 unread message',
    'unread messages',
    'Dismiss',
    'We could not open the chat right now.',
    'Try again',
    'Close',
    'Support chat',
  ],
  es: [
    'Abrir chat',
    'Cerrar chat',
    '1 mensaje sin leer',
    'mensajes sin leer',
    'Descartar aviso',
    'No pudimos abrir el chat ahora.',
    'Intentar de nuevo',
    'Cerrar',
    'Chat de atención',
  ],
} satisfies Record<(typeof foreignLanguages)[number], string[]>

/** Drawn on 24 by 24, in strokes. */
export const launcherPaths = {
  chat: 'M4 5h16v11H9l-5 4zM8 9h8M8 12.5h5',
  question:
    'M12 21a9 9 0 1 0-8-4.9L3 21l4.9-1A9 9 0 0 0 12 21M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.6.3-1 .8-1 1.7M12 16.5v.01',
  hand: 'M8 13V5.5a1.5 1.5 0 0 1 3 0V12V4.5a1.5 1.5 0 0 1 3 0V12V5.5a1.5 1.5 0 0 1 3 0V14a6 6 0 0 1-6 6h-1a6 6 0 0 1-5-2.7L3 13a1.5 1.5 0 0 1 2.5-1.5L8 14',
}

const languageFor = (look: WebchatLook, wanted: string | undefined): WebchatLanguage =>
  look.language === 'auto' ? nearestLanguage(wanted) : look.language
const ownTexts = (look: WebchatLook, language: WebchatLanguage) =>
  language === 'pt-BR' ? noTexts : look.translations[language]

/** The company's words in this language, else in its own. */
export const wordsIn = (language: WebchatLanguage, own: string, foreign: { en: string; es: string }): string =>
  (language === 'pt-BR' ? '' : foreign[language]) || own
