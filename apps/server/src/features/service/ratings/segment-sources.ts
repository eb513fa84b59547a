import { sql } from 'drizzle-orm'
import { numberRows, type Question, type Source } from '../../contacts/membership/source.ts'

const answered = ({ tenantId }: Question) => sql`x.tenant_id = ${tenantId} and x.grade is not null`

const average: Source = (asked) => {
  const said = sql`${Number(asked.value)}::float8`
  const mean = sql`sum(x.grade)::float8 / count(*)::float8`
  return {
    rows: {
      from: sql`ratings x`,
      id: sql`x.contact_id`,
      where: answered(asked),
      having: asked.op === 'atLeast' ? sql`${mean} >= ${said}` : sql`${mean} <= ${said}`,
    },
  }
}

/** What segments ask of the grades a contact gave. */
export const ratingSources = {
  lastGrade: numberRows(
    (asked) => ({
      from: sql`(select distinct on (x.contact_id) x.contact_id, x.grade from ratings x where ${answered(asked)}
        order by x.contact_id, x.answered_at desc, x.id desc) g`,
      id: sql`g.contact_id`,
      where: sql`true`,
      isUnique: true,
    }),
    sql`g.grade`,
  ),
  averageGrade: average,
} satisfies Record<string, Source>
