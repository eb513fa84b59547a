import { createHash } from 'node:crypto'
import type { Contact, Identity } from '@balcao/contract/contacts/contacts.ts'
import { type Prepared, platformRows, type Tx, withTenant } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import { leased, takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { keepPicture } from '../../channels/connections/connect.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { emitContact } from '../../contacts/contacts/contacts.events.ts'
import { resolveKnown } from '../../contacts/contacts/identify.ts'
import { findFile, storeFile } from '../../core/media/media.service.ts'

const atOnce = 4
const leaseS = 120
const maxBytes = 5 * 1024 * 1024
const maxAttempts = 3

type Due = {
  tenantId: number
  id: string
  connectionId: string
  contactId: string | null
  fileId: string | null
  source: string | null
  attempts: number
}

const dueNow = 'due_at <= now()'
export const isPictureDue = `select from pictures where ${dueNow}`
/** Brings pictures that are due home. One that is as it was stays; one that was taken away goes here too. */
export const fetchDuePictures = async (): Promise<Round> => {
  const due = await platformRows<Due>(claim, [atOnce, leaseS])
  await Promise.all(due.map(bring))
  return { did: due.length, isMore: due.length === atOnce }
}
const claim: Prepared = {
  name: 'picture_claim',
  text: takeDue({
    table: 'pictures',
    key: ['tenant_id', 'id'],
    where: dueNow,
    order: 'due_at',
    set: leased('due_at'),
    returning:
      'q.tenant_id as "tenantId", q.id, q.connection_id as "connectionId", q.contact_id as "contactId", q.file_id as "fileId", q.source, q.attempts',
  }),
}

const bring = async (due: Due) => {
  try {
    const fileId = await fetchPicture(due)
    await withTenant(due.tenantId, async (tx) => {
      await tx.rows(settle, [due.tenantId, due.id, fileId])
      if (fileId !== due.fileId) await show(tx, due, fileId && `/api/pictures/${fileId}`)
    })
  } catch (error) {
    log.info({ err: error, tenantId: due.tenantId, pictureId: due.id, attempts: due.attempts }, 'picture not fetched')
    const again = due.attempts < maxAttempts ? 600 * due.attempts : null
    await platformRows(later, [due.tenantId, due.id, again]).catch(() => undefined) // its lease ends
  }
}
const settle: Prepared = {
  name: 'picture_settle',
  text: `update pictures set file_id = $3, asked_at = now(), due_at = null, attempts = 0 where tenant_id = $1 and id = $2`,
}
const later: Prepared = {
  name: 'picture_later',
  text: `update pictures set asked_at = now(), due_at = now() + make_interval(secs => $3) where tenant_id = $1 and id = $2`,
}

/** The stored picture; null where they show none. */
const fetchPicture = async ({ tenantId, connectionId, contactId, fileId, source }: Due): Promise<string | null> => {
  const connection = await findConnection(connectionId)
  if (!connection) return fileId
  const { context } = connection
  const url = contactId ? await lookAt(connection, contactId) : source
  if (!url) return null
  const { status, bytes, headers } = await context.http(url, { maxBytes, timeoutMs: 20_000 })
  if (status !== 200) throw new Error(`The picture answered ${status}`)
  const before = fileId && (await findFile(tenantId, fileId))
  if (before && before.sha256 === createHash('sha256').update(bytes).digest('hex')) return fileId
  const stored = await storeFile({ tenantId, bytes, name: 'foto', declaredMime: headers['content-type'], maxBytes })
  return stored.thumbKey ? stored.id : null
}

/** Where their picture is. Some channels tell the name of whoever writes only here: it fills that of whom nobody has named. */
const lookAt = async ({ tenantId, adapter, context }: OpenConnection, contactId: string) => {
  const to = await identitiesOf(tenantId, contactId)
  const { name, pictureUrl } = (await adapter.profile?.({ to }, context)) ?? {}
  if (name && to.length) await withTenant(tenantId, (tx) => resolveKnown(tx, contactId, { identities: to, name }))
  return pictureUrl
}
const identitiesOf = (tenantId: number, contactId: string) =>
  withTenant(tenantId, (tx) => tx.rows<Identity>(identities, [tenantId, contactId]))
const identities: Prepared = {
  name: 'picture_identities',
  text: 'select kind, value from contact_identities where tenant_id = $1 and contact_id = $2',
}

const show = async (tx: Tx, { contactId, connectionId }: Due, url: string | null) => {
  if (!contactId) return keepPicture(tx, connectionId, url)
  const [contact] = await tx.rows<Pick<Contact, 'id' | 'name' | 'profilePicUrl' | 'version'>>(showContact, [
    tx.tenantId,
    contactId,
    url,
  ])
  if (contact) await emitContact(tx, contact)
}
const showContact: Prepared = {
  name: 'picture_show_contact',
  text: `update contacts set profile_pic_url = $3, version = version + 1, updated_at = now()
    where tenant_id = $1 and id = $2 returning id, name, profile_pic_url as "profilePicUrl", version`,
}

/** Accounts whose provider names another picture than the one we asked for last. */
export const wantAccountPictures = async (): Promise<Round> => {
  const wanted = await platformRows(wantAccounts, [])
  return { did: wanted.length }
}
const wantAccounts: Prepared = {
  name: 'picture_want_accounts',
  text: `insert into pictures (tenant_id, id, connection_id, source, due_at)
    select c.tenant_id, gen_random_uuid(), c.id, c.account ->> 'pictureUrl', now() from connections c
    where c.account ->> 'pictureUrl' is not null and c.deleted_at is null and not exists (select from pictures p
      where p.tenant_id = c.tenant_id and p.connection_id = c.id and p.contact_id is null and p.source = c.account ->> 'pictureUrl')
    on conflict (tenant_id, connection_id) where contact_id is null
      do update set source = excluded.source, due_at = excluded.due_at, attempts = 0
    returning id`,
}
