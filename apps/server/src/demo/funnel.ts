import { itemsTotal } from '@balcao/contract/sales/opportunities.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { funnelActionRuns, pipelineActions, ticketActions } from '../db/schema/operations/funnel-actions.ts'
import { tasks } from '../db/schema/operations/tasks.ts'
import {
  funnelGoals,
  opportunities,
  opportunityMoves,
  outcomeReasons,
  pipelines,
  stages,
} from '../db/schema/sales/funnel.ts'

const ways = [
  { name: 'Novo', color: '#566570', probability: 10, rotDays: 5 },
  { name: 'Contato', color: '#1c7ed6', probability: 30, rotDays: 7 },
  { name: 'Proposta', color: '#b87c00', probability: 60, rotDays: 10, requires: ['value' as const] },
  { name: 'Negociação', color: '#0b7a75', probability: 80, rotDays: 14 },
]
const reasons = [
  { name: 'Preço', outcome: 'lose' as const },
  { name: 'Comprou de outro', outcome: 'lose' as const },
  { name: 'Desistiu', outcome: 'lose' as const },
  { name: 'Indicação de cliente', outcome: 'win' as const },
  { name: 'Prazo de entrega', outcome: 'win' as const },
]
const wishes = [
  'Enxoval completo',
  'Kit presentes de Natal',
  'Uniformes da equipe',
  'Mesa posta para 12',
  'Decoração da vitrine',
  'Cortinas do salão',
  'Brindes para clientes',
  'Toalhas bordadas',
]
const sources = ['Site', 'Indicação', 'Instagram', 'Loja', '']
const day = 86_400_000

/** Some forty opportunities of the shop: open ones in every stage, some late, some cold; and how this month's ended. */
export const seedFunnel = async (tx: Tx, people: readonly { id: string }[]) => {
  const { tenantId } = tx
  const pipelineId = v7()
  await tx.db.insert(pipelines).values({ tenantId, id: pipelineId, name: 'Vendas', position: 1 })
  const places = ways.map((way, at) => ({ ...way, tenantId, id: v7(), pipelineId, position: at + 1 }))
  await tx.db.insert(stages).values(places)
  const why = reasons.map((reason) => ({ ...reason, tenantId, id: v7() }))
  await tx.db.insert(outcomeReasons).values(why)
  const { rows: contacts } = await tx.db.execute<{ id: string }>(
    sql`select id from contacts where tenant_id = ${tenantId} and not is_group and merged_into_id is null order by id limit 40`,
  )
  const now = Date.now()
  const made = contacts.map(({ id: contactId }, n) => {
    const place = places[(n * 7) % places.length] ?? places[0]
    const status = n % 6 === 4 ? ('win' as const) : n % 9 === 5 ? ('lose' as const) : ('open' as const)
    const createdAt = new Date(now - (3 + ((n * 5) % 40)) * day)
    const stageSince = new Date(Math.max(createdAt.getTime(), now - (n % 10) * day))
    const ours = why.filter(({ outcome }) => outcome === status)
    return {
      ...{
        tenantId,
        id: v7({ msecs: createdAt.getTime() }),
        pipelineId,
        stageId: place?.id ?? '',
        contactId,
        status,
        createdAt,
        stageSince,
      },
      name: wishes[n % wishes.length] ?? '',
      position: n,
      responsibleId: people[n % people.length]?.id ?? null,
      createdBy: people[n % people.length]?.id ?? null,
      value: 35_000 + ((n * 7_919) % 90) * 10_000,
      source: sources[n % sources.length] ?? '',
      closingForecast: new Date(now + (((n * 3) % 25) - 3) * day).toISOString().slice(0, 10),
      reasonId: ours.length ? (ours[n % ours.length]?.id ?? null) : null,
      closedAt: status === 'open' ? null : new Date(now - (n % 15) * day),
      items: n % 4 === 0 ? offered(n) : [],
    }
  })
  for (const one of made) if (one.items.length) one.value = itemsTotal(one.items)
  await tx.db.insert(opportunities).values(made)
  const [first] = places
  await tx.db.insert(opportunityMoves).values(
    made.flatMap(({ id, stageId, status, createdAt, stageSince, closedAt, createdBy }) => [
      { tenantId, opportunityId: id, kind: 'created' as const, to: first?.id, userId: createdBy, at: createdAt },
      ...(stageId === first?.id
        ? []
        : [
            {
              tenantId,
              opportunityId: id,
              kind: 'stage' as const,
              from: first?.id,
              to: stageId,
              userId: createdBy,
              at: stageSince,
            },
          ]),
      ...(closedAt
        ? [
            {
              tenantId,
              opportunityId: id,
              kind: 'status' as const,
              from: 'open',
              to: status,
              userId: createdBy,
              at: closedAt,
            },
          ]
        : []),
    ]),
  )
  await seedAround(tx, people, { pipelineId, places, why, made, now })
}

const offered = (n: number) => [
  { name: 'Jogo de lençóis 400 fios', quantity: 2 + (n % 5), price: 45_990, discountPercent: n % 3 === 0 ? 10 : 0 },
  { name: 'Toalha bordada', quantity: 6, price: 8_950, discountPercent: 0 },
]

type Around = {
  pipelineId: string
  places: readonly { id: string }[]
  why: readonly { id: string; outcome: 'win' | 'lose' }[]
  made: readonly { id: string; stageId: string; stageSince: Date; status: string; contactId: string }[]
  now: number
}
/** Goals of the month, what happens by itself and what it did, and tasks of some opportunities. */
const seedAround = async (tx: Tx, people: readonly { id: string }[], around: Around) => {
  const { tenantId } = tx
  const { pipelineId, places, why, made, now } = around
  const month = `${new Date(now).toISOString().slice(0, 7)}-01`
  await tx.db.insert(funnelGoals).values([
    { tenantId, pipelineId, month, userId: null, measure: 'value', target: 4_000_000 },
    ...people.slice(0, 2).map(({ id: userId }) => ({
      ...{ tenantId, pipelineId, month, userId, measure: 'wins' as const, target: 4 },
    })),
  ])
  const { rows: channels } = await tx.db.execute<{ id: string }>(
    sql`select n.id from connections n where n.tenant_id = ${tenantId} and n.deleted_at is null
      order by (select count(*) from tickets t where t.tenant_id = n.tenant_id and t.connection_id = n.id) desc, n.id limit 1`,
  )
  const whatsappId = channels[0]?.id ?? null
  const { rows: tags } = await tx.db.execute<{ id: string }>(
    sql`select id from tags where tenant_id = ${tenantId} order by name limit 1`,
  )
  const tagId = tags[0]?.id
  const shared = { tenantId, pipelineId, active: false, lookAt: new Date(now) }
  const tagging = { ...shared, id: v7(), name: 'Etiquetar quem parou na proposta', stageId: places[2]?.id ?? '' }
  await tx.db.insert(pipelineActions).values([
    {
      ...{ ...shared, id: v7(), name: 'Lembrar depois de 5 dias', stageId: places[1]?.id ?? '', position: 1 },
      ...{ actionType: 'message', daysToTrigger: 5, whatsappId },
      actions: [{ kind: 'send', body: 'Oi, {{firstName}}! Ficou alguma dúvida? Estamos por aqui.' }],
    },
    {
      ...{ ...tagging, position: 2, actionType: 'add_tag', daysToTrigger: 7 },
      actions: tagId ? [{ kind: 'addContactTags', tagIds: [tagId] }] : [],
    },
    {
      ...{ ...shared, id: v7(), name: 'Perder depois de 30 dias', stageId: places[3]?.id ?? '', position: 3 },
      ...{ actionType: 'status_change', daysToTrigger: 30, targetStatus: 'lose' },
      reasonId: why.find(({ outcome }) => outcome === 'lose')?.id ?? null,
    },
  ])
  await tx.db.insert(ticketActions).values({
    ...{
      tenantId,
      id: v7(),
      name: 'Ainda está por aí?',
      active: false,
      actionType: 'message',
      hoursWithoutResponse: 24,
    },
    actions: [{ kind: 'send', body: 'Oi, {{firstName}}! Posso ajudar em mais alguma coisa?' }],
  })
  const met = made.filter(({ stageId, status }) => stageId === tagging.stageId && status === 'open').slice(0, 6)
  if (met.length)
    await tx.db.insert(funnelActionRuns).values(
      met.map((one, n) => ({
        ...{ tenantId, id: v7(), actionId: tagging.id, actionName: tagging.name, actionType: 'add_tag' as const },
        ...{
          opportunityId: one.id,
          visitAt: one.stageSince,
          createdAt: new Date(now - n * day),
          doneAt: new Date(now),
        },
        ...(n === 2
          ? { state: 'skipped' as const, problem: 'A oportunidade deixou a etapa antes.' }
          : { state: 'done' as const }),
      })),
    )
  const [owner] = people
  if (owner)
    await tx.db.insert(tasks).values(
      made
        .filter(({ status }) => status === 'open')
        .slice(0, 4)
        .map((one, n) => ({
          ...{
            tenantId,
            id: v7(),
            ownerId: owner.id,
            userId: owner.id,
            contactId: one.contactId,
            opportunityId: one.id,
          },
          name:
            ['Ligar para confirmar medidas', 'Mandar amostra do tecido', 'Cobrar resposta', 'Agendar visita'][n] ?? '',
          limitDate: new Date(now + (n - 1) * day),
        })),
    )
}
