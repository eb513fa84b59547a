import { sql } from 'drizzle-orm'
import { flagRows, type Question, type Source, setRows, uuids } from '../../contacts/membership/source.ts'

const ticketsOf = ({ tenantId }: Question) => ({
  from: sql`tickets x`,
  id: sql`x.contact_id`,
  where: sql`x.tenant_id = ${tenantId} and not x.is_hidden`,
})

/** What segments ask of a contact's conversations. */
export const ticketSources = {
  connection: setRows(ticketsOf, (ids) => sql`x.connection_id = ${uuids(ids)}`),
  hasOpenTicket: flagRows(ticketsOf, sql`x.status <> 'closed'`),
  reason: setRows(ticketsOf, (ids) => sql`x.reason_id = ${uuids(ids)}`),
} satisfies Record<string, Source>
