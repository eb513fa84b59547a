import { z } from 'zod'
import type { Glyph, Step } from '../providers/define.ts'
import { defineIntegration } from './define.ts'

/** When prices, regions and times of keeping below were read at the providers: a start, which each company corrects. */
export const startValuesOf = 'novembro de 2026'
const checkIt = `Valor de partida, de ${startValuesOf}.`

/** R$ per million tokens: the same number as micro-reais per token. */
const tokenPrice = (most: number) => z.number('Informe um número.').min(0, 'Não pode ser negativo.').max(most)
const model = z.string().trim().min(1, 'Escolha o modelo.').max(200)
const note = z.string().trim().max(300)

type Words = {
  /** What a model is called until the account's own list is read. */
  modelExample: string
  baseUrl: string
  baseUrlHelp?: string
  /** R$ per million tokens, at first. */
  prices: readonly [number, number]
  region: string
  retention: string
  /** Seconds until the first word comes. */
  firstWordS?: number
  /** What its models usually take beside text. */
  takes?: readonly ('images' | 'files')[]
}

/** What every account of language models has beside its key. Prices are a start: each company corrects them. */
const common = ({
  modelExample,
  baseUrl,
  baseUrlHelp,
  prices,
  region,
  retention,
  firstWordS = 60,
  takes = [],
}: Words) => ({
  model: model.meta({
    label: 'Modelo padrão',
    help: 'Toque para ver os modelos desta conta, ou digite o nome.',
    placeholder: modelExample,
    suggests: 'models',
  }),
  forCopilot: z
    .boolean()
    .default(true)
    .meta({ label: 'Usar no copiloto da equipe', help: 'Sugestões, traduções e resumos para quem atende.' }),
  seesImages: z
    .boolean()
    .default(takes.includes('images'))
    .meta({ label: 'O modelo vê imagens', help: 'Desligado, o assistente só sabe que veio uma imagem.' }),
  readsFiles: z
    .boolean()
    .default(takes.includes('files'))
    .meta({ label: 'O modelo lê PDFs', help: 'Desligado, mandamos o texto do documento.' }),
  inputPrice: tokenPrice(10_000)
    .default(prices[0])
    .meta({
      label: 'Preço da entrada (R$ por milhão de tokens)',
      help: `${checkIt} Confira na tabela do provedor e corrija: é com estes preços que o orçamento conta.`,
      section: 'Preços',
      decimals: 4,
    }),
  outputPrice: tokenPrice(10_000)
    .default(prices[1])
    .meta({ label: 'Preço da saída (R$ por milhão de tokens)', help: checkIt, decimals: 4 }),
  baseUrl: z.url('Endereço inválido.').default(baseUrl).meta({
    label: 'Endereço da API',
    is: 'url',
    help: baseUrlHelp,
    section: 'Endereço',
  }),
  firstWordS: z
    .int('Informe um número inteiro.')
    .min(5, 'Pelo menos 5 segundos.')
    .max(300, 'No máximo 300 segundos.')
    .default(firstWordS)
    .meta({ label: 'Esperar a primeira palavra por (segundos)' }),
  region: note.default(region).meta({
    label: 'Onde os dados são processados',
    help: `${checkIt} Confira no seu contrato e corrija.`,
    section: 'Privacidade',
  }),
  retention: note.default(retention).meta({
    label: 'Por quanto tempo o provedor guarda',
    help: `${checkIt} Anote o que diz o seu contrato: aparece para quem cuida da privacidade.`,
  }),
})

const key = (placeholder: string, url: string, name: string) =>
  z
    .string()
    .trim()
    .min(8, 'Cole a chave completa.')
    .max(500)
    .meta({
      label: 'Chave da API',
      placeholder,
      secret: true,
      link: { label: `Abrir ${name}`, url },
    })
const optionalKey = z
  .string()
  .trim()
  .regex(/^(\S{4,500})?$/, 'Cole a chave completa.')
  .optional()
  .meta({ label: 'Chave da API', help: 'Só se o servidor pedir.', secret: true })

/** Accounts that also turn speech into text. */
const audio = (example: string, pricePerMinute: number, help: string) => ({
  audioModel: z
    .string()
    .trim()
    .max(200)
    .default(example)
    .meta({ label: 'Modelo de transcrição', help, section: 'Transcrição de áudio', suggests: 'audioModels' }),
  audioPrice: z
    .number('Informe um número.')
    .min(0, 'Não pode ser negativo.')
    .max(100)
    .default(pricePerMinute)
    .meta({ label: 'Preço da transcrição (R$ por minuto)', help: checkIt, decimals: 4 }),
})
/** Accounts that also say a text aloud. */
const voice = (model: string, voices: string, pricePerMillion: number) => ({
  speechModel: z.string().trim().max(200).default('').meta({
    label: 'Modelo de voz',
    help: 'Para assistentes que respondem em áudio. Deixe vazio para não falar com esta conta.',
    placeholder: model,
    section: 'Respostas em áudio',
  }),
  speechVoice: z
    .string()
    .trim()
    .max(100)
    .default(voices)
    .meta({ label: 'Voz', help: 'O nome que o provedor dá a ela.' }),
  speechPrice: tokenPrice(10_000)
    .default(pricePerMillion)
    .meta({ label: 'Preço da voz (R$ por milhão de letras)', decimals: 4 }),
})
/** Accounts that also say in numbers what a text means. */
const embeddings = (model: string, pricePerMillion: number) => ({
  embeddingModel: z.string().trim().max(200).default('').meta({
    label: 'Modelo de embeddings',
    help: 'Para achar no conhecimento o que diz o mesmo com outras palavras. Deixe vazio para não usar esta conta.',
    placeholder: model,
    section: 'Busca por sentido',
    suggests: 'embeddingModels',
  }),
  embeddingPrice: tokenPrice(10_000)
    .default(pricePerMillion)
    .meta({ label: 'Preço dos embeddings (R$ por milhão de tokens)', help: checkIt, decimals: 4 }),
})
const emptyForNone = 'Deixe vazio para não transcrever com esta conta.'

const glyph = (label: string, color: Glyph['color'], ...paths: string[]): Glyph => ({ label, color, paths })
const afterSaving: Step[] = ['Toque em Testar: uma pergunta curta confirma chave, modelo e saldo.']

export const chatGpt = defineIntegration({
  family: 'assistant',
  kind: 'chat-gpt',
  label: 'ChatGPT (OpenAI)',
  description: 'Modelos da OpenAI, para assistentes, copiloto e transcrição.',
  words: 'openai gpt whisper inteligência artificial ia',
  glyph: glyph('OpenAI', '#10695a', 'M12 3l7.8 4.5v9l-7.8 4.5l-7.8 -4.5v-9z', 'M12 8l3.5 2v4l-3.5 2l-3.5 -2v-4z'),
  steps: {
    before: [
      'No painel da OpenAI, crie um projeto e uma chave em API keys.',
      'Ponha crédito na conta: a API não usa a assinatura do ChatGPT.',
    ],
    after: afterSaving,
  },
  config: z.object({
    apiKey: key('sk-…', 'https://platform.openai.com/api-keys', 'as chaves da OpenAI'),
    organization: z.string().trim().max(100).optional().meta({ label: 'Organização', placeholder: 'org-…' }),
    project: z.string().trim().max(100).optional().meta({ label: 'Projeto', placeholder: 'proj_…' }),
    ...common({
      modelExample: 'gpt-5-mini',
      takes: ['images', 'files'],
      baseUrl: 'https://api.openai.com/v1',
      prices: [9, 45],
      region: 'Estados Unidos, salvo contrato com residência de dados',
      retention: 'Até 30 dias, para detectar abuso',
    }),
    ...audio('whisper-1', 0.035, emptyForNone),
    ...voice('tts-1', 'nova', 85),
    ...embeddings('text-embedding-3-small', 0.11),
    wire: z
      .enum(['responses', 'chat'])
      .default('responses')
      .meta({
        label: 'Interface',
        help: 'Num servidor compatível com a OpenAI, escolha Chat Completions.',
        options: { responses: 'Responses', chat: 'Chat Completions' },
      }),
  }),
})

export const claude = defineIntegration({
  family: 'assistant',
  kind: 'claude',
  label: 'Claude (Anthropic)',
  description: 'Modelos da Anthropic, para assistentes e copiloto.',
  words: 'anthropic inteligência artificial ia',
  glyph: glyph('Claude', '#a4492a', 'M12 3v18', 'M4.2 7.5l15.6 9', 'M19.8 7.5l-15.6 9'),
  steps: { before: ['No Console da Anthropic, crie uma chave em API keys e ponha crédito.'], after: afterSaving },
  config: z.object({
    apiKey: key('sk-ant-…', 'https://console.anthropic.com/settings/keys', 'as chaves da Anthropic'),
    ...common({
      modelExample: 'claude-haiku-4-5',
      takes: ['images', 'files'],
      baseUrl: 'https://api.anthropic.com/v1',
      prices: [6, 28],
      region: 'Estados Unidos',
      retention: 'Até 30 dias, salvo contrato sem retenção',
    }),
  }),
})

export const gemini = defineIntegration({
  family: 'assistant',
  kind: 'gemini',
  label: 'Gemini (Google)',
  description: 'Modelos do Google, para assistentes e copiloto.',
  words: 'google ai studio inteligência artificial ia',
  glyph: glyph('Gemini', '#2f5fc4', 'M12 3c0 5 4 9 9 9c-5 0 -9 4 -9 9c0 -5 -4 -9 -9 -9c5 0 9 -4 9 -9'),
  steps: {
    before: [
      'No Google AI Studio, crie uma chave de API.',
      'Use um projeto com cobrança: no plano grátis o Google pode usar as conversas.',
    ],
    after: afterSaving,
  },
  config: z.object({
    apiKey: key('AIza…', 'https://aistudio.google.com/apikey', 'o Google AI Studio'),
    ...common({
      modelExample: 'gemini-2.5-flash',
      takes: ['images', 'files'],
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
      prices: [2, 14],
      region: 'Regiões do Google, sem escolha pela API',
      retention: 'Até 55 dias, para detectar abuso',
    }),
    ...embeddings('gemini-embedding-001', 0.85),
  }),
})

export const grok = defineIntegration({
  family: 'assistant',
  kind: 'grok',
  label: 'Grok (xAI)',
  description: 'Modelos da xAI, para assistentes e copiloto.',
  words: 'xai inteligência artificial ia',
  glyph: glyph('Grok', '#2b2f36', 'M4 20l16 -16', 'M19 9a7.5 7.5 0 0 1 -11 9', 'M5 15a7.5 7.5 0 0 1 10 -9.5'),
  steps: { before: ['No console da xAI, crie uma chave e ponha crédito.'], after: afterSaving },
  config: z.object({
    apiKey: key('xai-…', 'https://console.x.ai', 'o console da xAI'),
    ...common({
      modelExample: 'grok-4-fast',
      takes: ['images'],
      baseUrl: 'https://api.x.ai/v1',
      prices: [1.2, 3],
      region: 'Estados Unidos',
      retention: 'Até 30 dias',
    }),
  }),
})

export const groqCloud = defineIntegration({
  family: 'assistant',
  kind: 'groqcloud',
  label: 'GroqCloud',
  description: 'Transcrição de áudios em segundos, e modelos abertos.',
  words: 'groq whisper transcrição áudio inteligência artificial ia',
  glyph: glyph('GroqCloud', '#c2410c', 'M13 3l-8 11h6l-1 7l8 -11h-6z'),
  steps: { before: ['No console da Groq, crie uma chave em API Keys.'], after: afterSaving },
  config: z.object({
    apiKey: key('gsk_…', 'https://console.groq.com/keys', 'o console da Groq'),
    ...common({
      modelExample: 'openai/gpt-oss-120b',
      baseUrl: 'https://api.groq.com/openai/v1',
      prices: [1, 4.5],
      region: 'Estados Unidos e Europa',
      retention: 'Não guarda por padrão',
    }),
    ...audio('whisper-large-v3-turbo', 0.004, emptyForNone),
    ...voice('playai-tts', '', 280),
  }),
})

export const deepSeek = defineIntegration({
  family: 'assistant',
  kind: 'deepseek',
  label: 'DeepSeek',
  description: 'Modelos da DeepSeek, para assistentes e copiloto.',
  words: 'inteligência artificial ia',
  glyph: glyph(
    'DeepSeek',
    '#3d4fd1',
    'M3 12c3 -5 9 -5 12 -1c2 -1 3 -3 3 -5c2 1 3 3 3 5c0 6 -5 9 -10 9c-4 0 -7 -3 -8 -8',
  ),
  steps: { before: ['Na plataforma da DeepSeek, crie uma chave e ponha crédito.'], after: afterSaving },
  config: z.object({
    apiKey: key('sk-…', 'https://platform.deepseek.com/api_keys', 'as chaves da DeepSeek'),
    ...common({
      modelExample: 'deepseek-chat',
      baseUrl: 'https://api.deepseek.com',
      prices: [1.6, 2.4],
      region: 'China',
      retention: 'Sem prazo informado pelo provedor',
    }),
  }),
})

export const qwen = defineIntegration({
  family: 'assistant',
  kind: 'qwen',
  label: 'Qwen (Alibaba)',
  description: 'Modelos da Alibaba, para assistentes e copiloto.',
  words: 'alibaba dashscope qwencloud inteligência artificial ia',
  glyph: glyph('Qwen', '#5b3fc4', 'M12 3l3 5h6l-3 5l3 5h-6l-3 3l-3 -3h-6l3 -5l-3 -5h6z'),
  steps: {
    before: ['No console do Model Studio, crie uma chave: ela vale só na região em que foi criada.'],
    after: afterSaving,
  },
  config: z.object({
    apiKey: key('sk-…', 'https://modelstudio.console.alibabacloud.com', 'o Model Studio'),
    ...common({
      modelExample: 'qwen-plus',
      baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
      baseUrlHelp: 'Para uma chave da China: https://dashscope.aliyuncs.com/compatible-mode/v1',
      prices: [2.2, 6.6],
      region: 'Singapura, ou China com o outro endereço',
      retention: 'Sem prazo informado pelo provedor',
    }),
    ...embeddings('text-embedding-v4', 0.4),
    thinks: z
      .boolean()
      .default(false)
      .meta({ label: 'Pensar antes de responder', help: 'Responde melhor, demora e custa mais.' }),
  }),
})

const ownServer = {
  prices: [0, 0],
  region: 'No servidor da empresa',
  retention: 'Como a empresa decidir',
  firstWordS: 180,
} as const
const reachable: Step[] = [
  'O servidor precisa responder à nossa instalação: numa rede interna, quem cuida da instalação libera o endereço.',
  'A primeira resposta pode demorar: o modelo é carregado na hora.',
]

export const ollama = defineIntegration({
  family: 'assistant',
  kind: 'ollama',
  label: 'Ollama',
  description: 'Modelos no servidor da empresa, pelo Ollama.',
  words: 'local servidor próprio llama inteligência artificial ia',
  glyph: glyph(
    'Ollama',
    '#3b3b42',
    'M8 10v-5a2 2 0 0 1 4 0v1a2 2 0 0 1 4 0v4',
    'M6 21v-7a6 6 0 0 1 12 0v7',
    'M10 15h.01',
    'M14 15h.01',
  ),
  steps: { before: reachable, after: afterSaving },
  config: z.object({
    apiKey: optionalKey,
    ...common({ ...ownServer, modelExample: 'llama3.1:8b', baseUrl: 'http://localhost:11434' }),
    ...embeddings('bge-m3', 0),
  }),
})

export const lm = defineIntegration({
  family: 'assistant',
  kind: 'lm',
  label: 'LM Studio e compatíveis',
  description: 'Um servidor com a interface da OpenAI: LM Studio, vLLM, Whisper local.',
  words: 'lm studio local servidor próprio vllm whisper openai compatível inteligência artificial ia',
  glyph: glyph('LM Studio', '#4a3aa8', 'M4 6h13', 'M7 10h13', 'M4 14h13', 'M7 18h13'),
  steps: { before: reachable, after: afterSaving },
  config: z.object({
    apiKey: optionalKey,
    ...common({ ...ownServer, modelExample: 'qwen2.5-7b-instruct', baseUrl: 'http://localhost:1234/v1' }),
    ...audio('', 0, 'Num Whisper local, o nome do modelo. Vazio para não transcrever com este servidor.'),
    ...voice('kokoro', '', 0),
    ...embeddings('text-embedding-bge-m3', 0),
  }),
})

/** Accounts of language models, by the last part of the path of their screen. */
export const modelIntegrations = {
  'chat-gpt': chatGpt,
  claude,
  gemini,
  grok,
  groqcloud: groqCloud,
  deepseek: deepSeek,
  qwen,
  ollama,
  lm,
}
export type ModelKind = keyof typeof modelIntegrations
export const modelKinds = Object.keys(modelIntegrations) as [ModelKind, ...ModelKind[]]
export const isModelKind = (kind: string): kind is ModelKind => Object.hasOwn(modelIntegrations, kind)

/** What the code asks of any of them. */
export const modelConfig = z.object({
  apiKey: z.string().optional(),
  organization: z.string().optional(),
  project: z.string().optional(),
  model: z.string(),
  baseUrl: z.string(),
  firstWordS: z.number(),
  inputPrice: z.number(),
  outputPrice: z.number(),
  forCopilot: z.boolean(),
  audioModel: z.string().default(''),
  audioPrice: z.number().default(0),
  speechModel: z.string().default(''),
  speechVoice: z.string().default(''),
  speechPrice: z.number().default(0),
  embeddingModel: z.string().default(''),
  embeddingPrice: z.number().default(0),
  wire: z.enum(['responses', 'chat']).default('chat'),
  thinks: z.boolean().optional(),
  seesImages: z.boolean().default(false),
  readsFiles: z.boolean().default(false),
})
export type ModelConfig = z.output<typeof modelConfig>

/** POST /integrations/models: what an account offers, by what stands in the form; a stored key stands in for none. */
export const modelsAsked = z.object({
  kind: z.enum(modelKinds),
  id: z.uuid().optional(),
  config: z.record(z.string(), z.unknown()),
})
/** `problem`: why the list could not be read, for the person. */
export const modelsOffered = z.object({ models: z.array(z.string()), problem: z.string().nullable() })
export type ModelsOffered = z.output<typeof modelsOffered>

const startFields = ['inputPrice', 'outputPrice', 'audioPrice', 'region', 'retention'] as const
export type StartValue = (typeof startFields)[number]
/** Which of them still stand as they came. */
export const startValuesIn = (kind: ModelKind, config: Record<string, unknown>): StartValue[] => {
  const shape: Record<string, z.ZodType> = modelIntegrations[kind].config.shape
  return startFields.filter((field) => shape[field]?.parse(undefined) === config[field] && config[field] !== undefined)
}
