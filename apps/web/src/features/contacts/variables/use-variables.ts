import { variables } from '@balcao/contract/variables.ts'
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { useCan } from '../../../kit/use-can.ts'
import { contactFieldsQuery } from '../contacts/fields-api.ts'

type Variable = { name: string; label: string }
const none: readonly Variable[] = []

/** What is known only where a text is written: the variables of a flow, above all. */
export const VariablesHere = createContext(none)

/** Every placeholder a text may have: those of its place, ours, and the company's own fields. */
export const useVariables = (): Variable[] => {
  const fields = useQuery({ ...contactFieldsQuery, enabled: useCan('contacts.read') }).data ?? []
  return [
    ...useContext(VariablesHere),
    ...variables,
    ...fields.map(({ key, name }) => ({ name: `extra.${key}`, label: `${name}, do contato` })),
  ]
}
