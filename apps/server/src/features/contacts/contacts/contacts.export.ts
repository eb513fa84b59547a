import type { ContactField } from '@balcao/contract/contacts/contact-fields.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { asc, eq } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import { contactFields } from '../../../db/schema/contacts/contacts.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { CsvColumn } from '../../../kit/csv.ts'
import { csvPages } from '../../../kit/csv-pages.ts'
import { parsePhoneNumber } from '../../../kit/phone-numbers.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { ContactsQuery } from './contacts.queries.ts'
import { listContacts } from './contacts.service.ts'

/** The contacts as a spreadsheet for people: numbers and dates as one writes them, and the company's own fields. */
export const exportContacts = async (actor: Actor, asked: ContactsQuery) => {
  const { timezone } = await getDirectory(actor.tenantId)
  const columns = await withTenant(actor.tenantId, (tx) => contactColumns(tx, timezone))
  return csvPages(actor.tenantId, columns, (page) => listContacts(actor, { ...asked, ...page }))
}

/** Everybody's data leaves the house: the company must be able to tell who took it, and how much of it. */
export const auditOfExport = ({ searchParam, tagIds, walletIds }: ContactsQuery) => ({
  action: 'contact.exported',
  entity: 'contact',
  entityId: 'all',
  after: { isFiltered: Boolean(searchParam || tagIds.length || walletIds.length) },
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
  const moment = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone })
  const textOf = (iso: string | null) => iso && moment.format(new Date(iso)).replace(',', '')
  const own = new Set(fields.map((field) => field.key))
  return [
    { label: 'Nome', value: (one) => one.name },
    { label: 'Telefone', value: (one) => one.number && phoneText(one.number) },
    { label: 'E-mail', value: (one) => one.email },
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

/** "(11) 98765-4321"; abroad "351 912 345 678": without its plus, which a spreadsheet takes for a formula. */
export const phoneText = (number: string): string => {
  const parsed = parsePhoneNumber(`+${number}`)
  if (!parsed) return number
  return parsed.country === 'BR' ? parsed.formatNational() : parsed.formatInternational().slice(1)
}

const dayText = (day: string) => day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1')
