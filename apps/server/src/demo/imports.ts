import { importOptions, noCounts } from '@balcao/contract/contacts/imports.ts'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { contactIdentities, contacts } from '../db/schema/contacts/contacts.ts'
import { contactImportRows, contactImports } from '../db/schema/contacts/imports.ts'

const dayMs = 86_400_000
const headings = ['Nome', 'Celular', 'E-mail', 'Cidade', 'UF']
const names = ['Alice Moreira', 'Breno Tavares', 'Célia Prado', 'Davi Nogueira', 'Elaine Couto', 'Fábio Siqueira']

/** A spreadsheet of a fair that came in two days ago, with rows that could not: it can still be taken back. */
export const seedImports = async (tx: Tx, userId: string) => {
  const { tenantId } = tx
  const id = v7()
  const at = new Date(Date.now() - 2 * dayMs)
  const people = names.map((name, n) => ({
    ...{ id: v7(), name, line: n + 2, typed: `(19) 9966${n}-41${n}0`, number: `55199966${n}41${n}0` },
    email: `${name.split(' ')[0]?.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')}@feira.example`,
  }))
  const broken = [
    {
      line: 8,
      cells: ['Gustavo Reis', '9966', '', 'Campinas', 'SP'],
      reason: 'Sem telefone, e-mail ou CPF. Telefone inválido: “9966” (informe com DDD).',
    },
    { line: 9, cells: ['Sem contato', '', '', '', ''], reason: 'Sem telefone, e-mail ou CPF.' },
  ]
  await tx.db.insert(contactImports).values({
    ...{ tenantId, id, userId, source: 'file', name: 'feira-de-novembro.csv', size: 512, headings, state: 'done' },
    headingsKey: 'nome|celular|e mail|cidade|uf',
    reading: { format: 'csv', encoding: 'windows-1252', delimiter: ';', notes: [] },
    mapping: ['name', 'phone', 'email', 'address.city', 'address.state'],
    options: importOptions.parse({}),
    total: people.length + broken.length,
    counts: { ...noCounts, create: people.length, created: people.length, error: broken.length },
    ...{ createdAt: at, startedAt: at, finishedAt: at, rowsUntil: new Date(at.getTime() + 30 * dayMs) },
  })
  const address = { cep: '', street: '', number: '', complement: '', district: '', city: 'Campinas', state: 'SP' }
  await tx.db.insert(contacts).values(
    people.map(({ id: contactId, name, number, email }) => ({
      ...{ tenantId, id: contactId, importId: id, name, isNameFixed: true, number, email, address, createdAt: at },
    })),
  )
  await tx.db
    .insert(contactIdentities)
    .values(people.map((one) => ({ tenantId, kind: 'phone' as const, value: one.number, contactId: one.id })))
  await tx.db.insert(contactImportRows).values([
    ...people.map(({ id: contactId, name, typed, email, line, number }) => ({
      ...{ tenantId, importId: id, line, cells: [name, typed, email, 'Campinas', 'SP'], contactId, isWritten: true },
      ...{ fields: {}, keys: [`phone:${number}`], outcome: 'create' as const },
    })),
    ...broken.map((row) => ({ tenantId, importId: id, ...row, fields: {}, keys: [], outcome: 'error' as const })),
  ])
}
