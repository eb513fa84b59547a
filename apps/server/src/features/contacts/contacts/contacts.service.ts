import type { Page } from '@balcao/contract/common.ts'
import { type Contact, type ContactBody, type ContactCreate, maskDocument } from '@balcao/contract/contacts/contacts.ts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'
import { type Tx, withSearch, withTenant } from '../../../db/database.ts'
import { contacts } from '../../../db/schema/contacts/contacts.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { differences } from '../../../kit/crud-fields.ts'
import { toPage } from '../../../kit/cursor.ts'
import { databaseProblem, stillUsing } from '../../../kit/database-problem.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { madeOnce } from '../../../kit/made-once.ts'
import { reserve } from '../../core/limits/reserve.ts'
import { requireFieldValues } from '../contact-fields/contact-fields.values.ts'
import { findMembership } from '../membership/members.ts'
import { type ContactRow, isThere, readContacts } from './contact-rows.ts'
import { audiencesOf, emitContact, emitContactDeleted } from './contacts.events.ts'
import { readableContacts, visibleContacts } from './contacts.policy.ts'
import {
  type ContactsQuery,
  deleteWithMerged,
  findByPhone,
  findPage,
  replacePhones,
  replaceTags,
  replaceWallets,
  saveIdentity,
} from './contacts.queries.ts'
import { eraseTraces } from './erase.ts'
import { parsePhone } from './phone.ts'
import { refuseBlocked } from './refuse-blocked.ts'

const pageSize = 40
export type ContactPatch = Partial<ContactBody> & { version?: number }

export const listContacts = async (actor: Actor, asked: ContactsQuery): Promise<Page<Contact>> => {
  const read = (tx: Tx) => readPage(tx, actor, asked)
  return asked.searchParam || asked.segmentId || asked.segment ? withSearch(actor, read) : inTenant(actor, read)
}

export const readPage = async (
  tx: Tx,
  actor: Parameters<typeof visibleContacts>[0],
  asked: ContactsQuery,
): Promise<Page<Contact>> => {
  const limit = asked.limit ?? pageSize
  const findsDocuments = actor.permissions.has('contacts.documents')
  const [visible, segment] = [await visibleContacts(actor), await findMembership(tx, actor, asked)]
  const { keys, count } = await findPage(tx, { visible, segment }, { ...asked, findsDocuments }, limit)
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

export const createContact = (actor: Actor, { id, ...input }: ContactCreate): Promise<Contact> =>
  madeOnce(
    id,
    async () => addContact(actor, input, id ?? v7()),
    (one) => getContact(actor, one),
  )

const addContact = (actor: Actor, input: ContactBody, id: string): Promise<Contact> => {
  const name = nameOf(input, null)
  if (!name) throw fieldErrors({ path: 'name', message: 'Informe o nome.' })
  return settlingRaces(() =>
    inTenant(actor, async (tx) => {
      const number = numberOf(input.number) ?? null
      if (number) await refuseTaken(tx, id, number)
      await reserve(tx, 'contacts')
      await requireFieldValues(tx, input.extraInfo)
      const values = await columnsOf(tx, input, null)
      await tx.db.insert(contacts).values({ ...values, tenantId: tx.tenantId, id, name, isNameFixed: true, number })
      if (number) await saveIdentity(tx, id, number, null)
      await savePhones(tx, id, number, input.phones)
      await saveSets(tx, id, input)
      const after = await readOne(tx, id)
      await writeAudit(tx, actor, { action: 'contact.created', entity: 'contact', entityId: id, after })
      await emitContact(tx, after)
      return after
    }),
  )
}

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
      if (input.extraInfo) await requireFieldValues(tx, input.extraInfo, before.extraInfo)
      const name = nameOf(input, before)
      const isNameFixed = name !== undefined && name !== before.name ? true : undefined
      await write(tx, id, { ...(await columnsOf(tx, input, before)), name, isNameFixed, number })
      if (number !== undefined && number !== before.number) await saveIdentity(tx, id, number ?? '', before.number)
      if (input.phones) await savePhones(tx, id, number === undefined ? before.number : number, input.phones)
      await saveSets(tx, id, input)
      const after = await readOne(tx, id)
      await writeAudit(tx, actor, { action: 'contact.updated', entity: 'contact', entityId: id, before, after })
      await emitContact(tx, after)
      return after
    }),
  )
}

/** Stage, tags, owners and whether robots answer, from within a conversation; `actor` is null where no person does it. What stays as it was is no change. */
export const changeContactIn = async (
  tx: Tx,
  actor: Actor | null,
  id: string,
  change: (before: Contact) => Pick<ContactPatch, 'kanban' | 'tagIds' | 'walletIds' | 'isBotBlocked'>,
): Promise<void> => {
  if (!(await isThere(tx, undefined, id, 'lock'))) throw new AppError('ERR_NO_CONTACT_FOUND')
  const before = await readOne(tx, id)
  const sets = change(before)
  const isRetagged = sets.tagIds && differs(before.tags, sets.tagIds)
  const isMoved = sets.kanban !== undefined && sets.kanban !== before.kanban
  const isGivenOver = sets.isBotBlocked !== undefined && sets.isBotBlocked !== before.isBotBlocked
  if (!isMoved && !isRetagged && !isGivenOver && !movesWallet(before, sets)) return
  if (actor && movesWallet(before, sets) && !(await isThere(tx, await visibleContacts(actor), id)))
    throw new AppError('ERR_NO_PERMISSION')
  await saveSets(tx, id, sets)
  await write(tx, id, await columnsOf(tx, sets, before))
  const after = await readOne(tx, id)
  await writeAudit(tx, actor, { action: 'contact.updated', entity: 'contact', entityId: id, before, after })
  await emitContact(tx, after)
}

export const deleteContact = async (actor: Actor, id: string): Promise<void> => {
  const visible = await visibleContacts(actor)
  await inTenant(actor, (tx) => deleteContactIn(tx, actor, id, visible))
}

/** The same within a transaction; `first` takes away what holds it, once its traces are gone. */
export const deleteContactIn = async (
  tx: Tx,
  actor: Actor,
  id: string,
  visible: SQL | undefined,
  first?: () => Promise<void>,
): Promise<void> => {
  if (!(await isThere(tx, visible, id, 'lock'))) throw new AppError('ERR_NO_CONTACT_FOUND')
  const audiences = await audiencesOf(tx, id)
  await eraseTraces(tx, id)
  await first?.()
  await deleteWithMerged(tx, id)
  // Whom it was about is what was asked to be forgotten.
  await writeAudit(tx, actor, { action: 'contact.deleted', entity: 'contact', entityId: id })
  await emitContactDeleted(tx, id, audiences)
}

/** GET /contacts/{id}/document: the whole CPF or CNPJ; who read it is recorded. */
export const revealDocument = async (actor: Actor, id: string): Promise<{ document: string | null }> => {
  const readable = await readableContacts(actor)
  return inTenant(actor, async (tx) => {
    if (!(await isThere(tx, readable, id))) throw new AppError('ERR_NO_CONTACT_FOUND')
    const { document, name } = await readRow(tx, id)
    if (document)
      await writeAudit(tx, actor, { action: 'contact.documentRead', entity: 'contact', entityId: id, after: { name } })
    return { document }
  })
}

const write = (tx: Tx, id: string, values: PgUpdateSetSource<typeof contacts>) =>
  tx.db
    .update(contacts)
    .set({ ...values, version: sql`${contacts.version} + 1`, updatedAt: sql`now()` })
    .where(and(eq(contacts.tenantId, tx.tenantId), eq(contacts.id, id)))

/** What was sent as it is stored. A document that comes back as it was shown is no new one. */
const columnsOf = async (tx: Tx, input: ContactPatch, before: Contact | null) => {
  const { email, notes, extraInfo, birthdayDate, businessName, address, kanban, isBotBlocked } = input
  const isShown = input.document != null && input.document === before?.document?.masked
  if (input.document?.includes('*') && !isShown)
    throw fieldErrors({ path: 'document', message: 'Digite o CPF ou CNPJ inteiro.' })
  const isMoved = kanban !== undefined && kanban !== (before?.kanban ?? null)
  if (isMoved && kanban !== null) await requireLane(tx, kanban)
  return {
    email,
    notes,
    extraInfo,
    birthdayDate,
    businessName,
    isBotBlocked,
    address: address && Object.values(address).some(Boolean) ? address : address && null,
    document: isShown ? undefined : input.document,
    ...(isMoved && { laneId: kanban, laneAt: kanban === null ? null : sql`now()` }),
  }
}

const requireLane = async (tx: Tx, id: string) => {
  const { rows } = await tx.db.execute(
    sql`select from lanes where tenant_id = ${tx.tenantId} and id = ${id}::uuid for key share`,
  )
  if (rows.length === 0) throw fieldErrors({ path: 'kanban', message: 'Esta etapa não existe mais.' })
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
const readRow = async (tx: Tx, id: string): Promise<ContactRow> => {
  const [row] = await readContacts(tx, [id])
  if (!row) throw new AppError('ERR_NO_CONTACT_FOUND')
  return row
}
const readOne = async (tx: Tx, id: string): Promise<Contact> => presentContact(await readRow(tx, id))

export const presentContact = (row: ContactRow): Contact => ({
  id: row.id,
  name: row.name,
  ...namesIn(row.name),
  businessName: row.businessName,
  document: row.document ? maskDocument(row.document) : null,
  address: row.address,
  kanban: row.laneId,
  number: row.number,
  email: row.email,
  profilePicUrl: row.profilePicUrl,
  notes: row.notes,
  isGroup: row.isGroup,
  isBotBlocked: row.isBotBlocked,
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

/** One text, however it was sent; of a part alone, with the other as it was. Undefined: not sent. */
const nameOf = ({ name, firstName, lastName }: ContactPatch, before: Contact | null): string | undefined => {
  if (name !== undefined || (firstName === undefined && lastName === undefined)) return name
  const joined = `${firstName ?? before?.firstName ?? ''} ${lastName ?? before?.lastName ?? ''}`.trim()
  if (!joined) throw fieldErrors({ path: 'firstName', message: 'Informe o nome.' })
  return joined
}

const namesIn = (name: string) => {
  const [firstName = '', ...rest] = name.trim().split(/\s+/)
  return { firstName, lastName: rest.join(' ') }
}

/** The other phones are exactly these; `main` is told apart. */
const savePhones = async (tx: Tx, id: string, main: string | null | undefined, typed: string[]) => {
  const phones = typed.flatMap((one, index) => numberOf(one, `phones.${index}`) ?? [])
  const wanted = [...new Set(phones)].filter((phone) => phone !== main)
  for (const [index, phone] of wanted.entries()) await refuseTaken(tx, id, phone, `phones.${index}`)
  await replacePhones(tx, id, [...wanted, ...(main ? [main] : [])])
}

/** Undefined: not sent. Null: no phone. */
const numberOf = (typed: string | null | undefined, path = 'number'): string | null | undefined => {
  if (typed === undefined) return undefined
  if (!typed?.trim()) return null
  const phone = parsePhone(typed)
  if (!phone)
    throw fieldErrors({
      path,
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

const refuseTaken = async (tx: Tx, id: string, number: string, path?: string) => {
  await refuseBlocked(tx, number, path)
  const [other] = await findByPhone(tx, undefined, number)
  if (!other || other === id) return
  if (path) throw fieldErrors({ path, message: 'Este telefone é de outro contato.' })
  throw new AppError('ERR_DUPLICATED_CONTACT', { details: { contactId: other } })
}

const refuseStale = (version: number | undefined, input: ContactPatch, current: Contact) => {
  if (version === undefined || version === current.version) return
  const stored = {
    ...current,
    tagIds: current.tags.map((tag) => tag.id),
    walletIds: current.wallets.map((owner) => owner.id),
    phones: otherPhones(current),
    document: current.document?.masked ?? null,
  }
  throw new AppError('ERR_CONFLICT', { details: { current, changed: differences(input, stored) } })
}

const otherPhones = ({ identities, number }: Contact) =>
  identities.flatMap(({ kind, value }) => (kind === 'phone' && value !== number ? [value] : []))

const saveSets = async (tx: Tx, id: string, { tagIds, walletIds }: Pick<ContactPatch, 'tagIds' | 'walletIds'>) => {
  if (tagIds && !(await replaceTags(tx, id, tagIds))) {
    throw fieldErrors({ path: 'tagIds', message: 'Uma das etiquetas escolhidas não existe mais.' })
  }
  if (walletIds && !(await replaceWallets(tx, id, walletIds))) {
    throw fieldErrors({ path: 'walletIds', message: 'Um dos responsáveis escolhidos não existe mais.' })
  }
}
