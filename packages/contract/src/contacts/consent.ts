import { z } from 'zod'
import { channelKinds, identityKinds } from '../channels/index.ts'
import { id, moment, pageQuery, queryList } from '../common.ts'
import { author } from '../conversations/authors.ts'

/**
 * What a message is sent for. `service` is the conversation itself, and asks for nobody's consent; `marketing` and
 * `research` (a question for a grade) end when the customer says so.
 */
export const purposes = ['service', 'marketing', 'research'] as const
export type Purpose = (typeof purposes)[number]
export const purposeLabels: Record<Purpose, string> = {
  service: 'Atendimento',
  marketing: 'Campanhas e promoções',
  research: 'Pedidos de avaliação',
}
/** What one may ask not to receive any more. */
export const refusable = ['marketing', 'research'] as const

/** `word`: the customer wrote one of the company's words; `provider`: they refused it there; `person`: somebody of the team noted it down; `csv`: a list. */
export const consentSources = ['word', 'provider', 'person', 'form', 'csv', 'api', 'undo'] as const

export const consentSourceLabels: Record<(typeof consentSources)[number], string> = {
  word: 'O contato escreveu',
  provider: 'No aplicativo do canal',
  person: 'Anotado pela equipe',
  form: 'Formulário',
  csv: 'Lista importada',
  api: 'Integração',
  undo: 'Lista desfeita',
}

/** One entry of the ledger, which only grows: the last one of an identity, channel and purpose holds. */
export const consentEntry = z.object({
  id,
  identity: z.object({ kind: z.enum(identityKinds), value: z.string() }),
  channel: z.enum(channelKinds),
  purpose: z.enum(purposes),
  /** Null: what was said before was taken back, and nothing is known. */
  isGiven: z.boolean().nullable(),
  source: z.enum(consentSources),
  /** What shows it: the words, a document, an address. */
  proof: z.string(),
  author,
  at: moment,
})
export type ConsentEntry = z.output<typeof consentEntry>

/** POST /contacts/{id}/consents: what the contact told somebody of the team, and what shows it. */
export const consentBody = z.strictObject({
  channel: z.enum(channelKinds),
  purpose: z.enum(refusable),
  isGiven: z.boolean(),
  proof: z.string().trim().min(1, 'Diga como o contato pediu.').max(500, 'Use no máximo 500 caracteres.'),
})

export type ConsentBody = z.output<typeof consentBody>

/** One who does not want to receive something: what they said last on that channel, whatever they are known by. */
export const optOut = z.object({
  /** The entry of the ledger. */
  id,
  identity: consentEntry.shape.identity,
  /** Null: nobody here yet; it holds once they come. */
  contact: z.object({ id, name: z.string(), number: z.string().nullable() }).nullable(),
  channel: z.enum(channelKinds),
  /** Everything they refuse there. */
  purposes: z.array(z.enum(purposes)),
  source: z.enum(consentSources),
  proof: z.string(),
  author,
  at: moment,
})
export type OptOut = z.output<typeof optOut>
export const optOutsQuery = pageQuery.extend({
  channels: queryList(z.enum(channelKinds)),
  purposes: queryList(z.enum(refusable)),
  sources: queryList(z.enum(consentSources)),
})
export type OptOutsQuery = z.output<typeof optOutsQuery>

const proof = consentBody.shape.proof
/** POST /optouts/giveBack: they want to receive it again, of everything they are known by. */
export const giveBackBody = z.strictObject({ ids: z.array(id).min(1).max(100), proof })

export const mostSuppressed = 100_000
/** POST /optouts/lists: phones and e-mails that are not to be written to, one a line. */
export const suppressionBody = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1, 'Cole os telefones e e-mails, um por linha.')
    .max(8_000_000, 'Divida a lista em partes.'),
  channels: z.array(z.enum(channelKinds)).min(1, 'Escolha pelo menos um canal.'),
  purposes: z.array(z.enum(refusable)).min(1, 'Escolha o que não querem receber.'),
  proof,
})
export type SuppressionBody = z.output<typeof suppressionBody>

/** A list somebody brought in. */
export const suppressionList = z.object({
  id,
  proof: z.string(),
  channels: z.array(z.enum(channelKinds)),
  purposes: z.array(z.enum(refusable)),
  /** Lines of it, and those that are in force. */
  total: z.int(),
  accepted: z.int(),
  user: z.object({ id, name: z.string() }),
  /** The job that brought it in, and has its report. */
  jobId: id.nullable(),
  createdAt: moment,
  undoneAt: moment.nullable(),
})
export type SuppressionList = z.output<typeof suppressionList>

/** A word without its accents, case and punctuation: what two of them are compared by. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const word = z
  .string()
  .trim()
  .max(40, 'Use no máximo 40 caracteres em cada palavra.')
  .refine((text) => plainWord(text) !== '', 'Use letras ou números.')
const answer = z.string().trim().max(1_000, 'Use no máximo 1.000 caracteres.')

/** How a company hears who no longer wants to receive campaigns, and what it answers; settings of the company. */
export const consentSettings = {
  stopWords: z.array(word).min(1, 'Deixe ao menos uma palavra para sair.').max(50),
  startWords: z.array(word).max(50),
  /** Empty: nothing is answered. */
  stopAnswer: answer,
  startAnswer: answer,
}
export type ConsentSettings = z.output<z.ZodObject<typeof consentSettings>>

/** A word that would mean both. */
export const wordOfBoth = ({ stopWords, startWords }: Pick<ConsentSettings, 'stopWords' | 'startWords'>) => {
  const stops = new Set(stopWords.map(plainWord))
  return startWords.find((one) => stops.has(plainWord(one)))
}

export const defaultConsentSettings: ConsentSettings = {
  stopWords: [
    'Sair',
    'Parar',
    'Pare',
    'Stop',
    'Descadastrar',
    'Descadastre',
    'Remover',
    'Cancelar inscrição',
    'Não quero receber',
    'Não quero mais receber',
    'Não receber mais',
    // The button WhatsApp adds to campaigns.
    'Parar promoções',
    'Stop promotions',
  ],
  startWords: ['Voltar a receber', 'Quero receber', 'Quero voltar a receber', 'Start', 'Inscrever'],
  stopAnswer:
    'Pronto! Você não vai mais receber nossas campanhas nem pesquisas por aqui. Se mudar de ideia, escreva VOLTAR A RECEBER.',
  startAnswer: 'Que bom! Você voltou a receber nossas novidades por aqui. Para parar, escreva SAIR.',
}

/** What a customer asks for with one of these words as the whole message. */
export const askedByWord = (
  text: string,
  { stopWords, startWords }: Pick<ConsentSettings, 'stopWords' | 'startWords'>,
): 'stop' | 'start' | undefined => {
  if (text.length > 60) return undefined
  const said = plainWord(text)
  if (!said) return undefined
  if (stopWords.some((one) => plainWord(one) === said)) return 'stop'
  return startWords.some((one) => plainWord(one) === said) ? 'start' : undefined
}
