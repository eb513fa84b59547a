import { z } from 'zod'
import { id } from '../../common.ts'

/** What an assistant may be allowed to do, one by one; rows that a grant names are all it may use. */
const confirm = z.boolean().default(false)
const ids = z.array(id).max(50).default([])

export const grantOf = {
  contact: z.strictObject({ kind: z.literal('contact'), confirm }),
  orders: z.strictObject({
    kind: z.literal('orders'),
    confirm,
    /** How the model calls it: `consultar_pedido`. */
    name: z
      .string()
      .trim()
      .regex(/^[a-z][a-z0-9_]{2,39}$/, 'Use de 3 a 40 letras minúsculas, números e _.')
      .default('consultar_pedido'),
    description: z.string().trim().min(1, 'Diga o que este sistema responde.').max(300),
    /** POST with the contact and what was asked; its JSON comes back. */
    url: z.url('Endereço inválido.').max(1_000),
  }),
  addTags: z.strictObject({ kind: z.literal('addTags'), confirm, tagIds: ids }),
  addContactTags: z.strictObject({ kind: z.literal('addContactTags'), confirm, tagIds: ids }),
  transfer: z.strictObject({ kind: z.literal('transfer'), confirm, queueIds: ids }),
  priority: z.strictObject({ kind: z.literal('priority'), confirm }),
  note: z.strictObject({ kind: z.literal('note'), confirm }),
  schedule: z.strictObject({
    kind: z.literal('schedule'),
    confirm,
    /** How far ahead, in days. */
    mostDays: z.int('Informe um número inteiro de dias.').min(1).max(366, 'No máximo 366 dias.').default(30),
  }),
  calendar: z.strictObject({
    kind: z.literal('calendar'),
    confirm: z.literal(true).default(true),
    calendarId: z.uuid('Escolha a agenda.'),
    minutes: z
      .int('Informe um número inteiro.')
      .min(10, 'Pelo menos 10 minutos.')
      .max(480, 'No máximo 480 minutos.')
      .default(60),
    /** How far ahead, in days. */
    days: z.int('Informe um número inteiro de dias.').min(1).max(60, 'No máximo 60 dias.').default(14),
    noticeHours: z.int('Informe um número inteiro.').min(0).max(720, 'No máximo 720 horas.').default(2),
    title: z.string().trim().min(1, 'Informe o título.').max(120).default('Atendimento de {{name}}'),
  }),
  opportunity: z.strictObject({
    kind: z.literal('opportunity'),
    confirm,
    pipelineId: z.uuid('Escolha o funil.'),
    stageId: z.uuid('Escolha a etapa.'),
  }),
  pix: z.strictObject({
    kind: z.literal('pix'),
    confirm: z.literal(true).default(true),
    key: z.string().trim().min(1, 'Informe a chave.').max(77),
    name: z.string().trim().min(1, 'Informe o nome.').max(25),
    city: z.string().trim().min(1, 'Informe a cidade.').max(15),
    /** The most it may charge, in cents. */
    mostCents: z.int('Informe um valor.').min(1).max(100_000_000).default(50_000),
  }),
  close: z.strictObject({ kind: z.literal('close'), confirm, reasonIds: ids }),
} as const
export type ToolKind = keyof typeof grantOf
export const toolKinds = Object.keys(grantOf) as ToolKind[] // the keys of the table above
export type Grant = { [K in ToolKind]: z.output<(typeof grantOf)[K]> }[ToolKind]
const all = Object.values(grantOf) as unknown as [typeof grantOf.contact, typeof grantOf.note]
export const grant = z.discriminatedUnion('kind', all) as unknown as z.ZodType<Grant, Grant> // each by its kind
export const grants = z
  .array(grant)
  .max(20, 'Use no máximo 20 permissões.')
  .superRefine((all, context) => {
    const seen = new Set<string>()
    for (const [at, one] of all.entries()) {
      const key = one.kind === 'orders' ? one.name : one.kind
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [at], message: 'Esta ação já está na lista.' })
      seen.add(key)
    }
  })

export const toolLabels: Record<ToolKind, { label: string; help: string }> = {
  contact: { label: 'Consultar o contato', help: 'Nome, e-mail, empresa e campos de quem está falando, e só dele.' },
  orders: { label: 'Consultar um sistema', help: 'Pergunta a um endereço da empresa: pedidos, saldo, entrega.' },
  addTags: { label: 'Etiquetar a conversa', help: 'Só com as etiquetas escolhidas.' },
  addContactTags: { label: 'Etiquetar o contato', help: 'Só com as etiquetas escolhidas.' },
  transfer: { label: 'Transferir para uma fila', help: 'Só para as filas escolhidas.' },
  priority: { label: 'Definir a prioridade', help: 'Baixa, normal, alta ou urgente.' },
  note: { label: 'Anotar para a equipe', help: 'Uma nota que o cliente não vê.' },
  schedule: { label: 'Agendar uma mensagem', help: 'Um lembrete ou retorno ao cliente, no dia e na hora combinados.' },
  calendar: {
    label: 'Marcar na agenda',
    help: 'Consulta os horários livres do Google Agenda e marca o que o cliente confirmar.',
  },
  opportunity: { label: 'Criar uma oportunidade', help: 'No funil e na etapa escolhidos.' },
  pix: { label: 'Cobrar por Pix', help: 'O cliente confirma antes, sempre.' },
  close: { label: 'Encerrar a conversa', help: 'Depois de responder.' },
}
/** A grant as it begins in the form. */
export const blankGrant = (kind: ToolKind): Grant => {
  const base = { kind, confirm: kind === 'pix' || kind === 'calendar' }
  switch (kind) {
    case 'orders':
      return { ...base, kind, name: 'consultar_pedido', description: '', url: '' }
    case 'addTags':
    case 'addContactTags':
      return { ...base, kind, tagIds: [] }
    case 'transfer':
      return { ...base, kind, queueIds: [] }
    case 'close':
      return { ...base, kind, reasonIds: [] }
    case 'schedule':
      return { ...base, kind, mostDays: 30 }
    case 'opportunity':
      return { ...base, kind, pipelineId: '', stageId: '' }
    case 'calendar':
      return {
        ...{ kind, confirm: true, calendarId: '', minutes: 60, days: 14, noticeHours: 2 },
        title: 'Atendimento de {{name}}',
      }
    case 'pix':
      return { kind, confirm: true, key: '', name: '', city: '', mostCents: 50_000 }
    default:
      return { ...base, kind }
  }
}
