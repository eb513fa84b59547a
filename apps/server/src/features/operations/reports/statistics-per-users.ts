import {
  reportQuery,
  type statisticsPerUsersQuery,
  type userStatistics,
} from '@balcao/contract/operations/reports/reports.ts'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { withReplica } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { countingOf } from './counting.ts'
import { measureSql, timeOf, valueSql } from './measure-sql.ts'
import { daysOf } from './report-filters.ts'

type Answer = z.output<typeof userStatistics>
type Row = Omit<Answer[number], 'name' | 'email' | 'id'> & { id: string }

/** GET /statistics-per-users: everybody of the team who had a conversation of the period, the busiest first. */
export const readStatisticsPerUsers = async (
  actor: Actor,
  asked: z.output<typeof statisticsPerUsersQuery>,
): Promise<Answer> => {
  const { dateFrom = asked.startDate, dateTo = asked.endDate } = asked
  const query = { ...reportQuery.parse({}), ...asked, dateFrom, dateTo }
  const directory = await getDirectory(actor.tenantId)
  const time = timeOf('calendar')
  return withReplica(actor, async (tx) => {
    const { from, where, key } = await countingOf({ tx, actor, query, days: daysOf(query, directory) }, 'agent')
    const { rows } = await tx.db.execute<Row>(
      sql`select ${key} as id, ${valueSql(measureSql.active(time))} - ${valueSql(measureSql.waiting(time))} as qtd_em_atendimento,
          ${valueSql(measureSql.waiting(time))} as qtd_pendentes, ${valueSql(measureSql.closed(time))} as qtd_resolvidos,
          ${valueSql(measureSql.tickets(time))} as qtd_por_usuario, ${valueSql(measureSql.wait(time))} as tempo_medio_espera,
          ${valueSql(measureSql.firstAnswer(time))} as tempo_medio_primeira_resposta, ${valueSql(measureSql.resolution(time))} as tempo_medio_atendimento,
          ${valueSql(measureSql.grade(time))} as nota_media
        from ${from} where ${where} and ${key} is not null group by 1 having sum(p.tickets) > 0 order by sum(p.tickets) desc, 1`,
    )
    return rows.map((row) => {
      const person = directory.people.get(row.id)
      return { ...row, name: person?.name ?? 'Usuário removido', email: person?.email ?? '' }
    })
  })
}
