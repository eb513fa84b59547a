import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { StoredReaction } from '../../../db/schema/conversations/messages.ts'
import type { Person } from '../../core/directory/directory.ts'
import { presentMedia, type StoredFile } from '../../core/media/media.present.ts'

/** A message as the statements of `messages.queries.ts` read it. */
export type MessageRow = Omit<
  Message,
  | 'media'
  | 'reactions'
  | 'contacts'
  | 'user'
  | 'timestamp'
  | 'createdAt'
  | 'editedAt'
  | 'payload'
  | 'sendType'
  | 'isForwarded'
  | 'author'
  | 'votes'
> & {
  author?: Message['author']
  payload?: Message['payload']
  votes?: Message['votes']
  sendType?: Message['sendType']
  isForwarded?: boolean
  connectionId: string
  providerId: string | null
  userId: string | null
  file: StoredFile | null
  reactions: StoredReaction[] | null
  contacts: Message['contacts'] | null
  timestamp: Date
  createdAt: Date
  editedAt: Date | null
}

type People = ReadonlyMap<string, Pick<Person, 'name'>>

/** What leaves: signed links, names, no provider internals. A deleted message keeps its place and loses its words. */
export const presentMessage = (row: MessageRow, tenantId: number, people: People): Message => ({
  id: row.id,
  seq: row.seq,
  ticketId: row.ticketId,
  contactId: row.contactId,
  fromMe: row.fromMe,
  type: row.type,
  body: row.isDeleted ? '' : row.body,
  media: row.file && !row.isDeleted ? presentMedia(row.file, { tenantId }) : null,
  mediaState: row.mediaState,
  location: row.isDeleted ? null : row.location,
  contacts: row.isDeleted ? [] : (row.contacts ?? []),
  payload: row.isDeleted ? null : (row.payload ?? null),
  sendType: row.sendType ?? 'chat',
  isForwarded: row.isForwarded ?? false,
  quoted: row.quoted,
  reactions: (row.reactions ?? []).flatMap(presentReaction),
  votes: row.isDeleted ? null : (row.votes ?? null),
  status: row.status,
  error: row.error,
  isDeleted: row.isDeleted,
  editedAt: row.editedAt?.toISOString() ?? null,
  user: authorOf(row.userId, people),
  author: row.author ?? null,
  timestamp: row.timestamp.toISOString(),
  createdAt: row.createdAt.toISOString(),
  version: row.version,
})

const presentReaction = ({ emoji, fromMe, userId, author }: StoredReaction): Message['reactions'] =>
  emoji ? [{ emoji, fromMe, userId, author: author ?? null }] : []

/** Who of the team wrote, by name; null: nobody of the team. */
export const authorOf = (userId: string | null, people: People): Message['user'] =>
  userId ? { id: userId, name: people.get(userId)?.name ?? 'Usuário removido' } : null
