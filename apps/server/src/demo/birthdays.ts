import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'

/** The shop congratulates by its own phone every day at nine; this month it already has. */
export const seedBirthdays = async (tx: Tx) => {
  await tx.db
    .update(connections)
    .set({
      options: sql`options || ${JSON.stringify({
        birthday: true,
        birthdayMessage:
          '{{saudacao}}, {{primeiro_nome}}! A Loja Aurora deseja um feliz aniversário. 🎂 Hoje você tem 15% de desconto.',
      })}::jsonb`,
      // Whoever looks at the demonstration presses the button themselves.
      birthdaysOn: sql`(now() at time zone 'America/Sao_Paulo')::date`,
    })
    .where(and(eq(connections.tenantId, tx.tenantId), eq(connections.kind, 'evolution')))
  await tx.db.execute(sql`insert into birthday_greetings (tenant_id, contact_id, year, connection_id, created_at, refusal)
    select c.tenant_id, c.id, extract(year from now())::int, n.id, now() - interval '1 hour' * o.n,
      case when o.n % 4 = 0 then 'O contato não aceita receber mensagens de campanhas neste canal.' end
    from (select id, row_number() over (order by id)::int as n from contacts where tenant_id = ${tx.tenantId} and not is_group
      and birthday_date is null order by id limit 9) o
    join contacts c on c.tenant_id = ${tx.tenantId} and c.id = o.id
    join connections n on n.tenant_id = c.tenant_id and n.kind = 'evolution' and n.deleted_at is null
    on conflict do nothing`)
}
