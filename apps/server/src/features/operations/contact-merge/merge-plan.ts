import type { Contact, ContactAddress, MergeField } from '@balcao/contract/contacts/contacts.ts'

type Face = Pick<
  Contact,
  | 'name'
  | 'number'
  | 'email'
  | 'businessName'
  | 'address'
  | 'birthdayDate'
  | 'profilePicUrl'
  | 'notes'
  | 'extraInfo'
  | 'lastMessageAt'
>
/** As people read a contact: the document masked. */
type Shown = Face & Pick<Contact, 'document'>
/** The columns of the kept contact a merge may change. */
export type MergedValues = Face & {
  isNameFixed: boolean
  document: string | null
  laneId: string | null
  isBotBlocked: boolean
}

const labels = {
  name: 'Nome',
  number: 'Telefone',
  email: 'E-mail',
  businessName: 'Empresa',
  document: 'CPF ou CNPJ',
  address: 'Endereço',
  birthdayDate: 'Aniversário',
  profilePicUrl: 'Foto',
  notes: 'Observações',
} as const
const plain = [
  'name',
  'number',
  'email',
  'businessName',
  'document',
  'address',
  'birthdayDate',
  'profilePicUrl',
  'notes',
] as const
const extraKey = (name: string) => `extra.${name}` as const

/** Where the two differ, in the order people read a contact. `names` are what the company calls its own fields. */
export const differencesOf = (kept: Shown, other: Shown, names: ReadonlyMap<string, string>): MergeField[] => {
  const own = plain.map((key) => ({ key, label: labels[key], kept: textOf(kept, key), other: textOf(other, key) }))
  const extra = [...new Set([...kept.extraInfo, ...other.extraInfo].map((one) => one.name))].map((name) => ({
    key: extraKey(name),
    label: names.get(name) ?? name,
    kept: extraOf(kept, name),
    other: extraOf(other, name),
  }))
  return [...own, ...extra].filter((field) => field.kept !== field.other)
}

/** What the kept contact becomes: its own value, the other's where it has none or `take` names it; of notes, both; robots stay away from whom they had to. */
export const mergeValues = (kept: MergedValues, other: MergedValues, take: readonly string[]): MergedValues => {
  const isTaken = (key: string, mine: string | object | null, theirs: string | object | null) =>
    Boolean(theirs) && (!mine || take.includes(key))
  const choose = <Value extends string | object | null>(key: string, mine: Value, theirs: Value): Value =>
    isTaken(key, mine, theirs) ? theirs : mine
  const names = [...new Set([...kept.extraInfo, ...other.extraInfo].map((one) => one.name))]
  return {
    name: choose('name', kept.name, other.name),
    isNameFixed: isTaken('name', kept.name, other.name) ? other.isNameFixed : kept.isNameFixed,
    number: choose('number', kept.number, other.number),
    email: choose('email', kept.email, other.email),
    businessName: choose('businessName', kept.businessName, other.businessName),
    document: choose('document', kept.document, other.document),
    address: choose('address', kept.address, other.address),
    laneId: kept.laneId ?? other.laneId,
    isBotBlocked: kept.isBotBlocked || other.isBotBlocked,
    birthdayDate: choose('birthdayDate', kept.birthdayDate, other.birthdayDate),
    profilePicUrl: choose('profilePicUrl', kept.profilePicUrl, other.profilePicUrl),
    notes: joinNotes(kept.notes, other.notes),
    extraInfo: names.map((name) => ({
      name,
      value: choose(extraKey(name), extraOf(kept, name), extraOf(other, name)) ?? '',
    })),
    lastMessageAt: [kept.lastMessageAt, other.lastMessageAt].toSorted().findLast((at) => at !== null) ?? null,
  }
}

/** What an undo leaves the kept contact with: as before where it is still as the merge left it. */
export const unmergeValues = (now: MergedValues, before: Partial<MergedValues>, after: Partial<MergedValues>) => {
  const keys = Object.keys(after) as (keyof MergedValues)[] // both were made by `changesOf`
  const restored = keys.filter((key) => JSON.stringify(now[key]) === JSON.stringify(after[key]))
  return { ...now, ...Object.fromEntries(restored.map((key) => [key, before[key]])) } as MergedValues // same keys, same types
}

/** The fields a merge changes, before and after. */
export const changesOf = (before: MergedValues, after: MergedValues) => {
  const keys = Object.keys(after) as (keyof MergedValues)[] // of a literal of that type
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  const only = (values: MergedValues): Partial<MergedValues> =>
    Object.fromEntries(changed.map((key) => [key, values[key]]))
  return { before: only(before), after: only(after) }
}

/** As it stands beside the other's, in one line. */
const textOf = (face: Shown, key: (typeof plain)[number]): string | null => {
  if (key === 'document') return face.document?.masked ?? null
  if (key === 'address') return face.address && lineOf(face.address)
  return face[key] || null
}
const lineOf = ({ street, number, complement, district, city, state, cep }: ContactAddress) =>
  [street, number, complement, district, city, state, cep].filter(Boolean).join(', ')

const extraOf = ({ extraInfo }: Face, name: string) => extraInfo.find((one) => one.name === name)?.value || null
const joinNotes = (mine: string, theirs: string) =>
  !theirs || mine.includes(theirs) ? mine : mine ? `${mine}\n\n${theirs}` : theirs
