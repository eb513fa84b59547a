import { z } from 'zod'
import { channelKinds, identityKinds } from '../channels/index.ts'
import { id, moment } from '../common.ts'
import { author } from '../conversations/authors.ts'

/**
 * What a message is sent for. `service` is the conversation itself, and asks for nobody's consent; `marketing` and
 * `research` (a question for a grade) end when the customer says so.
 */
export const purposes = ['service', 'marketing', 'research'] as const
export type Purpose = (typeof purposes)[number]
/** `word`: the customer wrote one of the words below; `person`: somebody of the team noted it down. */
export const consentSources = ['word', 'person', 'form', 'csv', 'api'] as const

/** One entry of the ledger, which only grows: the last one of an identity, channel and purpose holds. */
export const consentEntry = z.object({
  id,
  identity: z.object({ kind: z.enum(identityKinds), value: z.string() }),
  channel: z.enum(channelKinds),
  purpose: z.enum(purposes),
  isGiven: z.boolean(),
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
  purpose: z.enum(['marketing', 'research']),
  isGiven: z.boolean(),
  proof: z.string().trim().min(1, 'Diga como o contato pediu.').max(500, 'Use no máximo 500 caracteres.'),
})

const words = {
  stop: [
    'sair',
    'parar',
    'pare',
    'stop',
    'descadastrar',
    'descadastre',
    'remover',
    'cancelar inscricao',
    'nao quero receber',
    'nao quero mais receber',
    'nao receber mais',
  ],
  start: ['voltar a receber', 'quero receber', 'quero voltar a receber', 'start', 'inscrever'],
}

/** What a customer asks for with one of these words as the whole message, accents and case aside. */
export const askedByWord = (text: string): 'stop' | 'start' | undefined => {
  if (text.length > 40) return undefined
  const said = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
  if (words.stop.includes(said)) return 'stop'
  return words.start.includes(said) ? 'start' : undefined
}
