import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, type KnownBy, unreachableBecause } from '@balcao/contract/channels/index.ts'
import type { ConnectionOptions } from '@balcao/contract/channels/options.ts'
import { isWindowOpen } from '@balcao/contract/channels/window.ts'
import { errorCodes } from '@balcao/contract/errors.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { knownByColumns } from '../../conversations/messages/reach.ts'
import type { Day } from './calendar.ts'

/** A connection that congratulates, or is to. */
export type Greeter = { id: string; kind: ChannelKind; abilities: Abilities; options: ConnectionOptions }
/** Whose day it is, as far as it decides whether this connection may write to them. */
export type Celebrated = KnownBy & { id: string; name: string; windowFrom: Date | null; isOptedOut: boolean }

/**
 * Those of a day to whom nothing was sent this year, also under a name they had before they became one with another; of
 * who was refused elsewhere one may try anew.
 */
export const readCelebrated = async (
  tx: Tx,
  { day, greeter, narrowed = sql`true`, limit }: { day: Day; greeter: Greeter; narrowed?: SQL; limit: number },
): Promise<Celebrated[]> => {
  const { rows } = await tx.db.execute<Omit<Celebrated, 'windowFrom'> & { windowFrom: string | null }>(sql`
    select c.id, c.name, ${sql.raw(knownByColumns)},
      (select max(o.last_inbound_at) from tickets o where o.tenant_id = c.tenant_id and o.contact_id = c.id
        and o.connection_id = ${greeter.id}::uuid) as "windowFrom",
      exists (${optedOut(sql`and e.channel = ${greeter.kind}`)}) as "isOptedOut"
    from contacts c
    where c.tenant_id = ${tx.tenantId} and c.birthday_date is not null and c.merged_into_id is null and not c.is_group
      and (extract(month from c.birthday_date) * 100 + extract(day from c.birthday_date)) = any(${sql.param(day.birthdays)}::int[])
      and not exists (select from birthday_greetings g left join audience a on a.tenant_id = g.tenant_id and a.id = g.audience_id
        where g.tenant_id = c.tenant_id and g.contact_id in (select c.id union all select o.id from contacts o
          where o.tenant_id = c.tenant_id and o.merged_into_id = c.id)
        and g.year = ${day.year} and g.refusal is null and a.state is distinct from 'failed')
      and ${narrowed}
    order by c.id limit ${limit}`)
  return rows.map((row) => ({ ...row, windowFrom: row.windowFrom === null ? null : new Date(row.windowFrom) }))
}

/** What a contact `c` refuses of campaigns now, by what they are known by or by the e-mail somebody wrote down. */
export const optedOut = (more: SQL = sql``): SQL => sql`select from (
    select i.kind, i.value from contact_identities i where i.tenant_id = c.tenant_id and i.contact_id = c.id
    union all select 'email', c.email where c.email is not null) i
  join consent_states e on e.tenant_id = c.tenant_id and e.identity_kind = i.kind and e.identity_value = i.value
  where e.purpose = 'marketing' and not e.is_given ${more}`

/** Why this connection does not reach them at all: another one may. */
export const unreachedBecause = (one: Celebrated, { kind, abilities }: Greeter): string | null =>
  unreachableBecause(one, kind, abilities)

/** Why nothing is sent to who could be reached. */
export const refusedBecause = (one: Celebrated, { abilities }: Greeter, hasTemplate: boolean): string | null => {
  if (one.isOptedOut) return errorCodes.ERR_NO_CONSENT.text
  if (hasTemplate || isWindowOpen(abilities, one.windowFrom)) return null
  return 'A janela de 24 horas do WhatsApp terminou. Escolha um modelo aprovado.'
}
