import type { TemplateUse } from '@balcao/contract/channels/templates.ts'
import {
  type BirthdayGreeting,
  type birthdayResult,
  birthdayRule,
  usualGreeting,
} from '@balcao/contract/operations/birthdays.ts'
import { unknownVariables } from '@balcao/contract/variables.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { emitAudience } from '../audience/audience.events.ts'
import { type Day, todayIn } from './calendar.ts'
import { type Greeter, readCelebrated, refusedBecause, unreachedBecause } from './people.ts'

/** At most so many are written to in one call; the rest of the day's with the next. */
const mostAtOnce = 200

/**
 * Congratulates today's, once per contact and year. They wait in the audience, at the pace and in the hours of the channel;
 * each opens a conversation for nobody where there is none, and the list of the day says how it fared.
 */
export const sendBirthdayGreetings = async (
  actor: Actor,
  { whatsappId, message, template, contactIds }: BirthdayGreeting,
): Promise<z.output<typeof birthdayResult>> => {
  const [unknown] = unknownVariables(message ?? '')
  if (unknown)
    throw fieldErrors({
      path: 'message',
      message: `Variável desconhecida: {{${unknown}}}. Veja a lista em Variáveis.`,
    })
  const { timezone } = await getDirectory(actor.tenantId)
  const visible = await visibleContacts(actor)
  const day = todayIn(timezone)
  return withTenant(actor.tenantId, async (tx) => {
    const greeter = await greeterOf(tx, whatsappId)
    const chosen = contactIds.length ? sql`c.id = any(${sql.param(contactIds)}::uuid[])` : sql`true`
    const narrowed = sql`${visible ?? sql`true`} and ${chosen}`
    const people = await readCelebrated(tx, { day, greeter, narrowed, limit: mostAtOnce })
    const use = template === undefined ? (greeter.options.birthdayTemplate ?? null) : template
    const judged = people.map((one) => ({
      one,
      reason: unreachedBecause(one, greeter) ?? refusedBecause(one, greeter, use !== null),
    }))
    const ids = judged.flatMap(({ one, reason }) => (reason === null ? one.id : []))
    const words = wordsOf(greeter, { message, template: use })
    const sent = await greet(tx, { greeter, day, words, userId: actor.userId, sent: ids, refused: [] })
    if (sent)
      await writeAudit(tx, actor, {
        action: 'birthday.sent',
        entity: 'connection',
        entityId: whatsappId,
        after: { count: sent },
      })
    const skipped = judged.flatMap(({ one: { id, name }, reason }) =>
      reason === null ? [] : [{ contact: { id, name }, reason }],
    )
    return { sent, skipped }
  })
}

export type Words = { body: string; mediaId: string | null; template: TemplateUse | null }
/** What a connection says, where nobody chose something else. */
export const wordsOf = (
  { options }: Greeter,
  { message, template = options.birthdayTemplate ?? null }: { message?: string; template?: TemplateUse | null } = {},
): Words => ({
  body: (message || options.birthdayMessage || usualGreeting).replaceAll('\0', '').toWellFormed(),
  mediaId: options.birthdayMediaId ?? null,
  template,
})

type Greeting = {
  greeter: Greeter
  day: Day
  words: Words
  /** By hand; null: as every day. */
  userId: string | null
  sent: string[]
  refused: { id: string; reason: string }[]
}
/**
 * The one door for greetings, by hand and by the loop: the row of contact and year decides, in one statement with what
 * waits to be sent, so that two who ask at once share them out and nobody is left between. Answers how many will be sent.
 */
export const greet = async (tx: Tx, { greeter, day, words, userId, sent, refused }: Greeting): Promise<number> => {
  const asked = [
    ...sent.map((contactId) => ({ contact_id: contactId, audience_id: v7(), refusal: null })),
    ...refused.map(({ id, reason }) => ({ contact_id: id, audience_id: null, refusal: reason })),
  ]
  if (!asked.length) return 0
  const { body, mediaId, template } = words
  const [row] = await tx.rows<{ count: number }>(statement, [
    ...[tx.tenantId, JSON.stringify(asked), day.year, userId, greeter.id],
    ...[body, mediaId, template && JSON.stringify(template), day.date],
  ])
  await emitAudience(tx, [birthdayRule])
  return row?.count ?? 0
}

const statement: Prepared = {
  name: 'birthdays_greet',
  text: `with asked as (
      select * from jsonb_to_recordset($2::jsonb) as r(contact_id uuid, audience_id uuid, refusal text) order by contact_id
    ), noted as (
      insert into birthday_greetings as g (tenant_id, contact_id, year, user_id, connection_id, audience_id, refusal)
      select $1, contact_id, $3, $4, $5, audience_id, refusal from asked
      on conflict (tenant_id, contact_id, year) do update set user_id = excluded.user_id, connection_id = excluded.connection_id,
          audience_id = excluded.audience_id, refusal = excluded.refusal, created_at = now()
        where g.refusal is not null or exists (select from audience a where a.tenant_id = g.tenant_id and a.id = g.audience_id
          and a.state = 'failed')
      returning contact_id, audience_id
    ), waiting as (
      insert into audience (tenant_id, id, connection_id, contact_id, body, purpose, media_id, template, created_by, rule, expires_at)
      select $1, n.audience_id, $5, n.contact_id, $6, 'marketing', $7, $8::jsonb, $4, '${birthdayRule}',
        (($9::date + 1)::timestamp at time zone (select timezone from tenants where id = $1))
      from noted n where n.audience_id is not null returning 1
    ) select count(*)::int as count from waiting`,
}

const greeterOf = async (tx: Tx, id: string): Promise<Greeter> => {
  const [found] = await tx.db
    .select({
      id: connections.id,
      kind: connections.kind,
      abilities: connections.abilities,
      options: connections.options,
    })
    .from(connections)
    .where(and(eq(connections.tenantId, tx.tenantId), eq(connections.id, id), isNull(connections.deletedAt)))
  if (!found) throw new AppError('ERR_NO_WAPP_FOUND')
  return found
}
