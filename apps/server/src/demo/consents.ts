import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { blockedNumbers } from '../db/schema/contacts/blocked-numbers.ts'
import { suppressionLists } from '../db/schema/contacts/consent.ts'
import { contactIdentities, contacts } from '../db/schema/contacts/contacts.ts'
import { recordConsents } from '../features/contacts/consent/consent.ts'

type Known = { id: string; name: string; number: string; email: string | null; birthdayDate: string | null }
const day = 86_400_000
const both = ['marketing', 'research'] as const

/** Who wants no campaigns: by a word, by what somebody noted down, by a list; whom nobody hears; and some who are here twice. */
export const seedConsents = async (tx: Tx, person: { id: string; name: string }) => {
  const { rows } =
    await tx.db.execute<Known>(sql`select c.id, c.name, c.number, c.email, c.birthday_date::text as "birthdayDate"
    from contacts c where c.tenant_id = ${tx.tenantId} and not c.is_group and c.number is not null order by c.id desc limit 40`)
  const known = rows.filter((_, n) => n % 4 === 2)
  const words = ['SAIR', 'Parar promoções', 'não quero mais receber', 'Stop']
  for (const [n, one] of known.slice(0, words.length).entries())
    await recordConsents(tx, {
      ...{ identities: [phone(one.number)], channels: ['waba'], purposes: both, isGiven: false, source: 'word' },
      ...{ proof: words[n] ?? 'SAIR', author: { kind: 'contact', id: one.id, name: '' }, at: ago(n * 3 + 1) },
    })
  const author = { kind: 'user' as const, ...person }
  for (const [n, one] of known.slice(words.length, words.length + 2).entries())
    await recordConsents(tx, {
      ...{
        identities: [phone(one.number)],
        channels: ['waba'],
        purposes: ['marketing'],
        isGiven: false,
        source: 'person',
      },
      ...{ proof: 'Pediu por telefone para não receber ofertas', author, at: ago(n * 6 + 4) },
    })
  const listed = Array.from({ length: 12 }, (_, n) => phone(`5511977${String(410_000 + n * 317)}`))
  const list = { id: v7(), proof: 'Lista Não Me Perturbe de outubro', channels: ['waba' as const], purposes: [...both] }
  await tx.db
    .insert(suppressionLists)
    .values({ ...list, tenantId: tx.tenantId, total: 13, accepted: 12, userId: person.id, createdAt: ago(20) })
  await recordConsents(tx, {
    ...{ identities: listed, channels: list.channels, purposes: list.purposes, isGiven: false, source: 'csv' },
    ...{ proof: list.proof, author, at: ago(20), listId: list.id },
  })
  await tx.db.insert(blockedNumbers).values([
    { tenantId: tx.tenantId, number: '5511977650911', reason: 'Golpe do falso entregador' },
    { tenantId: tx.tenantId, number: '552140040199', reason: 'Propaganda de consórcio, três vezes por dia' },
  ])
  await seedRepeated(tx, rows)
}
const phone = (value: string): Identity => ({ kind: 'phone', value })
const ago = (days: number) => new Date(Date.now() - days * day)

/** Somebody who wrote from the number of the shop, or came in by another list. */
const seedRepeated = async (tx: Tx, known: readonly Known[]) => {
  const { tenantId } = tx
  const copies = known
    .filter(({ email, birthdayDate }) => email || birthdayDate)
    .slice(0, 6)
    .map(({ name, email, birthdayDate }, n) => {
      const id = v7()
      const number = `5511966${String(120_000 + n * 731)}`
      return { tenantId, id, name: email ? (name.split(' ')[0] ?? name) : name, email, birthdayDate, number }
    })
  if (!copies.length) return
  await tx.db.insert(contacts).values(copies)
  await tx.db
    .insert(contactIdentities)
    .values(copies.map(({ id, number }) => ({ tenantId, kind: 'phone' as const, value: number, contactId: id })))
}
