import type { VoiceCallRow, VoiceCallsQuery, WholeVoiceCall } from '@balcao/contract/automation/voice-calls.ts'
import type { Page } from '@balcao/contract/common.ts'
import { withSearch } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { newestPage } from '../../../kit/newest-page.ts'
import { withinDays } from '../../../kit/period.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import { viewerOf, visibleTickets } from '../../conversations/tickets/tickets.policy.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { presentMedia } from '../../core/media/media.present.ts'
import { findFile } from '../../core/media/media.service.ts'
import { presentCall } from './voice-calls.present.ts'
import { type CallRow, callColumns } from './voice-calls.rows.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId'>
type Listed = CallRow & { contactId: string | null; contactName: string | null; protocol: string | null }

/** Every call whoever asks may read, newest first. */
export const listVoiceCalls = async (actor: Asking, query: VoiceCallsQuery): Promise<Page<VoiceCallRow>> => {
  const directory = await getDirectory(actor.tenantId)
  const { values, bind } = binding()
  const from = readable(directory, actor, bind, narrowed(query, directory, bind))
  const source = { columns: columns(''), from, alias: 'v', values, bind }
  return withSearch(actor, (tx) => newestPage(tx, source, query, (row: Listed) => presentRow(row, directory)))
}
export const countVoiceCalls = async (actor: Asking, query: VoiceCallsQuery): Promise<number> =>
  (await listVoiceCalls(actor, { ...query, limit: 1, count: true })).count ?? 0

/** One with what was said and recorded. Throws ERR_NOT_FOUND. */
export const readVoiceCall = async (actor: Asking, callId: string): Promise<WholeVoiceCall> => {
  const directory = await getDirectory(actor.tenantId)
  const { values, bind } = binding()
  const from = readable(directory, actor, bind, [`v.id = ${bind(callId)}`])
  const text = `select ${columns('v.transcript')} ${from}`
  const [row] = await withSearch(actor, (tx) => tx.rows<Listed>({ name: '', text }, values))
  if (!row) throw new AppError('ERR_NOT_FOUND')
  const file = row.recordingId ? await findFile(actor.tenantId, row.recordingId) : undefined
  return {
    ...presentRow(row, directory),
    transcript: row.transcript,
    recording: file ? presentMedia(file, actor) : null,
  }
}

/** Of conversations one may see; a call of none is its caller's, and of those who see everybody's conversations. */
const readable = (directory: Directory, { tenantId, userId }: Asking, bind: Bind, more: readonly string[]): string => {
  const viewer = viewerOf(directory, userId)
  const alone = viewer.seesAll ? 'true' : `v.user_id = ${bind(userId)}`
  const isSeen = `case when t.id is null then ${alone} else ${visibleTickets(viewer, { showAll: true }, bind)} end`
  return `from voice_calls v
    left join tickets t on t.tenant_id = v.tenant_id and t.id = v.ticket_id
    left join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    where ${[`v.tenant_id = ${bind(tenantId)}`, isSeen, ...more].join(' and ')}`
}
const narrowed = (query: VoiceCallsQuery, { timezone }: Pick<Directory, 'timezone'>, bind: Bind): string[] => {
  const words = query.searchParam.replaceAll('\0', '').trim()
  const digits = words.replace(/[\s()+.\-/]/g, '')
  const named = words && `norm(coalesce(c.name, v.name)) like norm(${bind(likePattern(words))})`
  return [
    ...withinDays('v.created_at', query, timezone, bind),
    ...(query.status.length ? [`v.status = any(${bind(query.status)}::text[])`] : []),
    ...(query.direction.length ? [`v.direction = any(${bind(query.direction)}::text[])`] : []),
    ...(!named ? [] : /^\d+$/.test(digits) ? [`(${named} or v.number like ${bind(likePattern(digits))})`] : [named]),
  ]
}
/** What was said is long, and read of one alone. */
const columns = (transcript: string) =>
  `${callColumns('v', transcript || "''")}, c.id as "contactId", c.name as "contactName", t.protocol`

const presentRow = (row: Listed, directory: Directory): VoiceCallRow => {
  const { transcript: _, ...call } = presentCall(row, directory)
  return {
    ...call,
    contact: row.contactId ? { id: row.contactId, name: row.contactName ?? '' } : null,
    protocol: row.protocol,
    hasRecording: row.recordingId !== null,
  }
}
