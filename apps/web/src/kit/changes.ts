type Change = { label: string; before: unknown; after: unknown }

/** What somebody else changed, one line per field that is not the same any more: "Nome: “Vendas” → “Loja”". */
export const changeLines = (fields: readonly Change[]): string[] =>
  fields
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
    .map(({ label, before, after }) =>
      isTellable(before) && isTellable(after) ? `${label}: ${asText(before)} → ${asText(after)}` : `${label}: alterado`,
    )

/** An id or a structure says nothing to a reader. */
const isTellable = (value: unknown) =>
  Array.isArray(value) || typeof value !== 'object' || value === null
    ? !(typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value))
    : false

const longest = 80

const asText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'vazio'
  if (typeof value === 'boolean') return value ? 'sim' : 'não'
  if (typeof value === 'number') return value.toLocaleString('pt-BR')
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} itens`
  const text = String(value)
  return `“${text.length > longest ? `${text.slice(0, longest)}…` : text}”`
}
