import { valueProblem } from '@balcao/contract/contacts/contact-fields.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { contactFields } from '../../../db/schema/contacts/contacts.ts'
import { fieldErrors } from '../../../kit/errors.ts'

type Values = Contact['extraInfo']

/** Refuses what does not fit the company's definitions. What was there before they were made may stay as it is. */
export const requireFieldValues = async (tx: Tx, values: Values, before: Values = []) => {
  if (values.length === 0) return
  const fields = await tx.db.select().from(contactFields).where(eq(contactFields.tenantId, tx.tenantId))
  const problems = values.flatMap(({ name, value }, index) => {
    const field = fields.find((one) => one.key === name)
    const isOld = before.some((one) => one.name === name && one.value === value)
    const problem = field && !isOld && valueProblem(field, value)
    return problem ? [{ path: `extraInfo.${index}.value`, message: `${field.name}: ${problem}` }] : []
  })
  if (problems.length) throw fieldErrors(...problems)
}
