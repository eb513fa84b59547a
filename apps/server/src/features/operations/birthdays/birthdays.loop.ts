import { usualHour } from '@balcao/contract/operations/birthdays.ts'
import { sql } from 'drizzle-orm'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { todayIn } from './calendar.ts'
import { greet, wordsOf } from './greet.ts'
import { type Greeter, readCelebrated, refusedBecause, unreachedBecause } from './people.ts'

const connectionsAtOnce = 20
const peopleAtOnce = 500
/** Transactions at one time: people's requests need the database too. */
const inTurn = createLimit(2)

/** Connections whose hour has come by their company's clock, and which have not congratulated on this day of its calendar. */
const due = `from connections n join tenants t on t.id = n.tenant_id and t.status = 'active'
  where n.options @> '{"birthday": true}' and n.deleted_at is null
    and coalesce(n.birthdays_on, '-infinity') < (now() at time zone t.timezone)::date
    and to_char(now() at time zone t.timezone, 'HH24:MI') >= coalesce(n.options ->> 'birthdayHour', '${usualHour}')`
export const isBirthdayDue = `select ${due}`

type Due = { tenantId: number; id: string }
/** Congratulates by itself, once a day and connection. */
export const congratulateDue = async (): Promise<Round> => {
  const rows = await platformRows<Due>(find, [])
  const done = await Promise.all(rows.map((one) => inTurn(() => attempt(one))))
  return { did: done.reduce((total, one) => total + one, 0), isMore: rows.length === connectionsAtOnce }
}

/** A slip of ours at one company must not hold up the others: it is tried again with the next look. */
const attempt = async (one: Due): Promise<number> => {
  try {
    return await congratulate(one)
  } catch (error) {
    log.error({ err: error, tenantId: one.tenantId, connectionId: one.id }, 'birthdays not congratulated')
    return 0
  }
}

/**
 * Page by page, each one transaction: a process that dies in between leaves those who are greeted greeted, and the next
 * look begins with those who are not. The day is done when the last page is.
 */
const congratulate = async ({ tenantId, id }: Due): Promise<number> => {
  const { timezone } = await getDirectory(tenantId)
  const day = todayIn(timezone)
  let sent = 0
  for (let after: string | null = null; ; ) {
    const page = await withTenant(tenantId, async (tx) => {
      const [greeter] = await tx.rows<Greeter>(hold, [tenantId, id])
      if (!greeter) return undefined
      const narrowed = sql`c.id > ${after ?? nobody}::uuid and coalesce((${lastUsed}), ${id}::uuid) = ${id}::uuid`
      const people = await readCelebrated(tx, { day, greeter, narrowed, limit: peopleAtOnce })
      const words = wordsOf(greeter)
      const judged = people
        .filter((one) => unreachedBecause(one, greeter) === null)
        .map((one) => ({ id: one.id, reason: refusedBecause(one, greeter, words.template !== null) }))
      const count = await greet(tx, {
        ...{ greeter, day, words, userId: null },
        sent: judged.flatMap(({ id, reason }) => (reason === null ? id : [])),
        refused: judged.flatMap(({ id, reason }) => (reason === null ? [] : { id, reason })),
      })
      const isLast = people.length < peopleAtOnce
      if (isLast) await tx.rows(finish, [tenantId, id, day.date])
      return { count, last: isLast ? null : (people.at(-1)?.id ?? null) }
    })
    // Another process is at it, or it congratulates no longer.
    if (!page) return sent
    sent += page.count
    if (page.last === null) return sent
    after = page.last
  }
}

const nobody = '00000000-0000-0000-0000-000000000000'
/** Of those that congratulate, the connection on which the contact `c` was last in conversation. */
const lastUsed = sql`select o.connection_id from tickets o join connections e on e.tenant_id = o.tenant_id and e.id = o.connection_id
    and e.options @> '{"birthday": true}' and e.deleted_at is null
  where o.tenant_id = c.tenant_id and o.contact_id = c.id order by o.created_at desc limit 1`

const find: Prepared = {
  name: 'birthdays_due',
  text: `select n.tenant_id as "tenantId", n.id ${due} order by n.tenant_id, n.id limit ${connectionsAtOnce}`,
}
const hold: Prepared = {
  name: 'birthdays_hold',
  text: `select n.id, n.kind, n.abilities, n.options ${due} and n.tenant_id = $1 and n.id = $2 for no key update of n skip locked`,
}
const finish: Prepared = {
  name: 'birthdays_done',
  text: 'update connections set birthdays_on = $3::date where tenant_id = $1 and id = $2',
}
