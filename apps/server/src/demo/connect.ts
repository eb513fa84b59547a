import type { TelegramSimulator } from '@balcao/simulators/telegram.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import { and, eq, inArray, isNull, max } from 'drizzle-orm'
import { withTenant } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { contactIdentities, contacts } from '../db/schema/contacts/contacts.ts'
import { tickets } from '../db/schema/conversations/tickets.ts'
import { testConnection } from '../features/channels/connections/connections.service.ts'

/** Brings the simulators, which forget everything when they stop, in step with the stored companies. */
export const connectSimulators = async (simulators: { waba: WabaSimulator; telegram: TelegramSimulator }) => {
  const rows = await withTenant(1, (tx) =>
    tx.db
      .select({ id: connections.id })
      .from(connections)
      .where(and(eq(connections.tenantId, 1), isNull(connections.deletedAt))),
  )
  for (const { id } of rows) await testConnection(1, id)
  await remindOfCustomers(simulators)
}

/** Who has written before: the 24 h window and the bot's right to speak follow from it. */
const remindOfCustomers = async ({ waba, telegram }: { waba: WabaSimulator; telegram: TelegramSimulator }) => {
  const known = await withTenant(1, (tx) =>
    tx.db
      .select({
        kind: contactIdentities.kind,
        value: contactIdentities.value,
        name: contacts.name,
        at: max(tickets.lastInboundAt),
      })
      .from(contactIdentities)
      .innerJoin(contacts, and(eq(contacts.tenantId, 1), eq(contacts.id, contactIdentities.contactId)))
      .innerJoin(tickets, and(eq(tickets.tenantId, 1), eq(tickets.contactId, contacts.id)))
      .where(and(eq(contactIdentities.tenantId, 1), inArray(contactIdentities.kind, ['phone', 'telegram'])))
      .groupBy(contactIdentities.kind, contactIdentities.value, contacts.name),
  )
  for (const { kind, value, name, at } of known) {
    if (kind === 'phone') waba.customer({ waId: value, name }).lastInboundAt = at?.getTime()
    else telegram.customer({ id: Number(value), firstName: name }).hasStarted = true
  }
}
