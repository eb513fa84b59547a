import type { Prepared, Tx } from '../../../db/database.ts'
import { type Erased, erasedName, patternOf } from '../../contacts/contacts/erase.ts'

/**
 * Events of somebody's opportunities, and those that name them by number or address, as we keep them. Those of opportunities
 * are taken out of the calendar itself by the next round, since what they are of is gone.
 */
export const eraseEvents = async (tx: Tx, erased: Erased) => {
  await tx.rows(erase, [tx.tenantId, erased.contactIds, patternOf(erased) ?? null, erasedName])
}
const erase: Prepared = {
  name: 'calendar_erase',
  text: `update calendar_events e set summary = $4, description = '', location = '', attendees = '{}'
    where tenant_id = $1 and (opportunity_id in (select id from opportunities where tenant_id = $1 and contact_id = any($2::uuid[]))
      or concat_ws(' ', summary, description, location, array_to_string(attendees, ' ')) ~* $3)`,
}
