import { z } from 'zod'
import { id } from '../../common.ts'
import { fillVariables, unknownVariables, type VariableContext } from '../../variables.ts'
import { grants } from './tools.ts'

/** What an assistant is told, with what it may name. */
const instructions = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `Use no máximo ${most.toLocaleString('pt-BR')} caracteres.`)
    .superRefine((value, context) => {
      const [unknown] = unknownVariables(value)
      if (unknown) context.addIssue({ code: 'custom', message: `A variável {{${unknown}}} não existe.` })
    })
const words = z
  .array(z.string().trim().min(1).max(40, 'Use no máximo 40 caracteres.'))
  .max(20, 'Use no máximo 20 palavras.')

/** Why an assistant gives a conversation to the team. */
export const handOverReasons = [
  'asked',
  'unsure',
  'angry',
  'outside',
  'money',
  'turns',
  'stopped',
  'refused',
  'failed',
  'budget',
  'leak',
  'bot',
] as const
export type HandOverReason = (typeof handOverReasons)[number]
export const handOverReasonLabels: Record<HandOverReason, string> = {
  asked: 'O cliente pediu uma pessoa',
  unsure: 'O assistente não tinha certeza',
  angry: 'O cliente está insatisfeito',
  outside: 'A pergunta não está na base de conhecimento',
  money: 'O assunto envolve dinheiro',
  turns: 'A conversa passou do número de respostas',
  stopped: 'O cliente usou a palavra de parada',
  refused: 'Uma ação combinada não pôde ser feita',
  failed: 'O provedor não respondeu',
  budget: 'Acabou o orçamento ou o crédito do provedor',
  leak: 'A resposta foi retida por segurança',
  bot: 'O robô externo passou a conversa',
}

export const handOverRules = z.object({
  /** The customer wants a person. */
  asked: z.boolean().default(true),
  unsure: z.boolean().default(true),
  angry: z.boolean().default(true),
  /** A question that no passage of its knowledge answers. */
  outside: z.boolean().default(true),
  /** Refunds, wrong charges, debts. */
  money: z.boolean().default(false),
  /** After so many answers; null: never for that. */
  afterTurns: z.int('Informe um número inteiro.').min(1).max(100).nullable().default(20),
  /** Where it waits then; null: where it is. */
  queueId: id.nullable().default(null),
  /** What the customer is told; empty: nothing. */
  message: instructions(1_000).default('Vou passar você para uma pessoa da nossa equipe. Só um momento.'),
  /** A note for whoever takes over. */
  summary: z.boolean().default(true),
})

/** Everything an assistant is, beside its name and where it works: the draft that is edited, and what a version keeps. */
export const assistantConfig = z.object({
  persona: instructions(2_000).default(''),
  prompt: instructions(20_000).default(''),
  /** The account that answers, then those asked when it cannot. */
  integrationIds: z.array(id).max(5, 'Use no máximo 5 provedores.').default([]),
  /** Other accounts on some channels, each with the models they are set to. */
  accountsByConnection: z
    .array(
      z.object({
        connectionId: z.uuid('Escolha o canal.'),
        integrationIds: z.array(id).min(1, 'Escolha quem responde.').max(5, 'Use no máximo 5 provedores.'),
      }),
    )
    .max(100, 'Use no máximo 100 canais.')
    .refine((all) => new Set(all.map((one) => one.connectionId)).size === all.length, 'Cada canal aparece uma vez só.')
    .default([]),
  /** Of the first account; null: what it is set to. */
  model: z.string().trim().max(120).nullable().default(null),
  maxOutputTokens: z.int('Informe um número inteiro.').min(50).max(4_000).default(600),
  /** What it may cost in a month, in cents; beyond that people answer. Null: what the company may. */
  budgetCents: z.int('Informe um valor.').min(0).max(100_000_000).nullable().default(null),
  /** The customer's language, or always Portuguese. */
  language: z.enum(['customer', 'portuguese']).default('customer'),
  knowledgeIds: z.array(id).max(20, 'Use no máximo 20 bases.').default([]),
  grants: grants.default([]),
  /** Seconds of silence before it answers: several messages are answered together. */
  waitSeconds: z.int('Informe um número inteiro.').min(0).max(60, 'Espere no máximo 60 segundos.').default(3),
  /** What comes while an answer is being made waits for the next one; off: that answer is given up. */
  esperarProcessamento: z.boolean().default(true),
  /** The customer reads along while it writes, where the channel shows that. */
  streams: z.boolean().default(true),
  /** It speaks: to whoever sends an audio, or always; long answers and links are written all the same. */
  voice: z.enum(['never', 'toAudio', 'always']).default('never'),
  stopWords: words.default([]),
  restartWords: words.default([]),
  handOver: handOverRules.prefault({}),
  reads: z
    .object({
      images: z.boolean().default(false),
      documents: z.boolean().default(false),
      audio: z.boolean().default(true),
    })
    .prefault({}),
})
export type AssistantConfig = z.output<typeof assistantConfig>

/** The same, with the accounts that answer on this connection. */
export const onConnection = (config: AssistantConfig, connectionId: string): AssistantConfig => {
  const own = config.accountsByConnection.find((one) => one.connectionId === connectionId)
  return own ? { ...config, integrationIds: own.integrationIds, model: null } : config
}

export const blankConfig = (): AssistantConfig => assistantConfig.parse({})

/** What keeps it from being published; a bot elsewhere (`isBot`) knows by itself what to say. */
export const configProblems = (config: AssistantConfig, isBot: boolean): { path: string; message: string }[] => [
  ...(config.integrationIds.length ? [] : [{ path: 'config.integrationIds', message: 'Escolha quem responde.' }]),
  ...(isBot || config.prompt.trim() || config.persona.trim()
    ? []
    : [{ path: 'config.prompt', message: 'Diga o que ele faz e como responde.' }]),
]

/** The words of a text with what is known of the customer in it. */
export const filledPrompt = (config: Pick<AssistantConfig, 'persona' | 'prompt'>, context: VariableContext) => ({
  persona: fillVariables(config.persona, context),
  prompt: fillVariables(config.prompt, context),
})
