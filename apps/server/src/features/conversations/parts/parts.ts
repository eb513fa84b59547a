import { channels } from '@balcao/contract/channels/index.ts'
import { type Part, partProblems, partWay, type ShownPart } from '@balcao/contract/conversations/parts.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { presentMedia, type StoredFile } from '../../core/media/media.present.ts'
import { filesByIds, sendableFiles } from '../../core/media/stored-files.ts'
import type { ReachedTicket } from '../timeline/ticket-state.ts'

/** Parts with their files, read in one statement. */
export const showParts = async <P extends Part>(tx: Tx, parts: readonly P[]): Promise<(P & ShownPart)[]> => {
  const files = await storedFiles(tx, parts)
  return parts.map((one) => ({ ...one, media: faceOf(files, one.mediaId, tx.tenantId) }))
}
const faceOf = (files: Map<string, StoredFile>, id: string | null, tenantId: number): Media | null => {
  const file = id ? files.get(id) : undefined
  return file ? presentMedia(file, { tenantId }) : null
}

export const storedFiles = async (tx: Tx, parts: readonly Pick<Part, 'mediaId'>[]) => {
  const ids = [...new Set(parts.flatMap(({ mediaId }) => mediaId ?? []))]
  const rows = ids.length ? await tx.rows<StoredFile>(filesByIds, [tx.tenantId, ids]) : []
  return new Map(rows.map((row) => [row.id, row]))
}

/** Throws unless each part is whole and its file one that this person may send; files that were there may stay. */
export const requireParts = async (
  tx: Tx,
  actor: Actor,
  parts: readonly Part[],
  { before = [], at = 'parts' }: { before?: readonly (string | null)[]; at?: string } = {},
) => {
  const problems = partProblems(parts, at)
  if (problems.length) throw fieldErrors(...problems)
  const chosen = parts.flatMap(({ mediaId }) => (mediaId && !before.includes(mediaId) ? mediaId : []))
  if (!chosen.length) return
  const rows = await tx.rows<StoredFile>(sendableFiles, [tx.tenantId, chosen, actor.userId, actor.queueIds])
  const files = new Map(rows.map((row) => [row.id, row]))
  const wrong = parts.flatMap(({ kind, mediaId }, index) => {
    if (!mediaId || !chosen.includes(mediaId)) return []
    const file = files.get(mediaId)
    const path = `${at}.${index}.mediaId`
    if (!file) return [{ path, message: 'O arquivo não foi encontrado. Envie-o novamente.' }]
    return kind === 'voice' && file.kind !== 'audio' ? [{ path, message: 'Escolha um arquivo de áudio.' }] : []
  })
  if (wrong.length) throw fieldErrors(...wrong)
}

/** As what type a part travels to this conversation; throws where its channel takes nothing like it. */
export const wayTo = ({ kind, abilities }: ReachedTicket, one: Part, file: StoredFile | undefined) => {
  const { type, note } = partWay({ ...abilities, label: channels[kind].label }, one, file ?? null)
  if (!type) throw new AppError('ERR_CHANNEL_UNSUPPORTED', { message: note })
  return type
}
