import { createHmac, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { requestOf } from './load.ts'
import { tenantId, waba } from './seed.ts'

export type Customer = {
  connectionId: string
  phoneNumberId: string
  number: string
  name: string
  ticketId: string
  contactId: string
}

/** People of one connection who have an active ticket. */
export const activeCustomers = async (db: pg.Pool): Promise<Customer[]> => {
  const { rows } = await db.query<Customer>(
    `select x.id as "connectionId", x.external_id as "phoneNumberId", c.number, c.name, t.id as "ticketId", c.id as "contactId"
       from tickets t join contacts c on c.tenant_id = $1 and c.id = t.contact_id join connections x on x.tenant_id = $1 and x.id = t.connection_id
       where t.tenant_id = $1 and t.status <> 'closed' and x.external_id = $2 order by t.id`,
    [tenantId, `${waba.phoneNumberId}1`],
  )
  if (!rows.length) throw new Error('Nobody with an active ticket was seeded')
  return rows
}

const run = randomBytes(4).toString('hex')
let serial = 0

/** A signed call as Meta makes it, with one text message. */
export const webhook = (customer: Customer, text: string): Buffer => {
  const message = {
    from: customer.number,
    id: `wamid.live${run}${++serial}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: text },
  }
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '551130001000', phone_number_id: customer.phoneNumberId },
    contacts: [{ profile: { name: customer.name }, wa_id: customer.number }],
    messages: [message],
  }
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: waba.wabaId, changes: [{ field: 'messages', value }] }],
  })
  const signature = createHmac('sha256', waba.appSecret).update(body).digest('hex')
  return requestOf(
    'POST',
    `/hooks/waba/${customer.connectionId}`,
    { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  )
}

/** How many live messages are stored, and how many journal rows wait. */
export const arrived = async (db: pg.Pool) => {
  const { rows } = await db.query<{ stored: number; waiting: number }>(
    `select (select count(*)::int from messages where tenant_id = $1 and provider_id like 'wamid.live${run}%' and created_at > now() - interval '1 hour') as stored,
       (select count(*)::int from journal where tenant_id = $1 and state = 'received') as waiting`,
    [tenantId],
  )
  return rows[0] ?? { stored: 0, waiting: 0 }
}

/** Takes away what measurements added, so that every run finds the same database. */
export const sweep = async (db: pg.Pool) => {
  await db.query(
    `delete from messages where tenant_id = $1 and created_at > now() - interval '2 days' and provider_id like 'wamid.live%'`,
    [tenantId],
  )
  await db.query('truncate journal, outbox')
  await db.query('vacuum (analyze) messages')
  await db.query('vacuum (analyze) tickets')
}
