import { type ContactField, contactFieldResource } from '@balcao/contract/contacts/contact-fields.ts'
import { queryOptions } from '@tanstack/react-query'
import { readAll } from '../../../kit/resource-api.ts'

/** The company's own fields; events renew them, as the lists of their drawer. */
export const contactFieldsQuery = queryOptions({
  queryKey: ['resource', contactFieldResource.event, 'all'],
  queryFn: ({ signal }) => readAll<ContactField>(contactFieldResource.path, {}, signal, 1_000),
  staleTime: 300_000,
})
