import type { Page } from '@balcao/contract/common.ts'
import type { Contact, ContactWrite } from '@balcao/contract/contacts/contacts.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Tx, withSearch, withTenant } from '../../../db/database.ts'
import { contacts } from '../../../db/schema/contacts/contacts.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { differences } from '../../../kit/crud-fields.ts'
import { toPage } from '../../../kit/cursor.ts'
import { databaseProblem, stillUsing } from '../../../kit/database-problem.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { reserve } from '../../core/limits/reserve.ts'
import { requireFieldValues } from '../contact-fields/contact-fields.values.ts'
import { type ContactRow, isThere, readContacts } from './contact-rows.ts'
import { audiencesOf, emitContact, emitContactDeleted } from './contacts.events.ts'
import { readableContacts, visibleContacts } from './contacts.policy.ts'
import {
  type ContactsQuery,
  deleteWithMerged,
  findByPhone,
  findPage,
  replaceTags,
  replaceWallets,
  saveIdentity,
} from './contacts.queries.ts'
import { parsePhone } from './phone.ts'

const pageSize = 40
export type ContactPatch = Partial<ContactWrite> & { version?: number }

export const listContacts = async (actor: Actor, asked: ContactsQuery): Promise<Page<Contact>> => {
  const read = (tx: Tx) => readPage(tx, actor, asked)
  return asked.searchParam ? withSearch(actor, read) : inTenant(actor, read)
}

export const readPage = async (
  tx: Tx,
  actor: Parameters<typeof visibleContacts>[0],
  asked: ContactsQuery,
): Promise<Page<Contact>> => {
  const limit = asked.limit ?? pageSize
  const { keys, count } = await findPage(tx, await visibleContacts(actor), asked, limit)
  const { items, hasMore, nextCursor } = toPage(keys, limit, (row) => [row.key, row.id])
  const found = await readInOrder(
    tx,
    items.map((row) => row.id),
  )
  return { items: found, hasMore, nextCursor, ...(count === undefined ? {} : { count }) }
}

export const getContact = async (actor: Actor, id: string): Promise<Contact> => {
  const readable = await readableContacts(actor)
  return inTenant(actor, async (tx) => {
    if (!(await isThere(tx, readable, id))) throw new AppError('ERR_NO_CONTACT_FOUND')
    return readOne(tx, id)
  })
}

/** Whoever has this phone, however it was typed: none or one. */
export const findContactsByNumber = async (actor: Actor, typed: string): Promise<Page<Contact>> => {
  const visible = await visibleContacts(actor)
  const phone = parsePhone(typed)
  if (!phone) return { items: [], hasMore: false, nextCursor: null }
  const items = await inTenant(actor, async (tx) => readInOrder(tx, await findByPhone(tx, visible, phone)))
  return { items, hasMore: false, nextCursor: null }
}

export const createContact = (actor: Actor, input: ContactWrite): Promise<Contact> =>
  settlingRaces(() =>
    inTenant(actor, async (tx) => {
      const id = v7()
      const number = numberOf(input.number) ?? null
      if (number) await refuseTaken(tx, id, number)
      await reserve(tx, 'contacts')
      const { name, email, notes, extraInfo, birthdayDate } = input
      await requireFieldValues(tx, extraInfo)
      await tx.db
        .insert(contacts)
        .values({ tenantId: tx.tenantId, id, name, isNameFixed: true, number, email, notes, extraInfo, birthdayDate })
      if (number) await saveIdentity(tx, id, number, null)
      await saveSets(tx, id, input)
      const after = await readOne(tx, id)
      await writeAudit(tx, actor, { action: 'contact.created', entity: 'contact', entityId: id, after })
      await emitContact(tx, after)
      return after
    }),
  )

/** Changes the fields that were sent. A number is a new identity: the old one no longer leads here. */
export const updateContact = async (
  actor: Actor,
  id: string,
  { version, ...input }: ContactPatch,
): Promise<Contact> => {
  const [visible, readable] = [await visibleContacts(actor), await readableContacts(actor)]
  return settlingRaces(() =>
    inTenant(actor, async (tx) => {
      if (!(await isThere(tx, readable, id, 'lock'))) throw new AppError('ERR_NO_CONTACT_FOUND')
      const before = await readOne(tx, id)
      // Working on it does not make it one's own.
      if (movesWallet(before, input) && !(await isThere(tx, visible, id))) throw new AppError('ERR_NO_PERMISSION')
      refuseStale(version, input, before)
      const number = isSameNumber(input.number, before.number) ? before.number : numberOf(input.number)
      if (number && number !== before.number) await refuseTaken(tx, id, number)
      const { name, email, notes, extraInfo, birthdayDate } = input
      if (extraInfo) await requireFieldValues(tx, extraInfo, before.extraInfo)
      const isNameFixed = name !== undefined && name !== before.name ? true : undefined
      await tx.db
        .update(contacts)
        .set({
          name,
          isNameFixed,
          number,
          email,
          notes,
          extraInfo,
          birthdayDate,
          version: sql`${contacts.version} + 1`,
          updatedAt: sql`now()`,
        })
        .where(and(eq(contacts.tenantId, tx.tenantId), eq(contacts.id, id)))
      if (number !== undefined && number !== before.number) await saveIdentity(tx, id, number ?? '', before.number)
      await saveSets(tx, id, input)
      const after = await readOne(tx, id)
      await writeAudit(tx, actor, { action: 'contact.updated', entity: 'contact', entityId: id, before, after })
      await emitContact(tx, after)
      return after
    }),
  )
}

/** Tags and owners, from within a conversation; `actor` is null where no person does it. What stays as it was is no change. */
export const changeSetsIn = async (
  tx: Tx,
  actor: Actor | null,
  id: string,
  change: (before: Contact) => Pick<ContactPatch, 'tagIds' | 'walletIds'>,
): Promise<void> => {
  if (!(await isThere(tx, undefined, id, 'lock'))) throw new AppError('ERR_NO_CONTACT_FOUND')
  const before = await readOne(tx, id)
  const sets = change(before)
  const isRetagged = sets.tagIds && differs(before.tags, sets.tagIds)
  if (!isRetagged && !movesWallet(before, sets)) return
  if (actor && movesWallet(before, sets) && !(await isThere(tx, await visibleContacts(actor), id)))
    throw new AppError('ERR_NO_PERMISSION')
  await saveSets(tx, id, sets)
  await tx.db
    .update(contacts)
    .set({ version: sql`${contacts.version} + 1`, updatedAt: sql`now()` })
    .where(and(eq(contacts.tenantId, tx.tenantId), eq(contacts.id, id)))
  const after = await readOne(tx, id)
  await writeAudit(tx, actor, { action: 'contact.updated', entity: 'contact', entityId: id, before, after })
  await emitContact(tx, after)
}

export const deleteContact = async (actor: Actor, id: string): Promise<void> => {
  const visible = await visibleContacts(actor)
  await inTenant(actor, async (tx) => {
    if (!(await isThere(tx, visible, id, 'lock'))) throw new AppError('ERR_NO_CONTACT_FOUND')
    const before = await readOne(tx, id)
    const audiences = await audiencesOf(tx, id)
    await deleteWithMerged(tx, id)
    await writeAudit(tx, actor, { action: 'contact.deleted', entity: 'contact', entityId: id, before })
    await emitContactDeleted(tx, id, audiences)
  })
}

const inTenant = async <Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> => {
  try {
    return await withTenant(actor.tenantId, work)
  } catch (error) {
    const hasHistory = ['tickets', 'messages'].includes(stillUsing(error)?.table ?? '')
    if (hasHistory) throw new AppError('ERR_CONTACT_TICKETS_REGISTERED')
    throw databaseProblem(error, { fields: ['number'] })
  }
}

/** Two people saved the same number at one instant: run again, and `refuseTaken` names who won. */
const settlingRaces = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'ERR_DUPLICATED') return work()
    throw error
  }
}

const readInOrder = async (tx: Tx, ids: string[]): Promise<Contact[]> => {
  if (ids.length === 0) return []
  const byId = new Map((await readContacts(tx, ids)).map((row) => [row.id, presentContact(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
const readOne = async (tx: Tx, id: string): Promise<Contact> => {
  const [row] = await readContacts(tx, [id])
  if (!row) throw new AppError('ERR_NO_CONTACT_FOUND')
  return presentContact(row)
}

export const presentContact = (row: ContactRow): Contact => ({
  id: row.id,
  name: row.name,
  number: row.number,
  email: row.email,
  profilePicUrl: row.profilePicUrl,
  notes: row.notes,
  isGroup: row.isGroup,
  tags: row.tags,
  wallets: row.wallets,
  identities: row.identities,
  extraInfo: row.extraInfo,
  birthdayDate: row.birthdayDate,
  lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Undefined: not sent. Null: no phone. */
const numberOf = (typed: string | null | undefined): string | null | undefined => {
  if (typed === undefined) return undefined
  if (!typed?.trim()) return null
  const phone = parsePhone(typed)
  if (!phone)
    throw fieldErrors({
      path: 'number',
      message: 'Número inválido. Informe o DDD e, se for de fora do Brasil, o código do país com +.',
    })
  return phone
}

/** A form sends back the number it was given, without its plus; that is no new number. */
const isSameNumber = (typed: string | null | undefined, stored: string | null) =>
  Boolean(stored) && typed?.replace(/\D/g, '') === stored

const movesWallet = ({ wallets }: Contact, { walletIds }: ContactPatch) =>
  walletIds !== undefined && differs(wallets, walletIds)

const differs = (rows: { id: string }[], ids: string[]) => {
  const asked = new Set(ids)
  return asked.size !== rows.length || rows.some(({ id }) => !asked.has(id))
}

const refuseTaken = async (tx: Tx, id: string, number: string) => {
  const [other] = await findByPhone(tx, undefined, number)
  if (other && other !== id) throw new AppError('ERR_DUPLICATED_CONTACT', { details: { contactId: other } })
}

const refuseStale = (version: number | undefined, input: ContactPatch, current: Contact) => {
  if (version === undefined || version === current.version) return
  const stored = {
    ...current,
    tagIds: current.tags.map((tag) => tag.id),
    walletIds: current.wallets.map((owner) => owner.id),
  }
  throw new AppError('ERR_CONFLICT', { details: { current, changed: differences(input, stored) } })
}

const saveSets = async (tx: Tx, id: string, { tagIds, walletIds }: Pick<ContactPatch, 'tagIds' | 'walletIds'>) => {
  if (tagIds && !(await replaceTags(tx, id, tagIds))) {
    throw fieldErrors({ path: 'tagIds', message: 'Uma das etiquetas escolhidas não existe mais.' })
  }
  if (walletIds && !(await replaceWallets(tx, id, walletIds))) {
    throw fieldErrors({ path: 'walletIds', message: 'Um dos responsáveis escolhidos não existe mais.' })
  }
}
