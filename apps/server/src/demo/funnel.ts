import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { opportunities, opportunityMoves, outcomeReasons, pipelines, stages } from '../db/schema/sales/funnel.ts'

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
    }
  })
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
}
