import { z } from 'zod'
import type { Glyph } from '../providers/define.ts'
import { defineIntegration } from './define.ts'

const glyph = (label: string, color: Glyph['color'], ...paths: string[]): Glyph => ({ label, color, paths })
const url = z.url('Endereço inválido.').max(1_000, 'Use no máximo 1.000 caracteres.')
const secret = (least: number) =>
  z.string().trim().min(least, 'Cole a chave completa.').max(4_000, 'A chave é longa demais.')
const text = (most: number) => z.string().trim().max(most, `Use no máximo ${most} caracteres.`)

/** How a bot elsewhere says what the conversation shall come to: a bubble of its own with nothing else in it. */
const commands =
  'Para o robô passar a conversa à equipe, escreva uma mensagem só com #transferir, ou #transferir: nome da fila. Para terminar, #encerrar.'

/** Facts: Typebot's viewer API, "Chat API" 3.0.0. */
export const typebotIntegration = defineIntegration({
  family: 'assistant',
  kind: 'typebot',
  label: 'Typebot',
  description: 'Um fluxo publicado no Typebot responde aos clientes.',
  words: 'robô bot chatbot fluxo visual',
  glyph: glyph(
    'Typebot',
    '#a24a12',
    'M6 8h12v9h-12z',
    'M12 8v-3',
    'M9.5 12.5v.01',
    'M14.5 12.5v.01',
    'M4 12v2',
    'M20 12v2',
  ),
  steps: {
    before: [
      'No Typebot, publique o fluxo e copie o identificador público dele (Compartilhar, no fim do endereço).',
      'O fluxo recebe as variáveis nome, numero, email, atendimento, protocolo e canal: crie-as nele se quiser usá-las.',
      commands,
    ],
    after: ['Escolha esta conta num assistente, em Automação → Assistentes.'],
  },
  config: z.object({
    baseUrl: url.default('https://typebot.io').meta({
      label: 'Endereço do visualizador',
      placeholder: 'https://bot.suaempresa.com.br',
      help: 'O endereço em que o fluxo abre no navegador, sem o nome do fluxo.',
      is: 'url',
    }),
    publicId: text(200)
      .min(1, 'Informe o identificador público.')
      .meta({ label: 'Identificador público do fluxo', placeholder: 'atendimento-loja' }),
    expiresAfter: z
      .int('Informe um número inteiro.')
      .min(0)
      .max(10_080, 'No máximo 7 dias.')
      .default(240)
      .meta({ label: 'Recomeçar depois de (minutos sem resposta)', help: '0: nunca recomeça sozinho.' }),
    unknownMessage: text(500)
      .default('Não encontrei essa opção. Responda com o número ou o nome dela.')
      .meta({ label: 'Quando a resposta não é nenhuma das opções', multiline: true }),
    choiceMessage: text(200).default('Escolha uma opção:').meta({ label: 'Texto acima dos botões' }),
    pauseS: z.int('Informe um número inteiro.').min(0).max(10, 'No máximo 10 segundos.').default(1).meta({
      label: 'Pausa mínima entre as mensagens (segundos)',
      help: 'Mensagens longas esperam mais, como quem digita. 0: sem pausa.',
    }),
  }),
})

/** Facts: Dify's service API 1.0.0. */
export const difyIntegration = defineIntegration({
  family: 'assistant',
  kind: 'dify',
  label: 'Dify',
  description: 'Um aplicativo do Dify (chat, agente, texto ou fluxo de trabalho) responde aos clientes.',
  words: 'robô bot agente rag workflow inteligência artificial',
  glyph: glyph('Dify', '#1c4fb8', 'M5 5h7a7 7 0 0 1 0 14h-7z', 'M9 9v6'),
  steps: {
    before: ['No Dify, abra o aplicativo, vá em Acesso à API e crie uma chave (app-…).', commands],
    after: ['Toque em Testar: dizemos que tipo de aplicativo é.'],
  },
  config: z.object({
    baseUrl: url.default('https://api.dify.ai/v1').meta({
      label: 'Endereço da API',
      help: 'No seu servidor, o endereço dele seguido de /v1.',
      is: 'url',
    }),
    apiKey: secret(8).meta({ label: 'Chave do aplicativo', placeholder: 'app-…', secret: true }),
    type: z
      .enum(['chatBot', 'agent', 'textGenerator', 'workflow'])
      .default('chatBot')
      .meta({
        label: 'Tipo do aplicativo',
        options: {
          chatBot: 'Chat ou Chatflow',
          agent: 'Agente',
          textGenerator: 'Gerador de texto',
          workflow: 'Fluxo de trabalho',
        },
      }),
    inputName: text(60)
      .min(1, 'Informe o nome da entrada.')
      .default('query')
      .meta({
        label: 'Entrada que recebe a mensagem',
        help: 'O nome da variável de entrada do fluxo ou do gerador.',
        shownWhen: { field: 'type', is: ['textGenerator', 'workflow'] },
      })
      .optional(),
  }),
})

/** Facts: n8n's Webhook, Respond to Webhook and Chat Trigger nodes. */
export const n8nIntegration = defineIntegration({
  family: 'assistant',
  kind: 'n8n',
  label: 'n8n',
  description: 'Um fluxo do n8n recebe cada mensagem e responde.',
  words: 'robô automação webhook fluxo',
  glyph: glyph(
    'n8n',
    '#b02a55',
    'M6 12m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
    'M18 8m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
    'M18 16m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
    'M8 12h3l2 -4h3',
    'M11 12l2 4h3',
  ),
  steps: {
    before: [
      'No n8n, comece o fluxo por Webhook (POST) ou Chat Trigger e ative-o. Use o endereço de produção: o de teste só responde enquanto o editor escuta.',
      'Responda com JSON: output (texto ou lista de textos) e, se quiser, media ([{url, caption}]) e actions ([{"type":"transfer","queue":"Vendas"}], [{"type":"tag","tag":"VIP"}] ou [{"type":"close"}]).',
      'O mesmo aviso pode chegar duas vezes com o mesmo messageId e o mesmo cabeçalho Idempotency-Key.',
    ],
  },
  config: z.object({
    url: url
      .refine((address) => !address.includes('/webhook-test/'), {
        error: 'Este é o endereço de teste do n8n, que só responde com o editor aberto. Use o de produção (/webhook/).',
      })
      .meta({
        label: 'Endereço do webhook',
        placeholder: 'https://n8n.suaempresa.com.br/webhook/atendimento',
        is: 'url',
      }),
    auth: z
      .enum(['none', 'basic', 'header', 'jwt'])
      .default('none')
      .meta({
        label: 'Autenticação',
        options: { none: 'Nenhuma', basic: 'Usuário e senha', header: 'Cabeçalho', jwt: 'JWT' },
      }),
    user: text(200)
      .optional()
      .meta({ label: 'Usuário', shownWhen: { field: 'auth', is: 'basic' }, isNeeded: true }),
    password: text(500)
      .optional()
      .meta({ label: 'Senha', secret: true, shownWhen: { field: 'auth', is: 'basic' }, isNeeded: true }),
    headerName: z
      .string()
      .trim()
      .regex(/^[\w-]{1,100}$/, 'Só letras, números e traços.')
      .optional()
      .meta({ label: 'Nome do cabeçalho', shownWhen: { field: 'auth', is: 'header' }, isNeeded: true }),
    headerValue: text(1_000)
      .optional()
      .meta({ label: 'Valor do cabeçalho', secret: true, shownWhen: { field: 'auth', is: 'header' }, isNeeded: true }),
    jwtSecret: secret(8)
      .optional()
      .meta({
        label: 'Segredo do JWT',
        help: 'A Passphrase da credencial JWT Auth do n8n, com o algoritmo HS256.',
        secret: true,
        shownWhen: { field: 'auth', is: 'jwt' },
        isNeeded: true,
      }),
    signingSecret: text(200).min(16, 'Use pelo menos 16 caracteres.').optional().meta({
      label: 'Segredo da assinatura',
      help: 'Opcional: cada pedido leva webhook-id, webhook-timestamp e webhook-signature (Standard Webhooks) com ele.',
      secret: true,
    }),
    timeoutS: z
      .int('Informe um número inteiro.')
      .min(5, 'Pelo menos 5 segundos.')
      .max(60, 'No máximo 60 segundos.')
      .default(30)
      .meta({ label: 'Esperar a resposta por (segundos)' }),
  }),
})

/** Facts: Dialogflow ES v2 and CX v3, REST. */
export const dialogflowIntegration = defineIntegration({
  family: 'assistant',
  kind: 'dialogflow',
  label: 'Dialogflow',
  description: 'Um agente do Google Dialogflow (ES ou CX) responde aos clientes.',
  words: 'google robô bot intents',
  glyph: glyph('Dialogflow', '#b3541e', 'M12 4l7 4v8l-4 2.3v3.7l-10 -6v-8z', 'M8 11h8'),
  steps: {
    before: [
      'No Google Cloud, crie uma conta de serviço com o papel Dialogflow API Client e baixe a chave em JSON.',
      'Cole aqui o conteúdo inteiro do arquivo.',
    ],
  },
  config: z.object({
    credentials: secret(100)
      .max(8_000, 'Cole só a chave da conta de serviço.')
      .meta({ label: 'Chave da conta de serviço (JSON)', secret: true, multiline: true }),
    edition: z
      .enum(['es', 'cx'])
      .default('es')
      .meta({ label: 'Edição', options: { es: 'Dialogflow ES', cx: 'Dialogflow CX' } }),
    location: text(60)
      .regex(/^[a-z0-9-]*$/, 'Só letras minúsculas, números e traços.')
      .default('')
      .meta({ label: 'Região', placeholder: 'us-central1', help: 'Vazio: global.' }),
    agentId: text(100)
      .optional()
      .meta({ label: 'ID do agente', shownWhen: { field: 'edition', is: 'cx' }, isNeeded: true }),
    environment: text(100).default('').meta({ label: 'Ambiente', help: 'Vazio: o rascunho do agente.' }),
    language: text(20).min(2, 'Informe o idioma.').default('pt-BR').meta({ label: 'Idioma' }),
    fallbacks: z
      .int('Informe um número inteiro.')
      .min(1)
      .max(10)
      .default(3)
      .meta({ label: 'Passar à equipe depois de não entender (vezes)' }),
    /** Elsewhere than at Google: for rehearsals. */
    baseUrl: url.optional().meta({ label: 'Endereço', is: 'url', isHidden: true }),
  }),
})

/** Facts: Vapi's API (OpenAPI 1.0): assistants that speak on the phone, and also answer in writing. */
export const vapiIntegration = defineIntegration({
  family: 'assistant',
  kind: 'vapi',
  label: 'Vapi',
  description: 'Um assistente da Vapi liga para os clientes, atende ligações e também responde por escrito.',
  words: 'voz ia telefone ligação ligar chamada',
  glyph: glyph('Vapi', '#157a6e', 'M4 10v4', 'M8 7v10', 'M12 4v16', 'M16 7v10', 'M20 10v4'),
  steps: {
    before: ['No painel da Vapi, copie a chave privada e o identificador do assistente.', commands],
    after: [
      'Para saber de cada ligação na hora, ponha o endereço acima como Server URL do assistente ou do número, com o segredo como Bearer token. Sem isso, perguntamos à Vapi de tempos em tempos.',
      'As ligações ficam em Ligar, no menu de cada atendimento, e o resultado entra na conversa como nota.',
    ],
  },
  addresses: [
    {
      label: 'Server URL',
      value: '{origin}/hooks/vapi/{id}',
      unreachable: 'A Vapi não alcança este endereço pela internet: vamos perguntar a ela de tempos em tempos.',
    },
  ],
  config: z.object({
    apiKey: secret(8).meta({ label: 'Chave privada', secret: true }),
    assistantId: text(100).min(1, 'Informe o assistente.').meta({ label: 'ID do assistente' }),
    phoneNumberId: text(100).default('').meta({
      label: 'ID do número que liga',
      help: 'Em Phone Numbers, no painel da Vapi. Vazio: esta conta só responde por escrito.',
      section: 'Ligações',
    }),
    hookSecret: z
      .string()
      .trim()
      .regex(/^(\S{16,200})?$/, 'Use de 16 a 200 caracteres, sem espaços.')
      .optional()
      .meta({
        label: 'Segredo dos avisos',
        help: 'O mesmo Bearer token (ou X-Vapi-Secret) que a Vapi manda à Server URL.',
        secret: true,
      }),
    baseUrl: url.default('https://api.vapi.ai').meta({ label: 'Endereço da API', is: 'url', section: 'Endereço' }),
  }),
})

export const botIntegrations = {
  typebot: typebotIntegration,
  dialogflow: dialogflowIntegration,
  n8n: n8nIntegration,
  dify: difyIntegration,
  vapi: vapiIntegration,
}
export type BotKind = keyof typeof botIntegrations
export const botKinds = Object.keys(botIntegrations) as [BotKind, ...BotKind[]]
