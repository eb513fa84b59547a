import type { Page } from '@balcao/contract/common.ts'
import type { ContactStory, GalleryItem, GalleryKind, galleryQuery } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { binding } from '../../../kit/sql.ts'
import { isThere } from '../../contacts/contacts/contact-rows.ts'
import { readableContacts } from '../../contacts/contacts/contacts.policy.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { presentMedia, type StoredFile } from '../../core/media/media.present.ts'
import { type Viewer, viewerOf, visibleTickets } from '../tickets/tickets.policy.ts'

const storyPage = 20

/** Every conversation with the contact this person may see, over whatever channel, newest first. */
export const readStory = (actor: Actor, contactId: string, cursor?: string): Promise<Page<ContactStory>> =>
  ofContact(actor, contactId, async (tx, viewer) => {
    const { values, bind } = binding()
    const tenant = bind(tx.tenantId)
    const after = cursor ? readCursor(cursor, storyCursor) : undefined
    const conditions = [
      `t.tenant_id = ${tenant}`,
      `t.contact_id = ${bind(contactId)}`,
      visibleTickets(viewer, { showAll: true }, bind),
    ]
    if (after) conditions.push(`(t.created_at, t.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`)
    const ref = (alias: string) =>
      `case when ${alias}.id is not null then jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name) end`
    const text = `select t.id, case when t.is_hidden then '' else t.protocol end as protocol, t.status, x.kind as channel, jsonb_build_object('id', x.id, 'name', x.name) as whatsapp,
        ${ref('q')} as queue, ${ref('u')} as "user", ${ref('r')} as reason, t.last_message as "lastMessage", t.value::float8 as value,
        (select g.grade from ratings g where g.tenant_id = ${tenant} and g.ticket_id = t.id and g.grade is not null
          order by g.answered_at desc nulls last limit 1) as grade,
        t.created_at as "createdAt", t.closed_at as "closedAt"
      from (select t.* from tickets t where ${conditions.join(' and ')} order by t.created_at desc, t.id desc limit ${storyPage + 1}) t
      join connections x on x.tenant_id = ${tenant} and x.id = t.connection_id
      left join queues q on q.tenant_id = ${tenant} and q.id = t.queue_id
      left join users u on u.tenant_id = ${tenant} and u.id = t.user_id
      left join reasons r on r.tenant_id = ${tenant} and r.id = t.reason_id
      order by t.created_at desc, t.id desc`
    const rows = await tx.rows<StoryRow>({ name: '', text }, values)
    const page = toPage(rows, storyPage, (row) => [row.createdAt.toISOString(), row.id])
    const items = page.items.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      closedAt: row.closedAt?.toISOString() ?? null,
    }))
    return { ...page, items }
  })
type StoryRow = Omit<ContactStory, 'createdAt' | 'closedAt'> & { createdAt: Date; closedAt: Date | null }
const storyCursor = z.tuple([z.iso.datetime(), z.uuid()])

type Asked = z.output<typeof galleryQuery>
/** What was exchanged with the contact in conversations this person may see: files of one kind, or addresses. */
export const readGallery = (actor: Actor, contactId: string, asked: Asked): Promise<Page<GalleryItem>> =>
  ofContact(actor, contactId, async (tx, viewer) => {
    const [before] = asked.cursor ? readCursor(asked.cursor, seqCursor) : []
    const read = asked.kind === 'link' ? readLinks : readFiles
    return read(tx, viewer, contactId, { ...asked, before })
  })
const seqCursor = z.tuple([z.int()])

type GalleryAsked = { kind: GalleryKind; limit: number; before: number | undefined }
type GalleryRow = {
  messageId: string
  ticketId: string
  seq: number
  fromMe: boolean
  createdAt: Date
  file?: StoredFile
  body: string
}
const columns = `m.id as "messageId", m.ticket_id as "ticketId", m.seq::float8 as seq, m.from_me as "fromMe", m.created_at as "createdAt", m.body`

const readFiles = async (tx: Tx, viewer: Viewer, contactId: string, { kind, limit, before }: GalleryAsked) => {
  const { values, bind } = binding()
  const tenant = bind(tx.tenantId)
  const text = `select ${columns}, jsonb_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'mime', f.mime,
      'size', f.size, 'width', f.width, 'height', f.height, 'durationMs', f.duration_ms, 'thumbKey', f.thumb_key) as file
    from messages m join files f on f.tenant_id = ${tenant} and f.id = m.media_id
    join tickets t on t.tenant_id = ${tenant} and t.id = m.ticket_id
    where m.tenant_id = ${tenant} and m.contact_id = ${bind(contactId)} and m.media_id is not null and not m.is_deleted
      and m.type = ${bind(kind)} and m.seq < ${bind(before ?? Number.MAX_SAFE_INTEGER)}
      and ${visibleTickets(viewer, { showAll: true }, bind)}
    order by m.seq desc limit ${limit + 1}`
  const rows = await tx.rows<GalleryRow>({ name: '', text }, values)
  const page = toPage(rows, limit, (row) => [row.seq])
  return { ...page, items: page.items.map((row) => itemOf(tx, row)) }
}

const readLinks = async (tx: Tx, viewer: Viewer, contactId: string, asked: GalleryAsked) => {
  const { text, values } = linkPage(tx.tenantId, viewer, contactId, asked)
  const rows = await tx.rows<GalleryRow>({ name: '', text }, values)
  const page = toPage(rows, asked.limit, (row) => [row.seq])
  return { ...page, items: page.items.map((row) => itemOf(tx, row)) }
}

/** Messages with addresses, newest first. The condition is that of the index `messages_links`, word for word. */
export const linkPage = (
  tenantId: number,
  viewer: Viewer,
  contactId: string,
  { limit, before }: Pick<GalleryAsked, 'limit' | 'before'>,
) => {
  const { values, bind } = binding()
  const tenant = bind(tenantId)
  const text = `select ${columns} from messages m join tickets t on t.tenant_id = ${tenant} and t.id = m.ticket_id
    where m.tenant_id = ${tenant} and m.contact_id = ${bind(contactId)} and m.seq < ${bind(before ?? Number.MAX_SAFE_INTEGER)}
      and m.body ~* 'https?://' and m.type not in ('note', 'system') and not m.is_deleted
      and ${visibleTickets(viewer, { showAll: true }, bind)}
    order by m.seq desc limit ${limit + 1}`
  return { text, values }
}

const itemOf = ({ tenantId }: Tx, row: GalleryRow): GalleryItem => ({
  messageId: row.messageId,
  ticketId: row.ticketId,
  fromMe: row.fromMe,
  media: row.file ? presentMedia(row.file, { tenantId }) : null,
  links: row.file ? [] : linksIn(row.body),
  createdAt: row.createdAt.toISOString(),
})
const linksIn = (text: string) => [
  ...new Set(
    [...text.matchAll(/https?:\/\/[^\s<>"]+/gi)].map(([link]) =>
      link.replace(/(?<![.,;:!?)\]}'»])[.,;:!?)\]}'»]+$/, ''),
    ),
  ),
]

const ofContact = async <Result>(
  actor: Actor,
  contactId: string,
  read: (tx: Tx, viewer: Viewer) => Promise<Result>,
): Promise<Result> => {
  const [readable, directory] = [await readableContacts(actor), await getDirectory(actor.tenantId)]
  return withTenant(actor.tenantId, async (tx) => {
    if (!(await isThere(tx, readable, contactId))) throw new AppError('ERR_NO_CONTACT_FOUND')
    return read(tx, viewerOf(directory, actor.userId))
  })
}
