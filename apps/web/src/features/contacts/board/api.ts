import { type BoardCard, type BoardColumn, type BoardQuery, noColumn } from '@balcao/contract/contacts/board.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { type Columns, isUnseen, type Move, moved, placed, tagsAfter, wayBack, withMore, without } from './columns.ts'

export type BoardAsked = Pick<BoardQuery, 'by' | 'searchParam' | 'tagIds' | 'walletIds' | 'segmentId'>
type Board = { columns: Columns }

const key = ['contacts', 'board']
export const boardQuery = (asked: BoardAsked) =>
  queryOptions({
    queryKey: [...key, asked],
    queryFn: ({ signal }) => api.get<Board>('/contactsKanban', { query: asked, signal, quiet: true }),
  })

/** Reads the next cards of one column into the board that is shown. */
export const useMoreCards = (asked: BoardAsked) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, nextCursor }: BoardColumn) => {
      const { columns } = await api.get<Board>('/contactsKanban', {
        query: { ...asked, column: id, cursor: nextCursor ?? undefined },
      })
      const [next] = columns
      cache.setQueryData(
        boardQuery(asked).queryKey,
        (board) => board && next && { columns: withMore(board.columns, next) },
      )
    },
    onError: (error) => notify.error(reasonOf(error)),
  })
}

/** Brings a card to another column: there at once, back where it was if the server says no, and again by "Desfazer". */
export const useMoveCard = (asked: BoardAsked) => {
  const cache = useQueryClient()
  const { queryKey } = boardQuery(asked)
  const move = useMutation({
    scope: { id: 'move contact' }, // one after the other, as they were asked for
    mutationFn: (one: Move & { isUndo?: boolean }) => send(asked.by, one),
    onMutate: async ({ card, from, to }) => {
      await cache.cancelQueries({ queryKey })
      cache.setQueryData(queryKey, (board) => board && { columns: moved(board.columns, asked.by, card, from, to) })
    },
    onSuccess: (saved, { isUndo, ...one }) => {
      placeEverywhere(cache, saved)
      if (isUndo) return
      const name = cache.getQueryData(queryKey)?.columns.find(({ id }) => id === one.to)?.name ?? ''
      const back = () => move.mutate({ ...wayBack(one, cardOf(saved)), isUndo: true })
      notify.success(`${one.card.name}: ${name}`, { label: 'Desfazer', onClick: back })
    },
    onError: (error) => {
      notify.error(reasonOf(error))
      void cache.invalidateQueries({ queryKey: key })
    },
  })
  return move
}

const send = (by: BoardAsked['by'], one: Move): Promise<Contact> => {
  const { card, to } = one
  return by === 'kanban'
    ? api.put<Contact>(`/contacts/${card.id}`, { kanban: to === noColumn ? null : to })
    : api.put<Contact>(`/contact-tags/${card.id}`, { tags: tagsAfter(one) })
}

const cardOf = ({ id, version, name, number, profilePicUrl, isGroup, businessName, ...rest }: Contact): BoardCard => ({
  id,
  version,
  name,
  number,
  profilePicUrl,
  isGroup,
  businessName,
  kanban: rest.kanban,
  tags: rest.tags,
  wallets: rest.wallets,
  lastMessageAt: rest.lastMessageAt,
})

/** A contact as it is now, in every board that is kept; what a filter hides is not judged here, but read anew. */
const placeEverywhere = (cache: QueryClient, contact: Contact) => {
  for (const query of cache.getQueryCache().findAll({ queryKey: key })) {
    const asked = query.queryKey[2] as BoardAsked // the only keys that begin so are those of `boardQuery`
    const columns = cache.getQueryData<Board>(query.queryKey)?.columns ?? []
    const isNarrowed = asked.searchParam || asked.tagIds.length || asked.walletIds.length || asked.segmentId
    const isNew = contact.version === 1 // counted nowhere yet
    if (isNarrowed || (!isNew && isUnseen(columns, contact.id)))
      void cache.invalidateQueries({ queryKey: query.queryKey })
    else
      cache.setQueryData<Board>(
        query.queryKey,
        (board) => board && { columns: placed(board.columns, asked.by, cardOf(contact)) },
      )
  }
}

/** So many at once are read as a whole. */
const most = 10
const waitMs = 300
const waiting = new Set<string>()
/** Somebody changed a contact: its card is read, not the board. */
export const renewCard = (cache: QueryClient, contactId: string) => {
  if (cache.getQueryCache().findAll({ queryKey: key, type: 'active' }).length === 0) {
    cache.removeQueries({ queryKey: key })
    return
  }
  if (waiting.size === 0) setTimeout(() => void renewAll(cache), waitMs)
  waiting.add(contactId)
}
const renewAll = async (cache: QueryClient) => {
  const ids = [...waiting]
  waiting.clear()
  if (ids.length > most) return cache.invalidateQueries({ queryKey: key })
  await Promise.all(
    ids.map(async (id) => {
      try {
        placeEverywhere(cache, await api.get<Contact>(`/contacts/${id}`, { quiet: true }))
      } catch {
        dropCard(cache, id) // gone, or not for these eyes any more
      }
    }),
  )
}
export const dropCard = (cache: QueryClient, contactId: string) => {
  for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: key })) {
    const board = cache.getQueryData<Board>(queryKey)
    if (!board) continue
    const { by } = queryKey[2] as BoardAsked // as above
    if (isUnseen(board.columns, contactId)) void cache.invalidateQueries({ queryKey })
    else cache.setQueryData<Board>(queryKey, { columns: without(board.columns, by, contactId) })
  }
}
