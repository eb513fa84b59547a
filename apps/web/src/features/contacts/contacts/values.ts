import type { Contact } from '@balcao/contract/contacts/contacts.ts'

type Values = Contact['extraInfo']

export const valueIn = (values: Values, name: string) => values.find((one) => one.name === name)?.value ?? ''

/** The values with this one changed, where it stood; an empty one is gone. */
export const withValue = (values: Values, name: string, value: string): Values => {
  if (!value) return values.filter((one) => one.name !== name)
  const isThere = values.some((one) => one.name === name)
  return isThere ? values.map((one) => (one.name === name ? { name, value } : one)) : [...values, { name, value }]
}
