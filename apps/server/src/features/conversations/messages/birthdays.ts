import { type Abilities, isWindowOpen } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, type KnownBy, unreachableBecause } from '@balcao/contract/channels/index.ts'
import type {
  BirthdayContact,
  BirthdayGreeting,
  birthdayResult,
  birthdaysQuery,
} from '@balcao/contract/conversations/message-calls.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { unknownVariables } from '@balcao/contract/variables.ts'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { birthdayGreetings } from '../../../db/schema/contacts/contacts.ts'
import { audience } from '../../../db/schema/operations/audience.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { knownByColumns } from './reach.ts'

/** At most so many are written to in one call; the rest of the day's with the next. */
const mostAtOnce = 200

/** Contacts whose day is today by the company's clock; who was born on 29 February has it on the 28th of a common year. */
export const listBirthdays = async (actor: Actor, query: z.output<typeof birthdaysQuery>) => {
  const { timezone } = await getDirectory(actor.tenantId)
  const visible = await visibleContacts(actor)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, cursorKey)
  const today = todayIn(timezone)
  const rows = await withTenant(actor.tenantId, (tx) =>
    readToday(
      tx,
      today,
      visible,
      query.limit + 1,
      after ? sql`and (c.search collate "C", c.id) > (${after[0]}, ${after[1]}::uuid)` : undefined,
    ),
  )
  const page = toPage(rows, query.limit, (row) => [row.search, row.id])
  return { ...page, items: page.items.map(presentBirthday) }
}

/**
 * Congratulates today's, once per contact and year. They wait in the audience, at the pace and in the hours of the channel;
 * each opens a conversation for nobody where there is none, and the list of the day says how it fared.
 */
export const sendBirthdayGreetings = async (
  actor: Actor,
  { whatsappId, message, contactIds }: BirthdayGreeting,
): Promise<z.output<typeof birthdayResult>> => {
  const unknown = unknownVariables(message)
  if (unknown.length)
    throw fieldErrors({
      path: 'message',
      message: `Variável desconhecida: {{${unknown[0]}}}. Veja a lista em Variáveis.`,
    })
  const { timezone } = await getDirectory(actor.tenantId)
  const visible = await visibleContacts(actor)
  const today = todayIn(timezone)
  return withTenant(actor.tenantId, async (tx) => {
    const connection = await connectionOf(tx, whatsappId)
    const chosen = contactIds.length
      ? sql`and c.id in (${sql.join(
          contactIds.map((id) => sql`${id}::uuid`),
          sql`, `,
        )})`
      : undefined
    const people = await readToday(
      tx,
      today,
      visible,
      mostAtOnce,
      sql`${chosen ?? sql``} and g.contact_id is null`,
      whatsappId,
    )
    const skipped = people.flatMap((one) => {
      const reason = refusalOf(one, connection)
      return reason ? [{ contact: { id: one.id, name: one.name }, reason }] : []
    })
    const refused = new Set(skipped.map((one) => one.contact.id))
    const due = people.filter((one) => !refused.has(one.id))
    const greeted = await markGreeted(
      tx,
      actor,
      due.map((one) => one.id),
      today.year,
    )
    if (greeted.length) {
      const body = message.replaceAll('\0', '').toWellFormed()
      const purpose = 'marketing' as const
      const rows = greeted.map(({ contactId, audienceId: id }) => ({
        tenantId: tx.tenantId,
        id,
        contactId,
        body,
        purpose,
      }))
      await tx.db
        .insert(audience)
        .values(rows.map((row) => ({ ...row, connectionId: whatsappId, createdBy: actor.userId })))
      await writeAudit(tx, actor, {
        action: 'birthday.sent',
        entity: 'connection',
        entityId: whatsappId,
        after: { count: greeted.length },
      })
    }
    return { sent: greeted.length, skipped }
  })
}

type Today = { year: number; days: number[] }
/** Month and day as one number, 1121 for 21 November; two of them on the 28 February of a common year. */
export const todayIn = (timeZone: string, now = new Date()): Today => {
  const [year = 0, month = 0, day = 0] = wallTimeOf(now, timeZone).slice(0, 10).split('-').map(Number)
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const today = month * 100 + day
  return { year, days: today === 228 && !isLeap ? [228, 229] : [today] }
}

type Row = Omit<BirthdayContact, 'isGreeted' | 'isWaiting' | 'problem'> &
  KnownBy & {
    search: string
    greetedAt: string | null
    greetingState: 'waiting' | 'written' | 'failed' | null
    greetingError: string | null
    windowFrom: string | null
  }

const readToday = async (
  tx: Tx,
  { year, days }: Today,
  visible: SQL | undefined,
  limit: number,
  narrowed: SQL = sql``,
  connectionId: string | null = null,
): Promise<Row[]> => {
  const { rows } = await tx.db.execute<Row>(sql`
    select c.id, c.name, c.birthday_date::text as "birthdayDate", c.search, g.created_at as "greetedAt", a.state as "greetingState",
      a.error as "greetingError",
      ${sql.raw(knownByColumns)},
      (select max(o.last_inbound_at) from tickets o where o.tenant_id = c.tenant_id and o.contact_id = c.id
        and o.connection_id = ${connectionId}::uuid) as "windowFrom"
    from contacts c left join birthday_greetings g on g.tenant_id = c.tenant_id and g.contact_id = c.id and g.year = ${year}
      left join audience a on a.tenant_id = g.tenant_id and a.id = g.audience_id
    where c.tenant_id = ${tx.tenantId} and c.birthday_date is not null and c.merged_into_id is null and not c.is_group
      and (extract(month from c.birthday_date) * 100 + extract(day from c.birthday_date)) in (${sql.join(days, sql`, `)})
      and ${visible ?? sql`true`} ${narrowed}
    order by c.search collate "C", c.id limit ${limit}`)
  return rows
}

const presentBirthday = (row: Row): BirthdayContact => ({
  id: row.id,
  name: row.name,
  number: row.number,
  birthdayDate: row.birthdayDate,
  isGreeted: row.greetedAt !== null,
  isWaiting: row.greetingState === 'waiting',
  problem: row.greetingState === 'failed' ? row.greetingError : null,
})

/** Why this person is not written to here. Nothing is noted down then: another channel may still do. */
const refusalOf = ({ windowFrom, ...known }: Row, { kind, abilities }: Channel): string | null => {
  const problem = unreachableBecause(known, kind)
  if (problem) return problem
  return isWindowOpen(abilities, windowFrom === null ? null : new Date(windowFrom))
    ? null
    : 'A janela de 24 horas do WhatsApp terminou.'
}

/** Those whose greeting of this year is ours to send: two who ask at once share them out. */
const markGreeted = async (tx: Tx, actor: Actor, ids: string[], year: number) => {
  if (!ids.length) return []
  const { tenantId } = tx
  return tx.db
    .insert(birthdayGreetings)
    .values(ids.map((contactId) => ({ tenantId, contactId, year, userId: actor.userId, audienceId: v7() })))
    .onConflictDoNothing()
    .returning({ contactId: birthdayGreetings.contactId, audienceId: sql<string>`${birthdayGreetings.audienceId}` })
}

type Channel = { kind: ChannelKind; abilities: Abilities }
const connectionOf = async (tx: Tx, id: string): Promise<Channel> => {
  const [found] = await tx.db
    .select({ kind: connections.kind, abilities: connections.abilities })
    .from(connections)
    .where(and(eq(connections.tenantId, tx.tenantId), eq(connections.id, id), isNull(connections.deletedAt)))
  if (!found) throw new AppError('ERR_NO_WAPP_FOUND')
  return found
}

const cursorKey = z.tuple([z.string(), z.uuid()])
