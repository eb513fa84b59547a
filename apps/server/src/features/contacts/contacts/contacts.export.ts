import type { ContactField } from '@balcao/contract/contacts/contact-fields.ts'
import type { Contact, ContactAddress } from '@balcao/contract/contacts/contacts.ts'
import { asc, eq } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import { contactFields } from '../../../db/schema/contacts/contacts.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { csvPages } from '../../../kit/csv-pages.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { ContactsQuery } from './contacts.queries.ts'
import { listContacts } from './contacts.service.ts'
import { phoneText } from './phone-text.ts'

/** The contacts as a spreadsheet for people: numbers and dates as one writes them, and the company's own fields. */
export const exportContacts = async (actor: Actor, asked: ContactsQuery) => {
  const { timezone } = await getDirectory(actor.tenantId)
  const columns = await withTenant(actor.tenantId, (tx) => contactColumns(tx, timezone))
  return csvPages(actor.tenantId, columns, (page) => listContacts(actor, { ...asked, ...page }))
}

/** Everybody's data leaves the house: the company must be able to tell who took it, and how much of it. */
export const auditOfExport = ({ searchParam, tagIds, walletIds, kanbanIds, segmentId, segment }: ContactsQuery) => ({
  action: 'contact.exported',
  entity: 'contact',
  entityId: 'all',
  after: {
    isFiltered: Boolean(searchParam || tagIds.length || walletIds.length || kanbanIds.length || segmentId || segment),
    segmentId,
  },
})

/** Its columns, with the company's own fields. */
export const contactColumns = async (tx: Tx, timezone: string): Promise<CsvColumn<Contact>[]> =>
  columnsFor(timezone, await listFields(tx))

type Field = Pick<ContactField, 'name' | 'key' | 'type'>

const listFields = (tx: Tx): Promise<Field[]> =>
  tx.db
    .select({ name: contactFields.name, key: contactFields.key, type: contactFields.type })
    .from(contactFields)
    .where(eq(contactFields.tenantId, tx.tenantId))
    .orderBy(asc(contactFields.name), asc(contactFields.id))

const columnsFor = (timeZone: string, fields: Field[]): CsvColumn<Contact>[] => {
  const textOf = momentText(timeZone)
  const own = new Set(fields.map((field) => field.key))
  return [
    { label: 'Nome', value: (one) => one.name },
    { label: 'Telefone', value: (one) => one.number && phoneText(one.number) },
    { label: 'E-mail', value: (one) => one.email },
    { label: 'Empresa', value: (one) => one.businessName },
    { label: 'CPF ou CNPJ', value: (one) => one.document?.masked },
    { label: 'Endereço', value: (one) => one.address && addressText(one.address) },
    { label: 'Etiquetas', value: (one) => one.tags.map((tag) => tag.name) },
    { label: 'Carteira', value: (one) => one.wallets.map((owner) => owner.name) },
    { label: 'Aniversário', value: (one) => one.birthdayDate && dayText(one.birthdayDate) },
    { label: 'Observações', value: (one) => one.notes },
    ...fields.map(
      (field): CsvColumn<Contact> => ({
        label: field.name,
        value: (one) => {
          const value = one.extraInfo.find((extra) => extra.name === field.key)?.value
          return value && field.type === 'date' ? dayText(value) : value
        },
      }),
    ),
    {
      label: 'Outros campos',
      value: (one) =>
        one.extraInfo
          .filter((extra) => !own.has(extra.name))
          .map((extra) => `${extra.name}: ${extra.value}`)
          .join('; '),
    },
    { label: 'Última mensagem', value: (one) => textOf(one.lastMessageAt) },
    { label: 'Criado em', value: (one) => textOf(one.createdAt) },
  ]
}

/** "Praça da Sé, 12, sala 3 – Sé, São Paulo – SP – 01001-000". */
const addressText = ({ street, number, complement, district, city, state, cep }: ContactAddress) =>
  [
    [street, number, complement].filter(Boolean).join(', '),
    [district, city].filter(Boolean).join(', '),
    state,
    cep.replace(/^(\d{5})/, '$1-'),
  ]
    .filter(Boolean)
    .join(' – ')

const dayText = (day: string) => day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1')
