import { variables } from '@balcao/contract/variables.ts'
import { useQuery } from '@tanstack/react-query'
import { contactFieldsQuery } from '../contacts/fields-api.ts'

/** Every placeholder a text may have: ours, and the company's own fields. */
export const useVariables = (): { name: string; label: string }[] => {
  const fields = useQuery(contactFieldsQuery).data ?? []
  return [...variables, ...fields.map(({ key, name }) => ({ name: `extra.${key}`, label: `${name}, do contato` }))]
}
