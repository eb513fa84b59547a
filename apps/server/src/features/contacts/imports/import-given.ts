import type {
  ContactImport,
  ContactImportMapping,
  importBody,
  importedContact,
} from '@balcao/contract/contacts/imports.ts'
import type { z } from 'zod'
import type { Actor } from '../../../kit/actor.ts'
import { beginImport, checkImport } from './imports.service.ts'

const plain = ['name', 'email', 'businessName', 'document', 'birthdayDate', 'notes'] as const
/** Contacts a caller sent are rows as any others: checked, written, listed, and taken back the same way. */
export const importGiven = async (
  actor: Actor,
  { contacts, options }: z.output<typeof importBody>,
): Promise<ContactImport> => {
  const keys = [...new Set(contacts.flatMap(({ extra }) => Object.keys(extra)))].slice(0, 50)
  const mapping: ContactImportMapping = [...plain, 'phone', 'tags', ...keys.map((key) => `extra.${key}` as const)]
  const rows = contacts.map((contact, at): [number, string[]] => [at + 1, cellsOf(contact, keys)])
  const made = await beginImport(
    actor,
    {
      ...{ source: 'api', name: 'Chamada da API', reading: null, size: null, sha256: null },
      ...{ headings: [], columns: mapping.length, total: rows.length, hasHeadings: false, mapping },
      ...(options && { options }),
    },
    pages(rows),
  )
  return checkImport(actor, made.id, { isAutomatic: true })
}

const cellsOf = (contact: z.output<typeof importedContact>, keys: string[]): string[] => [
  ...plain.map((key) => contact[key]),
  [contact.number, ...contact.phones].filter(Boolean).join(';'),
  contact.tags.join(';'),
  ...keys.map((key) => contact.extra[key] ?? ''),
]

const atOnce = 1_000
function* pages<Row>(rows: Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += atOnce) yield rows.slice(at, at + atOnce)
}
