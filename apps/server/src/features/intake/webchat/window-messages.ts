import { isRequest, numberedText } from '@balcao/contract/conversations/interactive.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { WebchatMessage } from '@balcao/contract/intake/webchat.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { presentMedia, type StoredFile } from '../../core/media/media.present.ts'

type Row = Pick<
  WebchatMessage,
  'id' | 'seq' | 'clientId' | 'type' | 'status' | 'isDeleted' | 'editedAt' | 'createdAt'
> & {
  fromMe: boolean
  body: string
  userId: string | null
  sendType: Message['sendType']
  payload: Message['payload']
  file: StoredFile | null
  quoted: WebchatMessage['replyTo']
}
type Place = { tenantId: number; connectionId: string; contactId: string | null }

const pageSize = 50

/** A page of the visitor's own conversation, oldest first; `after` catches up, `before` goes back, neither is the latest page. */
export const listMessages = async (
  { tenantId, connectionId, contactId }: Place,
  { after, before }: { after?: number; before?: number },
) => {
  if (!contactId) return { items: [], hasMore: false }
  const isCatchUp = after !== undefined
  const edge = isCatchUp ? after : (before ?? Number.MAX_SAFE_INTEGER)
  const rows = await read(tenantId, isCatchUp ? newer : older, [connectionId, contactId, edge, pageSize + 1])
  const page = rows.slice(0, pageSize)
  return { items: isCatchUp ? page : page.reverse(), hasMore: rows.length > pageSize }
}

/** What the visitor sees of their last conversation; of a very long one, its end. */
export const listLastConversation = async ({ tenantId, connectionId, contactId }: Place) =>
  contactId ? (await read(tenantId, lastConversation, [connectionId, contactId])).reverse() : []

/** One message as its visitor sees it; undefined when it is not for visitors or not of this connection. */
export const findMessage = async (tenantId: number, connectionId: string, messageId: string) =>
  (await read(tenantId, byId, [connectionId, messageId]))[0]

/** The message a visitor's window sent under this id. */
export const findSent = async (tenantId: number, connectionId: string, providerId: string) =>
  (await read(tenantId, byProvider, [connectionId, providerId]))[0]

const read = async (tenantId: number, statement: Prepared, values: unknown[]) => {
  const rows = await withTenant(tenantId, (tx) => tx.rows<Row>(statement, [tenantId, ...values]))
  if (!rows.length) return []
  const directory = await getDirectory(tenantId)
  return rows.map((row) => present(row, directory))
}

const iso = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const columns = `m.id, m.seq, m.from_me as "fromMe", m.body, m.payload, m.send_type as "sendType", m.user_id as "userId", m.is_deleted as "isDeleted",
  nullif(split_part(m.provider_id, ':', 2), '') as "clientId",
  case when m.type in ('image','audio','video','document','location','contact') then m.type when m.type = 'sticker' then 'image' else 'text' end as type,
  case when m.from_me then (case when m.status in ('read','played') then 'read' when m.status = 'delivered' then 'delivered' else 'sent' end)
    when t.unread_messages = 0 then 'read' else 'delivered' end as status,
  case when q.id is not null then json_build_object('id', q.id, 'text', case when q.is_deleted then '' else q.body end) end as quoted,
  case when f.id is not null then json_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'mime', f.mime, 'size', f.size,
    'width', f.width, 'height', f.height, 'durationMs', f.duration_ms, 'thumbKey', f.thumb_key) end as file,
  ${iso('m.created_at')} as "createdAt", ${iso('m.edited_at')} as "editedAt"`
const from = `from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
  left join messages q on q.tenant_id = m.tenant_id and q.id = m.quoted_id and q.type not in ('note', 'system')
  left join files f on f.tenant_id = m.tenant_id and f.id = m.media_id`
/** Notes and system lines are the team's own, and so is what has not left yet. */
const forVisitors = `m.type not in ('note', 'system', 'reaction') and not (m.from_me and m.status in ('queued', 'sending', 'failed', 'uncertain'))`
const ofContact = `m.tenant_id = $1 and m.connection_id = $2 and m.contact_id = $3 and ${forVisitors}`

const byProvider: Prepared = {
  name: 'webchat_by_provider',
  text: `select ${columns} ${from} where m.tenant_id = $1 and m.connection_id = $2 and m.provider_id = $3`,
}
const byId: Prepared = {
  name: 'webchat_by_id',
  text: `select ${columns} ${from} where m.tenant_id = $1 and m.connection_id = $2 and m.id = $3 and ${forVisitors}`,
}
const newer: Prepared = {
  name: 'webchat_newer',
  text: `select ${columns} ${from} where ${ofContact} and m.seq > $4 order by m.seq limit $5`,
}
const lastConversation: Prepared = {
  name: 'webchat_last_conversation',
  text: `select ${columns} ${from} where ${ofContact} and m.ticket_id = (select l.ticket_id from messages l
      where l.tenant_id = $1 and l.connection_id = $2 and l.contact_id = $3 order by l.seq desc limit 1)
    order by m.seq desc limit 500`,
}
const older: Prepared = {
  name: 'webchat_older',
  text: `select ${columns} ${from} where ${ofContact} and m.seq < $4 order by m.seq desc limit $5`,
}

const present = (row: Row, { tenantId, people }: Directory): WebchatMessage => {
  const agentName = row.userId ? people.get(row.userId)?.name : undefined
  return {
    id: row.id,
    seq: row.seq,
    clientId: row.clientId,
    from: row.fromMe ? (row.userId ? 'agent' : 'bot') : 'visitor',
    agentName: row.fromMe ? (agentName ?? null) : null,
    type: row.type,
    text: row.isDeleted ? '' : textOf(row),
    media: row.file && !row.isDeleted ? shortMedia(row.file, tenantId) : null,
    isRating: row.sendType === 'rating' && Boolean(row.payload?.interactive),
    buttons: (!row.isDeleted && row.payload?.interactive?.options) || [],
    replyTo: row.quoted,
    status: row.status,
    isDeleted: row.isDeleted,
    editedAt: row.editedAt,
    createdAt: row.createdAt,
  }
}

/** What stands above and below the words of a message with choices. */
const textOf = ({ body, payload }: Row): string => {
  if (payload?.interactive && isRequest(payload.interactive)) return numberedText(payload.interactive, body)
  const { header = '', footer = '' } = payload?.interactive ?? {}
  return [header && `*${header}*`, body, footer && `_${footer}_`].filter(Boolean).join('\n')
}

const shortMedia = (file: StoredFile, tenantId: number): WebchatMessage['media'] => {
  const { url, name, mime, size, width, height } = presentMedia(file, { tenantId, access: 'anyone' })
  return { url, name, mime, size, width, height }
}
