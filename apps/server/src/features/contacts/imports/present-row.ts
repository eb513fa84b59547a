import { maskDocument } from '@balcao/contract/contacts/contacts.ts'
import type { ImportRowView } from '@balcao/contract/contacts/imports.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { phoneText } from '../contacts/phone-text.ts'
import type { ShownRow } from './rows.queries.ts'

const labels: Record<string, string> = {
  ...{ name: 'Nome', number: 'Telefone', email: 'E-mail', businessName: 'Empresa', document: 'CPF ou CNPJ' },
  ...{
    birthdayDate: 'Aniversário',
    notes: 'Observações',
    address: 'Endereço',
    laneId: 'Etapa',
    extraInfo: 'Outros campos',
  },
}
const givenLabels = { phones: 'Mais telefones', tagIds: 'Mais etiquetas', walletIds: 'Mais responsáveis' }

/** A row as people read it. */
export const presentRow = (
  { line, cells, outcome, reason, contactId, before, after }: ShownRow,
  { tags, people }: Directory,
  lanes: ReadonlyMap<string, string>,
): ImportRowView => {
  const textOf = (key: string, value: unknown): string => {
    if (value === null || value === undefined || value === '') return '–'
    if (key === 'number') return phoneText(String(value))
    if (key === 'document') return maskDocument(String(value)).masked
    if (key === 'birthdayDate') return String(value).split('-').reverse().join('/')
    if (key === 'laneId') return lanes.get(String(value)) ?? '–'
    if (key === 'address') return Object.values(value).filter(Boolean).join(', ') || '–'
    if (key !== 'extraInfo') return String(value)
    const pairs = value as { name: string; value: string }[] // as the import wrote it
    return pairs.map((one) => `${one.name}: ${one.value}`).join('; ') || '–'
  }
  const changed = Object.entries(after ?? {}).flatMap(([key, value]) =>
    labels[key] ? [{ label: labels[key], before: textOf(key, Object(before)[key]), after: textOf(key, value) }] : [],
  )
  const names = {
    phones: (after?.phones ?? []).map(phoneText),
    tagIds: (after?.tagIds ?? []).map((id) => tags.get(id)?.name ?? 'nova etiqueta'),
    walletIds: (after?.walletIds ?? []).map((id) => people.get(id)?.name ?? '–'),
  }
  const given = (Object.keys(givenLabels) as (keyof typeof names)[]).flatMap((key) =>
    names[key].length ? [{ label: givenLabels[key], before: '', after: names[key].join(', ') }] : [],
  )
  return { line, cells, outcome, reason, contactId, changes: [...changed, ...given] }
}
