import type { VariableContext } from '@balcao/contract/variables.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { laneName } from '../../contacts/lanes/lane-name.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** What the placeholders of a text stand for when this person writes it in this conversation. */
export const readVariables = async (
  tx: Tx,
  actor: Pick<Actor, 'name' | 'email'>,
  { timezone }: Pick<Directory, 'timezone'>,
  ticketId: string,
): Promise<VariableContext> => {
  const [row] = await tx.rows<
    Pick<VariableContext, 'name' | 'email' | 'phoneNumber' | 'businessName' | 'kanban' | 'extra' | 'protocol'>
  >(ofTicket, [tx.tenantId, ticketId])
  return { name: '', ...row, user: actor.name, userEmail: actor.email, timeZone: timezone }
}
const ofTicket: Prepared = {
  name: 'variables_of_ticket',
  text: `select c.name, c.email, c.number as "phoneNumber", c.business_name as "businessName", ${laneName} as kanban,
      c.extra_info as extra, t.protocol
    from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    where t.tenant_id = $1 and t.id = $2`,
}
