import type { SavedField } from '@balcao/contract/automation/flows/graph.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { readContacts } from './contact-rows.ts'
import { emitContact } from './contacts.events.ts'
import { presentContact } from './contacts.service.ts'

const columns: Record<SavedField, string> = {
  name: 'name',
  email: 'email',
  businessName: 'business_name',
  document: 'document',
  birthdayDate: 'birthday_date',
}

/** What a contact answered about themself, into their card. A name they gave is theirs: no push name overwrites it. */
export const saveAnswer = async (tx: Tx, contactId: string, { field, value }: { field: SavedField; value: string }) => {
  const [before] = await readContacts(tx, [contactId])
  if (!before || before[field] === value) return
  await tx.rows(statements[field], [tx.tenantId, contactId, value])
  const [after] = await readContacts(tx, [contactId])
  if (!after) return
  const told = { before: { [field]: before[field] }, after: { [field]: value } }
  await writeAudit(tx, null, { action: 'contact.updated', entity: 'contact', entityId: contactId, ...told })
  await emitContact(tx, presentContact(after))
}

const save = (field: SavedField): Prepared => ({
  name: `contact_answer_${columns[field]}`,
  text: `update contacts set ${columns[field]} = ${field === 'birthdayDate' ? '$3::date' : '$3'}, version = version + 1, updated_at = now()
      ${field === 'name' ? ', is_name_fixed = true' : ''}
    where tenant_id = $1 and id = $2`,
})
const statements: Record<SavedField, Prepared> = {
  name: save('name'),
  email: save('email'),
  businessName: save('businessName'),
  document: save('document'),
  birthdayDate: save('birthdayDate'),
}
