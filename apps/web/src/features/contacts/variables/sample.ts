import { type ContactField, yes } from '@balcao/contract/contacts/contact-fields.ts'
import type { VariableContext } from '@balcao/contract/variables.ts'
import { useQuery } from '@tanstack/react-query'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { contactFieldsQuery } from '../contacts/fields-api.ts'

/** A contact who exists only in previews; the attendant is whoever is looking, the clock the company's. */
export const useSampleContext = (): VariableContext => {
  const { user, username } = useCurrentSession()
  const fields = useQuery({ ...contactFieldsQuery, enabled: useCan('contacts.read') }).data ?? []
  return {
    name: 'Maria Oliveira & Filhos',
    protocol: '20260312004821',
    email: 'maria@exemplo.com.br',
    phoneNumber: '+55 11 98765-4321',
    businessName: 'Padaria Pão Quente',
    kanban: 'Em negociação',
    user: username,
    userEmail: user.email,
    extra: [
      ...fields.map((field) => ({ name: field.key, value: sampleOf(field) })),
      { name: 'cidade', value: 'Campinas' },
      { name: 'pedido', value: '48213' },
    ],
    timeZone: user.tenant.timezone,
  }
}

const sampleOf = ({ type, name, options }: ContactField): string =>
  ({ text: name, number: '12', date: '2026-03-12', boolean: yes, list: options[0] ?? name })[type]
