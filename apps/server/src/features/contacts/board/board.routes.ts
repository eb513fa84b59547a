import { type BoardColumn, type BoardQuery, board, boardQuery, noColumn } from '@balcao/contract/contacts/board.ts'
import type { Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { type SQL, sql } from 'drizzle-orm'
import { type Tx, withSearch } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { toPage } from '../../../kit/cursor.ts'
import type { Routes } from '../../../kit/http.ts'
import { visibleContacts } from '../contacts/contacts.policy.ts'
import { findFew, findMembership } from '../membership/members.ts'
import { lookupOf } from '../membership/parts.ts'
import { type ColumnRow, findCards, findColumns, type Members, readCards } from './board.queries.ts'

/** Cards of a column at a time. */
const pageSize = 30

export const boardRoutes: Routes = (app) => {
  app.get(
    '/contactsKanban',
    {
      config: { can: 'contacts.read', summary: 'Ler o quadro de contatos', errors: ['ERR_BUSY', 'ERR_TOO_SLOW'] },
      schema: { querystring: boardQuery, response: { 200: board } },
    },
    async ({ actor, query }) => ({ columns: await readBoard(actor, query) }),
  )
  app.get(
    '/contactsTags',
    {
      config: {
        can: 'contacts.read',
        summary: 'Ler o quadro de contatos por etiqueta',
        errors: ['ERR_BUSY', 'ERR_TOO_SLOW'],
      },
      schema: { querystring: boardQuery.omit({ by: true }), response: { 200: board } },
    },
    async ({ actor, query }) => ({ columns: await readBoard(actor, { ...query, by: 'tag' }) }),
  )
}

const nobody = { kanban: 'Sem etapa', tag: 'Sem etiqueta' }

const readBoard = async (actor: Actor, asked: BoardQuery): Promise<BoardColumn[]> => {
  const visible = await visibleContacts(actor)
  return withSearch(actor, async (tx) => {
    const members = await membersOf(tx, actor, asked, visible)
    const none: ColumnRow = { id: noColumn, name: nobody[asked.by], color: null, limit: null }
    const columns = [none, ...(await findColumns(tx, asked.by))].filter(
      ({ id }) => !asked.column || id === asked.column,
    )
    const named = columns.flatMap(({ id }) => (id === noColumn ? [] : id))
    const keys = [
      ...(named.length < columns.length ? await findCards(tx, { visible, members }, asked, noColumn, pageSize) : []),
      ...(named.length ? await findCards(tx, { visible, members }, asked, named, pageSize) : []),
    ]
    const cards = new Map((await readCards(tx, [...new Set(keys.map(({ id }) => id))])).map((card) => [card.id, card]))
    return columns.map((column) => {
      const here = keys.filter((key) => key.column === column.id)
      const { items, nextCursor } = toPage(here, pageSize, ({ key, id }) => [key, id])
      return {
        ...column,
        total: here[0]?.total ?? 0,
        cards: items.flatMap(({ id }) => cards.get(id) ?? []),
        nextCursor,
      }
    })
  })
}

/** Who belongs to the segment and the filters: by their ids where they are few, else looked up among all of them. */
const membersOf = async (
  tx: Tx,
  actor: Actor,
  asked: BoardQuery,
  visible: SQL | undefined,
): Promise<Members | undefined> => {
  const { segmentId, tagIds, walletIds } = asked
  const segment = tagIds.length || walletIds.length ? everybody : undefined
  const part = await findMembership(tx, actor, { segmentId, segment, tagIds, walletIds })
  if (!part) return undefined
  const few = await findFew(tx, part, visible)
  return { few, isMember: (id) => (few ? sql`${id} = any(${sql.param(few)}::uuid[])` : lookupOf(part, id)) }
}
const everybody: Segment = { match: 'all', rules: [] }
