import type { Contact, ContactAddress } from '@balcao/contract/contacts/contacts.ts'
import type { ContactImportOptions, ImportOutcome } from '@balcao/contract/contacts/imports.ts'
import { showIdentity } from '@balcao/contract/identity.ts'
import { phoneText } from '../contacts/phone-text.ts'
import type { ImportedFields } from './interpret.ts'

/** What an import can change of a contact. */
export type Values = {
  name: string
  isNameFixed: boolean
  number: string | null
  email: string | null
  businessName: string
  document: string | null
  birthdayDate: string | null
  notes: string
  address: ContactAddress | null
  laneId: string | null
  extraInfo: Contact['extraInfo']
}
/** What it can give to a contact. */
export type Given = { phones: string[]; tagIds: string[]; walletIds: string[] }
export type Existing = Values & Given & { id: string; isVisible: boolean }

export type Plan = {
  outcome: ImportOutcome
  reason: string | null
  /** As the contact is to be; none where nothing is written. */
  values?: Values
  /** What it did not have before. */
  given?: Given
  /** Of the values that change. */
  before?: Partial<Values>
  after?: Partial<Values>
}
export type PlannedRow = { fields: ImportedFields; keys: string[]; problems: string[] }
/** Phones this row cannot give: another contact's, and those of the company's list of blocked numbers. */
type Refused = { taken?: ReadonlySet<string> | undefined; blocked: ReadonlySet<string> }

const sentence = (problems: string[]) => (problems.length ? `${problems.join('. ')}.`.replace(/\.\.$/, '.') : null)

/** What becomes of a row, given whom it is about. Pure: the check and the run ask the same. */
export const planRow = (
  { fields, keys, problems: read }: PlannedRow,
  existing: Existing | undefined,
  options: ContactImportOptions,
  { taken = new Set(), blocked }: Refused,
): Plan => {
  const phones = (fields.phones ?? []).filter((phone) => !blocked.has(phone))
  const problems = [
    ...read,
    ...(fields.phones ?? [])
      .filter((phone) => blocked.has(phone))
      .map((phone) => `O telefone ${phoneText(phone)} está nos números bloqueados`),
  ]
  const reason = sentence(problems)
  if (!keys.length) return { outcome: 'error', reason: sentence(['Sem telefone, e-mail ou CPF', ...problems]) }
  if (problems.length && options.broken === 'refuse') return { outcome: 'error', reason }
  // Of somebody new nothing else would be known.
  const isKnownElse = Boolean(fields.email) || fields.document?.length === 11
  if (!existing && fields.phones?.length && !phones.length && !isKnownElse) return { outcome: 'error', reason }
  const tagIds = [...new Set([...options.tagIds, ...(fields.tagIds ?? [])])]
  const walletIds = [...new Set([...options.walletIds, ...(fields.walletIds ?? [])])]
  const laneId = fields.laneId ?? options.kanban
  if (!existing) {
    const [number = null, ...others] = phones
    const values = {
      ...empty,
      ...valuesOf(fields),
      number,
      laneId,
      name: nameOf({ ...fields, phones }),
      isNameFixed: Boolean(fields.name),
    }
    return { outcome: 'create', reason, values, given: { phones: others, tagIds, walletIds } }
  }
  if (!existing.isVisible) return { outcome: 'skip', reason: 'Já é um contato, da carteira de outra pessoa.' }
  if (options.existing === 'skip') return { outcome: 'skip', reason: 'Já é um contato.' }

  const free = phones.filter((phone) => !existing.phones.includes(phone))
  const mine = free.filter((phone) => !taken.has(phone))
  const ofOthers = free
    .filter((phone) => taken.has(phone))
    .map((phone) => `O telefone ${phoneText(phone)} é de outro contato`)
  const given = {
    phones: mine.filter((phone) => existing.number !== phone).slice(existing.number ? 0 : 1),
    tagIds: tagIds.filter((id) => !existing.tagIds.includes(id)),
    walletIds: walletIds.filter((id) => !existing.walletIds.includes(id)),
  }
  const offered: Partial<Values> = {
    ...valuesOf(fields),
    ...(laneId && { laneId }),
    ...(fields.name && { name: fields.name, isNameFixed: true }),
    ...(fields.address && { address: { ...emptyAddress, ...existing.address, ...fields.address } }),
    ...(fields.extra && { extraInfo: withExtra(existing.extraInfo, fields.extra, options.existing === 'fill') }),
    ...(!existing.number && mine[0] && { number: mine[0] }),
  }
  const after = changesOf(existing, offered, options)
  const values = { ...valuesIn(existing), ...after }
  const all = sentence([...problems, ...ofOthers])
  if (!Object.keys(after).length && !given.phones.length && !given.tagIds.length && !given.walletIds.length)
    return { outcome: 'same', reason: all }
  return { outcome: 'update', reason: all, values, given, before: pick(existing, after), after }
}

/** A name somebody typed stays, unless it is to be replaced; what is there stays where only gaps are to be filled. */
const changesOf = (existing: Existing, offered: Partial<Values>, options: ContactImportOptions): Partial<Values> => {
  const isMadeUp = /^[+\d\s().-]*$/.test(existing.name) || /^(Visitante|Contato)\b/.test(existing.name)
  const mayName = isMadeUp || (options.existing === 'update' && !(existing.isNameFixed && options.keepTypedNames))
  const isRenamed = mayName && offered.name !== undefined && offered.name !== existing.name
  return Object.fromEntries(
    Object.entries(offered).filter(([key, value]) => {
      const now = existing[key as keyof Values]
      if (JSON.stringify(now) === JSON.stringify(value)) return false
      if (key === 'name' || key === 'isNameFixed') return isRenamed
      if (key === 'extraInfo' || key === 'number') return true
      return options.existing === 'update' || now === null || now === ''
    }),
  )
}

const emptyAddress: ContactAddress = {
  ...{ cep: '', street: '', number: '', complement: '' },
  ...{ district: '', city: '', state: '' },
}
const empty: Values = {
  ...{ name: '', isNameFixed: false, number: null, email: null, businessName: '', document: null },
  ...{ birthdayDate: null, notes: '', address: null, laneId: null, extraInfo: [] },
}
const keys = Object.keys(empty) as (keyof Values)[]
const valuesIn = (existing: Existing): Values => Object.fromEntries(keys.map((key) => [key, existing[key]])) as Values // the very keys of its type
const pick = (from: Existing, like: Partial<Values>): Partial<Values> =>
  Object.fromEntries(Object.keys(like).map((key) => [key, from[key as keyof Values]]))

const valuesOf = ({ email, businessName, document, birthdayDate, notes, address, extra }: ImportedFields) => ({
  ...(email && { email }),
  ...(businessName && { businessName }),
  ...(document && { document }),
  ...(birthdayDate && { birthdayDate }),
  ...(notes && { notes }),
  ...(address && { address: { ...emptyAddress, ...address } }),
  ...(extra && { extraInfo: withExtra([], extra, false) }),
})

const withExtra = (
  now: Contact['extraInfo'],
  extra: Record<string, string>,
  isFilling: boolean,
): Contact['extraInfo'] => {
  const kept = now.map(({ name, value }) => ({ name, value: (isFilling && value) || (extra[name] ?? value) }))
  const added = Object.entries(extra).filter(([name]) => !now.some((one) => one.name === name))
  return [...kept, ...added.map(([name, value]) => ({ name, value }))].slice(0, 50)
}

/** Who has no name is called by what is known of them. */
const nameOf = ({ name, phones, email, document }: ImportedFields): string =>
  name ?? (phones?.[0] ? phoneText(phones[0]) : (email ?? (document ? showIdentity(document) : 'Contato')))
