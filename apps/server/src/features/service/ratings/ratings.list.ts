import type { Page } from '@balcao/contract/common.ts'
import type { Rating, RatingSummary, RatingsQuery } from '@balcao/contract/service/ratings.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern } from '../../../kit/cursor.ts'
import { newestPage } from '../../../kit/newest-page.ts'
import { withinDays } from '../../../kit/period.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import { viewerOf, visibleTickets } from '../../conversations/tickets/tickets.policy.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { presentRating, ratingColumns, ratingFrom, ratingStatus } from './ratings.present.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId'>

/** The questions asked after conversations this person may see, newest first. */
export const listRatings = async (actor: Asking, query: RatingsQuery): Promise<Page<Rating>> => {
  const directory = await getDirectory(actor.tenantId)
  const { values, bind } = binding()
  const from = `${ratingFrom} where ${whereOf(actor, directory, query, bind)}`
  const source = { columns: ratingColumns, from, alias: 'r', values, bind }
  return withTenant(actor.tenantId, (tx) => newestPage(tx, source, query, presentRating))
}

export const countRatings = async (actor: Asking, query: RatingsQuery): Promise<number> =>
  (await listRatings(actor, { ...query, limit: 1, pageNumber: 1, count: true })).count ?? 0

/** What the same questions came to: for everybody together, by grade, and by who served. */
export const summariseRatings = async (actor: Actor, query: RatingsQuery): Promise<RatingSummary> => {
  const directory = await getDirectory(actor.tenantId)
  const { values, bind } = binding()
  const text = `select r.user_id as "userId", r.grade, count(*) as count ${ratingFrom}
    where ${whereOf(actor, directory, query, bind)} group by 1, 2`
  const rows = await withTenant(actor.tenantId, (tx) => tx.rows<GroupRow>({ name: '', text }, values))
  const people = [...Map.groupBy(rows, (row) => row.userId)].map(([userId, theirs]) => ({
    user: userId ? { id: userId, name: directory.people.get(userId)?.name ?? 'Usuário removido' } : null,
    ...totalsOf(theirs),
  }))
  const grades = [...Map.groupBy(rows, (row) => row.grade)].flatMap(([grade, group]) =>
    grade === null ? [] : [{ grade, count: sum(group.map((row) => row.count)) }],
  )
  return {
    ...totalsOf(rows),
    grades: grades.sort((a, b) => b.grade - a.grade),
    people: people.sort((a, b) => b.answered - a.answered || b.asked - a.asked).slice(0, 100),
  }
}

type GroupRow = { userId: string | null; grade: number | null; count: number }
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
const totalsOf = (rows: GroupRow[]) => {
  const graded = rows.filter((row) => row.grade !== null)
  const answered = sum(graded.map((row) => row.count))
  const total = sum(graded.map((row) => (row.grade ?? 0) * row.count))
  const average = answered ? Math.round((total / answered) * 100) / 100 : null
  return { asked: sum(rows.map((row) => row.count)), answered, average }
}

const whereOf = (actor: Asking, directory: Directory, query: RatingsQuery, bind: Bind): string => {
  const conditions = [
    `r.tenant_id = ${bind(actor.tenantId)}`,
    visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind),
    ...withinDays('r.created_at', query, directory.timezone, bind),
  ]
  if (query.grades.length) conditions.push(`r.grade = any(${bind(query.grades)}::int[])`)
  if (query.status.length) conditions.push(`${ratingStatus} = any(${bind(query.status)}::text[])`)
  if (query.userIds.length) conditions.push(`r.user_id = any(${bind(query.userIds)}::uuid[])`)
  if (query.queuesIds.length) conditions.push(`r.queue_id = any(${bind(query.queuesIds)}::uuid[])`)
  const words = query.searchParam.replaceAll('\0', '').trim()
  if (words) {
    const pattern = bind(likePattern(words))
    const protocol = bind(likePattern(words.replace(/[\s()+.\-/]/g, '') || words))
    conditions.push(
      `(c.search like norm(${pattern}) or norm(r.comment) like norm(${pattern}) or t.protocol like ${protocol})`,
    )
  }
  return conditions.join(' and ')
}
