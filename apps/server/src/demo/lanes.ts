import { isIdentity } from '@balcao/contract/identity.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { lanes } from '../db/schema/contacts/lanes.ts'

const stages = [
  { name: 'Novo contato', color: '#1d4ed8', limit: null },
  { name: 'Em negociação', color: '#b45309', limit: 12 },
  { name: 'Cliente', color: '#15803d', limit: null },
  { name: 'Não comprou', color: '#6b7280', limit: null },
]
const companies = ['Padaria Pão Quente', 'Studio Bella', 'Mercado do Zé', 'Clínica Vida', 'Oficina Silva']

/** Valid and nobody's; one in ten of those who have one shares it, as who was written down twice does. */
const documents = Array.from({ length: 400 }, (_, n) =>
  Array.from(
    { length: 100 },
    (_, end) => `529${String((n * 4_817) % 1_000_000).padStart(6, '0')}${String(end).padStart(2, '0')}`,
  ).find(isIdentity),
)

/** The board of contacts: two in three are somewhere on it, some of them buy for a company. */
export const seedLanes = async (tx: Tx) => {
  const rows = stages.map((stage, position) => ({ ...stage, position, tenantId: tx.tenantId, id: v7() }))
  await tx.db.insert(lanes).values(rows)
  await tx.db.execute(sql`update contacts c set lane_at = now() - interval '3 hours' * n,
      lane_id = case when n % 3 > 0 then (${sql.param(rows.map(({ id }) => id))}::uuid[])[1 + (n * 7 % 11) % ${rows.length}] end,
      business_name = case when n % 5 = 0 then (${sql.param(companies)}::text[])[1 + n / 5 % ${companies.length}] else '' end,
      document = case when n % 6 = 1 then (${sql.param(documents)}::text[])[1 + (n / 6 - (n % 60 = 7)::int) % ${documents.length}] end
    from (select id, (row_number() over (order by id))::int as n from contacts where tenant_id = ${tx.tenantId} and not is_group) o
    where c.tenant_id = ${tx.tenantId} and c.id = o.id`)
}
