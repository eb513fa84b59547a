import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import { defaultSettings, type TenantSettings } from '@balcao/contract/people/settings.ts'
import type { RatingSettings } from '@balcao/contract/service/ratings.ts'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { contactFields } from '../db/schema/contacts/contacts.ts'
import { savedFilters } from '../db/schema/conversations/lists.ts'
import { agentStates } from '../db/schema/people/users.ts'
import { tenants } from '../db/schema/platform/companies.ts'
import { macros } from '../db/schema/service/library.ts'
import { queues } from '../db/schema/service/queues.ts'
import type { Cast } from './seed.ts'

export const demoRating: RatingSettings = {
  ...defaultSettings.rating,
  question: 'Como foi o nosso atendimento?',
  options: defaultSettings.rating.options.map((option) => ({
    ...option,
    message: option.value > 2 ? '' : 'Sentimos muito. Sua avaliação vai direto para a gerente da loja.',
  })),
  thanks: 'Obrigada pela sua avaliação! 💚',
  expiresIn: 2_880,
}

/** How Loja Aurora works: what it promises, how it hands out, what its people keep at hand. */
export const seedOffice = async (tx: Tx, cast: Cast) => {
  const { tenantId } = tx
  const { queueIds } = cast
  const settings: Partial<TenantSettings> = {
    closeKeywords: ['encerrar', 'só isso'],
    rating: demoRating,
    slaTargets: [
      { queueId: null, priority: null, firstAnswer: 240, resolution: 2_880 },
      { queueId: null, priority: 'urgent', firstAnswer: 30, resolution: 480 },
      { queueId: queueIds.Trocas ?? null, priority: null, firstAnswer: 120, resolution: 1_440 },
    ],
    goals: { attendances: 900, firstAnswerMinutes: 30, rating: 4.5 },
  }
  await tx.db.update(tenants).set({ settings, slaStaleAt: new Date() }).where(eq(tenants.id, tenantId))
  await tx.db
    .update(connections)
    .set({ sendEvaluation: true, farewellMessage: 'A Loja Aurora agradece o contato, {{primeiro_nome}}!' })
    .where(and(eq(connections.tenantId, tenantId), eq(connections.kind, 'waba')))
  await tx.db
    .update(queues)
    .set({ distribution: 'fewest', acceptWithin: 15 })
    .where(and(eq(queues.tenantId, tenantId), eq(queues.name, 'Trocas')))
  await tx.db.insert(contactFields).values(
    (['list', 'date', 'number', 'boolean'] as const).map((type) => ({
      tenantId,
      type,
      ...demoFields[type],
    })),
  )
  await seedMacros(tx, cast)
  await seedFilters(tx, cast)
  await seedPauses(tx, cast)
}

export const demoFields = {
  list: { key: 'tamanho', name: 'Tamanho', options: ['PP', 'P', 'M', 'G', 'GG'] },
  date: { key: 'ultima_compra', name: 'Última compra', options: [] },
  number: { key: 'compras_no_ano', name: 'Compras no ano', options: [] },
  boolean: { key: 'aceita_ofertas', name: 'Aceita receber ofertas', options: [] },
}

export const personIn = ({ people }: Cast, login: string) => {
  const person = people.find((one) => one.login === login)
  if (!person) throw new Error(`Nobody is called ${login}`)
  return person
}
export const idIn = (ids: Record<string, string>, name: string) => {
  const id = ids[name]
  if (!id) throw new Error(`Nothing is called ${name}`)
  return id
}

const seedMacros = async (tx: Tx, cast: Cast) => {
  const { tenantId } = tx
  const tag = (name: string) => idIn(cast.tagIds, name)
  const everyone: Record<string, Action[]> = {
    'Iniciar troca': [
      {
        kind: 'send',
        body: 'A troca é gratuita em até 30 dias, {{primeiro_nome}}. Vou passar você para a nossa equipe.',
      },
      { kind: 'addTags', tagIds: [tag('Troca em andamento')] },
      { kind: 'priority', priority: 'high' },
      { kind: 'transfer', queueId: idIn(cast.queueIds, 'Trocas'), userId: null },
    ],
    'Pedido enviado': [
      { kind: 'send', body: '{{primeiro_nome}}, seu pedido saiu para entrega! Qualquer dúvida, é só responder aqui.' },
      { kind: 'note', body: 'Cliente avisado do envio.' },
      { kind: 'pause', minutes: 1_440 },
    ],
    'Venda concluída': [
      { kind: 'send', body: 'Pedido confirmado, {{primeiro_nome}}! O protocolo é {{protocol}}.' },
      { kind: 'removeTags', tagIds: [tag('Primeira compra')] },
      { kind: 'close', reasonId: idIn(cast.reasonIds, 'Venda concluída') },
    ],
  }
  const own: Record<string, Action[]> = {
    'Pedir foto do defeito': [
      { kind: 'send', body: 'Sinto muito por isso! Pode me mandar uma foto da peça e da etiqueta?' },
      { kind: 'addTags', tagIds: [tag('Reclamação')] },
      { kind: 'pause', minutes: 60 },
    ],
  }
  const rows = (scope: 'everyone' | 'mine', login: string, given: Record<string, Action[]>) =>
    Object.entries(given).map(([name, actions]) => ({
      tenantId,
      name,
      scope,
      actions,
      userId: personIn(cast, login).id,
    }))
  await tx.db.insert(macros).values([...rows('everyone', 'admin', everyone), ...rows('mine', 'ana', own)])
}

/** As the address of the attendance screen writes them. */
const seedFilters = async (tx: Tx, cast: Cast) => {
  const { tenantId } = tx
  const { Trocas = '', Vendas = '' } = cast.queueIds
  await tx.db.insert(savedFilters).values([
    {
      tenantId,
      name: 'Trocas com pressa',
      isShared: true,
      userId: personIn(cast, 'supervisor').id,
      query: `prioridade=alta&prioridade=urgente&fila=${Trocas}&todos=1`,
    },
    {
      tenantId,
      name: 'Vendas não lidas',
      userId: personIn(cast, 'ana').id,
      query: `ordem=espera&fila=${Vendas}&naoLidas=1`,
    },
  ])
}

/** Three months of days from nine to six with lunches, breaks and meetings; nobody is away now. */
const seedPauses = async (tx: Tx, cast: Cast) => {
  const { tenantId } = tx
  const at = (daysAgo: number, hour: number, minute: number) => {
    const day = new Date(Date.now() - daysAgo * 86_400_000)
    return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour + 3, minute)) // São Paulo
  }
  const isWeekend = (daysAgo: number) => [0, 6].includes(at(daysAgo, 12, 0).getUTCDay())
  const days = Array.from({ length: 89 }, (_, n) => n + 1).filter((day) => !isWeekend(day))
  await tx.db.insert(agentStates).values(
    ['ana', 'bruno', 'supervisor'].flatMap((login, who) => {
      const { id: userId } = personIn(cast, login)
      const pause = (reason: string, startedAt: Date, endedAt: Date) => ({
        tenantId,
        userId,
        state: 'away' as const,
        reason,
        startedAt,
        endedAt,
      })
      const online = { tenantId, userId, state: 'online' as const, reason: null }
      return days.flatMap((day) => {
        const aways = [
          pause('Almoço', at(day, 12 + (who % 2), day % 7), at(day, 13 + (who % 2), (day * 5 + who) % 9)),
          pause('Intervalo', at(day, 16, 10 + who * 15), at(day, 16, 24 + who * 15 + (day % 4))),
          ...(day % 5 === who ? [pause('Reunião', at(day, 9, 30), at(day, 10, 10 + who * 5))] : []),
        ].toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
        const backs = [at(day, 9, (day * 7 + who) % 12), ...aways.map(({ endedAt }) => endedAt)]
        return [
          ...aways,
          ...backs.map((startedAt, n) => ({
            ...online,
            startedAt,
            endedAt: aways[n]?.startedAt ?? at(day, 18, (day * 3 + who) % 20),
          })),
        ]
      })
    }),
  )
}
