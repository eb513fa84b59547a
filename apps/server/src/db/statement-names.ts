import { createHash } from 'node:crypto'

const names = new Map<string, string>()

/**
 * The name a statement is prepared under: its own and a digest of its text. A connection knows statements by name alone,
 * so two of one name would be refused, or taken for each other. At most 63 bytes, as PostgreSQL keeps no more.
 */
export const statementName = ({ name, text }: { name: string; text: string }): string => {
  if (!name) return ''
  const known = names.get(text)
  if (known) return known
  const unique = `${name.slice(0, 40)}_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  names.set(text, unique)
  return unique
}
