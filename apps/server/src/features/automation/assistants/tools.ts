import type { HandOverReason } from '@balcao/contract/automation/assistants/config.ts'
import { type Grant, type ToolKind, toolLabels } from '@balcao/contract/automation/assistants/tools.ts'
import { timeLabel } from '@balcao/contract/automation/flows/free-times.ts'
import type { Action, ActionKind } from '@balcao/contract/conversations/actions/index.ts'
import { priorities, priorityLabels } from '@balcao/contract/conversations/urgency.ts'
import { momentAt, wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { z } from 'zod'
import type { Directory } from '../../core/directory/directory.ts'
import type { OfferedTool } from './answering.ts'
import { handOverTool } from './prompt.ts'

/** Something that is done in the transaction that gives the answer, and not before. */
export type Effect = { label: string } & (
  | { do: 'action'; action: Action }
  | { do: 'pix'; cents: number; description: string; key: string; name: string; city: string }
)
/** What a tool came to: words for the model, and what is to be done. */
export type ToolOutcome = {
  says: string
  effect?: Effect
  handOver?: HandOverReason
  summary?: string
  /** What the customer is asked to agree to, where nothing is planned. */
  label?: string
  /** It cannot be done: the customer is not asked. */
  isRefused?: boolean
}
type FreeAsked = { calendarId: string; minutes: number; days: number; noticeHours: number; offers: number }
type Booked = { calendarId: string; at: Date; minutes: number; title: string }
/** Calendars of the company; free times are moments within its hours. */
export type CalendarWorld = {
  free: (asked: FreeAsked) => Promise<string[]>
  isOpen: (moment: Date) => boolean
  /** The same time of the same conversation is the same event; false: it is taken. */
  book: (booked: Booked) => Promise<boolean>
}
/** What tools may look at: this conversation's own contact, and nothing else. */
export type ToolWorld = {
  directory: Directory
  contact: () => Promise<string>
  /** POST to a system of the company; its answer as text. */
  ask: (url: string, body: object) => Promise<string>
  calendar: CalendarWorld
}
export type Tool = OfferedTool & {
  kind: ToolKind | 'handOver'
  /** Needs the customer's word first. */
  confirm: boolean
  run: (input: unknown, world: ToolWorld) => Promise<ToolOutcome>
  /**
   * Done once the customer has agreed, instead of with the answer: somebody else has to be asked. Asked again it does the
   * same. Answers what came of it, for the model to say.
   */
  act?: (input: unknown, world: ToolWorld) => Promise<string>
}

const motivo = z.string().trim().min(3).max(300).describe('Por que esta ferramenta é necessária agora')
const tool = <S extends z.ZodType>(
  given: Omit<Tool, 'parameters' | 'run' | 'act'> & {
    parameters: S
    run: (input: z.output<S>, world: ToolWorld) => Promise<ToolOutcome>
    act?: (input: z.output<S>, world: ToolWorld) => Promise<string>
  },
): Tool => {
  const { act, run, parameters, ...rest } = given
  return {
    ...{ ...rest, parameters },
    run: async (input, world) => run(parameters.parse(input), world),
    ...(act && { act: async (input: unknown, world: ToolWorld) => act(parameters.parse(input), world) }),
  }
}

/** The tools of exactly these grants, each narrowed to the rows it names, and the way to a person, which nobody takes away. */
export const toolsOf = (grants: readonly Grant[], directory: Directory): Tool[] => [
  ...grants.flatMap((grant) => toolOf(grant, directory) ?? []),
  toPerson,
]
/** The actions that these grants may come to. */
export const actionsOf = (grants: readonly Grant[]): ReadonlySet<ActionKind> =>
  new Set(grants.flatMap(({ kind }) => actionKindOf[kind] ?? []))
const actionKindOf: Partial<Record<ToolKind, ActionKind>> = {
  addTags: 'addTags',
  addContactTags: 'addContactTags',
  transfer: 'transfer',
  priority: 'priority',
  note: 'note',
  opportunity: 'opportunity',
  schedule: 'schedule',
  close: 'close',
}

const toPerson = tool({
  kind: 'handOver',
  name: handOverTool,
  description: 'Passa a conversa para uma pessoa da equipe.',
  confirm: false,
  parameters: z.object({
    motivo: z.enum(['pediu', 'incerto', 'irritado', 'fora_da_base', 'dinheiro']),
    resumo: z.string().trim().max(1_500).default('').describe('O que a pessoa precisa saber'),
  }),
  run: async ({ motivo: why, resumo }) => ({
    says: 'A conversa vai para a equipe.',
    handOver: reasonOf[why],
    summary: resumo,
  }),
})
const reasonOf = {
  pediu: 'asked',
  incerto: 'unsure',
  irritado: 'angry',
  fora_da_base: 'outside',
  dinheiro: 'money',
} as const satisfies Record<string, HandOverReason>

const noted = 'Anotado: será feito junto com a sua resposta.'
const done = (label: string, action: Action): ToolOutcome => ({ says: noted, effect: { do: 'action', label, action } })

const toolOf = (grant: Grant, directory: Directory): Tool | Tool[] | undefined => {
  const base = { kind: grant.kind, confirm: grant.confirm, description: toolLabels[grant.kind].label }
  switch (grant.kind) {
    case 'contact':
      return tool({
        ...base,
        name: 'consultar_contato',
        description: 'O cadastro do cliente desta conversa.',
        parameters: z.object({ motivo }),
        run: async (_, { contact }) => ({ says: await contact() }),
      })
    case 'orders':
      return tool({
        ...base,
        name: grant.name,
        description: grant.description,
        parameters: z.object({ motivo, consulta: z.string().trim().min(1).max(200) }),
        run: async ({ consulta }, { ask }) => ({ says: await ask(grant.url, { consulta }) }),
      })
    case 'addTags':
    case 'addContactTags': {
      const names = allowed(directory.tags, grant.tagIds)
      if (!names) return undefined
      const { kind } = grant
      return tool({
        ...base,
        name: kind === 'addTags' ? 'etiquetar_conversa' : 'etiquetar_contato',
        parameters: z.object({ motivo, etiqueta: names.schema }),
        run: async ({ etiqueta }) =>
          done(`${base.description}: ${etiqueta}`, { kind, tagIds: [names.idOf(etiqueta)] } as Action),
      })
    }
    case 'transfer': {
      const active = new Map([...directory.queues].filter(([, { isActive }]) => isActive))
      const names = allowed(active, grant.queueIds)
      if (!names) return undefined
      return tool({
        ...base,
        name: 'transferir_para_fila',
        parameters: z.object({ motivo, fila: names.schema }),
        run: async ({ fila }) =>
          done(`Transferir para ${fila}`, { kind: 'transfer', queueId: names.idOf(fila), userId: null }),
      })
    }
    case 'priority':
      return tool({
        ...base,
        name: 'definir_prioridade',
        parameters: z.object({ motivo, prioridade: z.enum(priorities) }),
        run: async ({ prioridade }) =>
          done(`Prioridade ${priorityLabels[prioridade]}`, { kind: 'priority', priority: prioridade }),
      })
    case 'note':
      return tool({
        ...base,
        name: 'anotar_para_equipe',
        parameters: z.object({ motivo, texto: z.string().trim().min(1).max(2_000) }),
        run: async ({ texto }) => done('Anotar', { kind: 'note', body: withoutVariables(texto) } as Action),
      })
    case 'close': {
      const names = allowed(directory.reasons, grant.reasonIds)
      return tool({
        ...base,
        name: 'encerrar_conversa',
        parameters: z.object({ motivo, desfecho: names ? names.schema.optional() : z.undefined().optional() }),
        run: async ({ desfecho }) =>
          done('Encerrar', { kind: 'close', reasonId: desfecho && names ? names.idOf(desfecho) : null }),
      })
    }
    case 'schedule': {
      const minutesTo = (wall: string) => {
        const at = Number.isNaN(Date.parse(wall)) ? Number.NaN : Date.parse(momentAt(wall, directory.timezone))
        return Math.round((at - Date.now()) / 60_000)
      }
      const isNear = (wall: string) => minutesTo(wall) >= 5 && minutesTo(wall) <= grant.mostDays * 1_440
      return tool({
        ...base,
        name: 'agendar_mensagem',
        description: `Agenda uma mensagem ao cliente, para até ${grant.mostDays} dias à frente.`,
        parameters: z.object({
          motivo,
          quando: z
            .string()
            .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/)
            .refine(isNear, `Escolha um momento entre daqui a 5 minutos e ${grant.mostDays} dias.`)
            .describe('Data e hora no relógio da empresa: AAAA-MM-DDTHH:MM'),
          texto: z.string().trim().min(1).max(1_000),
        }),
        run: async ({ quando, texto }) => {
          const [day = '', time = ''] = quando.split('T')
          const label = `Agendar para ${day.split('-').toReversed().join('/')} às ${time}: ${texto}`
          return done(label, { kind: 'schedule', body: withoutVariables(texto), minutes: minutesTo(quando) })
        },
      })
    }
    case 'calendar': {
      const { calendarId, minutes, days, noticeHours, title } = grant
      const { timezone } = directory
      const momentOf = (wall: string) => new Date(momentAt(wall, timezone))
      const isSoon = (wall: string) => {
        const hours = (momentOf(wall).getTime() - Date.now()) / 3_600_000
        return hours >= noticeHours && hours <= (days + 1) * 24
      }
      const look = tool({
        ...{ ...base, confirm: false },
        name: 'consultar_horarios',
        description: 'Os próximos horários livres da agenda, no relógio da empresa.',
        parameters: z.object({ motivo }),
        run: async (_, { calendar }) => {
          const times = await calendar.free({ calendarId, minutes, days, noticeHours, offers: 12 })
          return {
            says: times.length
              ? times.map((at) => `${wallTimeOf(at, timezone).slice(0, 16)} (${timeLabel(at, timezone)})`).join('\n')
              : `Não há horário livre nos próximos ${days} dias.`,
          }
        },
      })
      const book = tool({
        ...base,
        name: 'marcar_horario',
        description: `Marca um horário de ${minutes} minutos, um dos que consultar_horarios mostrou.`,
        parameters: z.object({
          motivo,
          quando: z
            .string()
            .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/)
            .refine((wall) => isSoon(wall), `Escolha um horário dos próximos ${days} dias.`)
            .describe('Data e hora no relógio da empresa: AAAA-MM-DDTHH:MM'),
        }),
        run: async ({ quando }, { calendar }) => {
          const at = momentOf(quando)
          if (!calendar.isOpen(at))
            return { says: 'A empresa não atende nesse horário. Ofereça outro.', isRefused: true }
          return { says: noted, label: `Marcar ${timeLabel(at.toISOString(), timezone)}` }
        },
        act: async ({ quando }, { calendar }) => {
          const at = momentOf(quando)
          const when = timeLabel(at.toISOString(), timezone)
          return (await calendar.book({ calendarId, at, minutes, title }))
            ? `${when}. Já está marcado na agenda; diga isso a ele.`
            : `${when}, mas alguém acabou de ocupar esse horário e nada foi marcado. Diga isso e ofereça outro.`
        },
      })
      return [look, book]
    }
    case 'opportunity': {
      const { stageId } = grant
      return tool({
        ...base,
        name: 'criar_oportunidade',
        parameters: z.object({
          motivo,
          titulo: z.string().trim().min(1).max(120),
          valor_em_reais: z.number().min(0).max(10_000_000).optional(),
        }),
        run: async ({ titulo, valor_em_reais: reais }) =>
          done(`Oportunidade “${titulo}”`, {
            ...{ kind: 'opportunity', stageId, responsibleId: null, forecastDays: null, description: null },
            ...{ name: withoutVariables(titulo), source: 'Assistente', ifOpen: 'keep' },
            value: reais === undefined ? null : reais.toFixed(2).replace('.', ','),
          } as Action),
      })
    }
    case 'pix': {
      const { key, name, city, mostCents } = grant
      return tool({
        ...base,
        name: 'cobrar_pix',
        description: 'Manda ao cliente um código Pix para pagar.',
        confirm: true,
        parameters: z.object({
          motivo,
          valor_em_reais: z
            .number()
            .positive()
            .max(mostCents / 100),
          descricao: z.string().trim().min(1).max(60),
        }),
        run: async ({ valor_em_reais: reais, descricao }) => ({
          says: noted,
          effect: {
            do: 'pix',
            label: `Pix de ${reaisText(reais)}`,
            ...{ cents: Math.round(reais * 100), description: descricao, key, name, city },
          },
        }),
      })
    }
  }
}
/** Words of a model name nothing of ours. */
const withoutVariables = (text: string) => text.replaceAll('{{', '{ {')
const reaisText = (reais: number) => reais.toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' })

/** Rows by their names, as the model may name them: those the grant holds, or all where it holds none. */
const allowed = (rows: ReadonlyMap<string, { id: string; name: string }>, ids: readonly string[]) => {
  const those = ids.length ? ids.flatMap((id) => rows.get(id) ?? []) : [...rows.values()].slice(0, 100)
  const [first, ...others] = those.map(({ name }) => name)
  if (!first) return undefined
  return {
    schema: z.enum([first, ...others]),
    idOf: (name: string) => those.find((one) => one.name === name)?.id ?? '',
  }
}
