import { z } from 'zod'
import { pricesOfBrazil } from '../channels/message-prices.ts'
import { hexColor, id, timezone } from '../common.ts'
import { consentSettings, defaultConsentSettings } from '../contacts/consent.ts'
import { type BotName, botNames } from '../conversations/tickets.ts'
import { priorities } from '../conversations/urgency.ts'
import { alwaysOpen, businessHours, holiday } from '../core/business-hours.ts'
import type { FieldProblem } from '../errors.ts'
import { ratingSettings } from '../service/ratings.ts'
import { exclusiveSettings } from './visibility.ts'

const minutes = z.int().min(1, 'Use pelo menos 1 minuto.').max(525_600).nullable()
export const slaTarget = z.object({
  queueId: id.nullable(),
  priority: z.enum(priorities).nullable(),
  firstAnswer: minutes,
  resolution: minutes,
})
/** One promise per queue and priority, and each promises something. */
export const slaTargets = z
  .array(slaTarget)
  .max(200)
  .superRefine((targets, context) => {
    const known = new Set<string>()
    for (const [at, { queueId, priority, firstAnswer, resolution }] of targets.entries()) {
      const key = `${queueId}:${priority}`
      if (known.has(key))
        context.addIssue({
          code: 'custom',
          path: [at, 'queueId'],
          message: 'Já há um prazo para esta fila e prioridade.',
        })
      known.add(key)
      if (firstAnswer === null && resolution === null)
        context.addIssue({ code: 'custom', path: [at, 'firstAnswer'], message: 'Informe pelo menos um dos prazos.' })
    }
  })
/** What a company wants of a month; null: no goal. */
export const goals = z.object({
  attendances: z.int().min(1, 'Use pelo menos 1.').max(10_000_000).nullable(),
  firstAnswerMinutes: z.int().min(1, 'Use pelo menos 1 minuto.').max(100_000).nullable(),
  /** Mean grade. */
  rating: z.number().min(0.1, 'Use mais que zero.').max(10, 'Use no máximo 10.').nullable(),
})
export type Goals = z.output<typeof goals>
const price = z.int().min(0).max(1_000_000)

type AllTickets = `${BotName}AllTickets`
const ofBots = <Value>(value: (name: BotName) => Value) =>
  Object.fromEntries(botNames.map((name) => [`${name}AllTickets`, value(name)])) as Record<AllTickets, Value> // one for each name

/** How people know the twelve kinds of assistants. */
export const botLabels: Record<BotName, string> = {
  dify: 'Dify',
  lm: 'LM Studio',
  gemini: 'Gemini',
  deepseek: 'DeepSeek',
  qwen: 'Qwen',
  claude: 'Claude',
  grok: 'Grok',
  ollama: 'Ollama',
  n8n: 'n8n',
  typebot: 'Typebot',
  dialogflow: 'Dialogflow',
  chatgpt: 'ChatGPT',
}

/** A tenant's settings, typed. Names are those outside callers use. */
export const tenantSettings = z.object({
  NotViewTicketsChatBot: z.boolean(),
  DirectTicketsToWallets: z.boolean(),
  NotViewAssignedTickets: z.boolean(),
  /** Everybody sees tickets without user and queue (client flag nullticket). */
  nullticket: z.boolean(),
  /** The flow that begins where neither channel nor queue names one. */
  botTicketActive: id.nullable(),
  /** Assistants of this kind begin with every new conversation they work in. */
  ...ofBots(() => z.boolean()),
  /** Whoever accepts a conversation turns its assistant off; else it goes on once the conversation waits again. */
  autoDisableIntegrationsOnAccept: z.boolean(),
  /** On: profile `super` sees what `user` sees. */
  supervisorAdmin: z.boolean(),
  mostrarGruposParaTodos: z.boolean(),
  mostrarFechadoParaTodos: z.boolean(),
  /** The agent's name is always written above the text. */
  signed: z.boolean(),
  /** A push name never overwrites a name typed by an agent; on, it fills names nobody typed. */
  atualizarNomes: z.boolean(),
  allowImpersonation: z.boolean(),
  userCreation: z.boolean(),
  /** One person attends: calling a team is none of the first steps. */
  worksAlone: z.boolean(),
  /** Who does not supervise sees only opportunities of their own. */
  privacidadeFunil: z.boolean(),
  /** Closing a conversation asks for its reason. */
  forceReason: z.boolean(),
  /** Conversations can be put away. */
  allowPause: z.boolean(),
  /** What channels do that say nothing else: leave groups or stories out, turn calls down, and what whoever called is told. */
  ignoreGroupMsg: z.boolean(),
  ignorarStories: z.boolean(),
  rejectCalls: z.boolean(),
  callRejectMessage: z.string().trim().max(1_000),
  /** Open conversations without a word for `autoCloseTime` minutes close by themselves, after `autoCloseMessage`. */
  autoClose: z.boolean(),
  autoCloseTime: z.int().min(5, 'Use pelo menos 5 minutos.').max(43_200, 'Use no máximo 30 dias.'),
  autoCloseMessage: z.string().trim().max(2_000),
  /** Words by which a customer ends the conversation: the whole message, accents and case aside. */
  closeKeywords: z.array(z.string().trim().min(1).max(40)).max(20),
  /** The wallet's owner is away: the conversation goes the normal way instead of waiting for them. */
  transbordo: z.boolean(),
  /** Assistants neither begin nor go on with a contact that is in somebody's wallet. */
  carteiraExterna: z.boolean(),
  /** Why people step away; empty: they write it themselves. */
  pauseReasons: z.array(z.string().trim().min(1).max(40)).max(30),
  /** Promises by queue and priority; null means any. The most exact one counts. Minutes of business time. */
  slaTargets,
  goals,
  /** What is promised counts the hours of the person who serves it, where they have their own. */
  useUserBusinessHours: z.boolean(),
  rating: ratingSettings,
  /** By which words customers stop and start receiving campaigns, and what they are told. */
  ...consentSettings,
  /** What the customer is told with a protocol; {{link}} is its public page. */
  protocolMessage: z.string().trim().max(1_000),
  /** A campaign waits until somebody else than whoever asks for it has agreed. */
  campaignApproval: z.boolean(),
  /** Days the public page of a protocol stays open. */
  protocolLinkDays: z.int().min(1).max(365),
  /** Price of one template message by Meta's category, in hundredths of a cent (R$ 0,0350 = 350). */
  templatePrices: z.object({ MARKETING: price, UTILITY: price, AUTHENTICATION: price }),
  businessHours,
  messageBusinessHours: z.string().max(2_000),
  holidays: z.array(holiday).max(400),
  /** What models may cost in a month, in cents of R$; null: no limit. */
  aiBudgetCents: z.int('Informe um valor.').min(0, 'Não pode ser negativo.').max(100_000_000).nullable(),
  /** CPF, cards and phones are replaced before a text leaves for a model. */
  aiMaskPersonal: z.boolean(),
  /** People are offered suggestions, translations and summaries. */
  aiCopilot: z.boolean(),
  /** What customers say is written below their audio. */
  transcribeAudios: z.boolean(),
  systemColors: z.array(z.object({ label: z.string().max(40), value: hexColor })).max(20),
})
export type TenantSettings = z.output<typeof tenantSettings>

export const defaultSettings: TenantSettings = {
  NotViewTicketsChatBot: false,
  DirectTicketsToWallets: false,
  NotViewAssignedTickets: false,
  nullticket: false,
  botTicketActive: null,
  ...ofBots(() => false),
  autoDisableIntegrationsOnAccept: true,
  supervisorAdmin: false,
  mostrarGruposParaTodos: false,
  mostrarFechadoParaTodos: false,
  signed: false,
  atualizarNomes: true,
  allowImpersonation: true,
  userCreation: true,
  worksAlone: false,
  privacidadeFunil: false,
  forceReason: false,
  campaignApproval: false,
  allowPause: true,
  ignoreGroupMsg: false,
  ignorarStories: false,
  rejectCalls: false,
  callRejectMessage: '',
  autoClose: false,
  autoCloseTime: 1_440,
  autoCloseMessage: '',
  closeKeywords: [],
  transbordo: false,
  carteiraExterna: false,
  pauseReasons: ['Almoço', 'Intervalo', 'Reunião', 'Treinamento'],
  slaTargets: [],
  goals: { attendances: null, firstAnswerMinutes: null, rating: null },
  useUserBusinessHours: false,
  rating: {
    question: 'Como você avalia o nosso atendimento? Responda com o número.',
    options: [
      { value: 5, label: 'Ótimo', message: '' },
      { value: 4, label: 'Bom', message: '' },
      { value: 3, label: 'Regular', message: '' },
      { value: 2, label: 'Ruim', message: '' },
      { value: 1, label: 'Péssimo', message: '' },
    ],
    thanks: 'Obrigado pela sua avaliação!',
    retry: 'Não entendi. Responda apenas com o número da nota.',
    attempts: 2,
    expiresIn: 60,
  },
  ...defaultConsentSettings,
  protocolMessage: 'Seu protocolo é {{protocol}}. Acompanhe em {{link}}',
  protocolLinkDays: 30,
  // Brazil, from 2026, at R$ 5,50 to the dollar; each company corrects them.
  templatePrices: pricesOfBrazil,
  businessHours: alwaysOpen,
  messageBusinessHours: '',
  holidays: [],
  aiBudgetCents: null,
  aiMaskPersonal: true,
  aiCopilot: true,
  transcribeAudios: false,
  systemColors: [],
}
/** A change of some settings; unknown names are refused. */
export const settingsPatch = tenantSettings.partial().strict()
/** The same with what these settings were when the person began: what a colleague changed meanwhile is a 409. */
export const settingsWrite = settingsPatch.extend({ before: settingsPatch.optional() })

/** The settings that are on or off. */
export type SwitchSetting = {
  [Name in keyof TenantSettings]: TenantSettings[Name] extends boolean ? Name : never
}[keyof TenantSettings]

/** What people call each switch, on the screen and in refusals. */
export const switchLabels: Record<SwitchSetting, string> = {
  NotViewAssignedTickets: 'Esconder atendimentos de colegas',
  NotViewTicketsChatBot: 'Esconder atendimentos que só o robô atende',
  nullticket: 'Mostrar a todos os atendimentos sem fila',
  DirectTicketsToWallets: 'Encaminhar para a carteira',
  ...ofBots((name) => `${botLabels[name]} em todas as conversas novas`),
  autoDisableIntegrationsOnAccept: 'Desligar o assistente ao aceitar',
  supervisorAdmin: 'Supervisor vê como atendente',
  mostrarGruposParaTodos: 'Mostrar grupos para todos',
  mostrarFechadoParaTodos: 'Mostrar encerrados para todos',
  signed: 'Assinar todas as mensagens',
  atualizarNomes: 'Completar nomes de contatos',
  userCreation: 'Permitir criar usuários',
  worksAlone: 'Trabalho sozinho',
  privacidadeFunil: 'Privacidade do funil',
  forceReason: 'Exigir motivo ao encerrar',
  allowPause: 'Permitir pausar atendimentos',
  campaignApproval: 'Aprovar campanhas',
  ignoreGroupMsg: 'Ignorar grupos',
  ignorarStories: 'Ignorar stories',
  rejectCalls: 'Recusar ligações',
  autoClose: 'Encerrar conversas paradas',
  transbordo: 'Transbordo da carteira',
  carteiraExterna: 'Assistentes fora da carteira',
  useUserBusinessHours: 'Prazos no horário do atendente',
  allowImpersonation: 'Permitir acesso do suporte',
  aiMaskPersonal: 'Esconder dados pessoais dos modelos',
  aiCopilot: 'Copiloto da equipe',
  transcribeAudios: 'Transcrever áudios dos clientes',
}

/** Why this change cannot be made, at the switch it turns on; undefined when it can. */
export const exclusionProblem = (before: TenantSettings, patch: Partial<TenantSettings>): FieldProblem | undefined => {
  const after = { ...before, ...patch }
  const turnedOn = exclusiveSettings.find((name) => after[name] && !before[name])
  const other = exclusiveSettings.find((name) => name !== turnedOn && after[name])
  if (!turnedOn || !other) return undefined
  return { path: turnedOn, message: `Não funciona junto com “${switchLabels[other]}”. Desligue aquela opção antes.` }
}

/** GET /settings: all of them, the company's time zone and its logo (`logoUrl` is signed and short-lived). */
export const settingsAnswer = tenantSettings.extend({
  timezone: z.string(),
  logoMediaId: id.nullable(),
  logoUrl: z.string().nullable(),
})
export type SettingsAnswer = z.output<typeof settingsAnswer>
/** PUT /settings/logo: an image uploaded before, or none. */
export const logoBody = z.object({ mediaId: id.nullable() })
export const timezoneBody = z.object({ timezone })

/** What the screens wear while nobody chose colours. */
export const defaultSystemColors: TenantSettings['systemColors'] = [{ label: 'primary', value: '#0b7a75' }]
