import {
  contactFieldProblems,
  contactFieldResource,
  contactFieldTypeLabels,
} from '@balcao/contract/contacts/contact-fields.ts'
import { contactFields } from '../../../db/schema/contacts/contacts.ts'
import { crud } from '../../../kit/crud.ts'
import { fieldErrors } from '../../../kit/errors.ts'

/** The fields a company adds to its contacts. Deleting one keeps the values: they go on as plain text. */
export const contactFieldRoutes = crud(contactFieldResource, {
  table: contactFields,
  search: [contactFields.name, contactFields.key],
  csv: [
    { label: 'Nome', value: (field) => field.name },
    { label: 'Chave', value: (field) => field.key },
    { label: 'Tipo', value: (field) => contactFieldTypeLabels[field.type] },
    { label: 'Opções', value: (field) => field.options },
  ],
  beforeWrite: async (_tx, { input, before }) => {
    const type = input.type ?? before?.type ?? 'text'
    const problems = contactFieldProblems({ type, options: input.options ?? before?.options ?? [] })
    if (problems.length) throw fieldErrors(...problems)
    return type === 'list' ? {} : { options: [] }
  },
})
