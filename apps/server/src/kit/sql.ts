import { type SQL, sql } from 'drizzle-orm'

/** Adds a value to a statement and answers its placeholder. */
export type Bind = (value: unknown) => string

/** A piece written for `binding`, as part of a statement that Drizzle puts together. */
export const boundSql = (write: (bind: Bind) => string): SQL => {
  const { values, bind } = binding()
  const parts = write(bind).split(/\$(\d+)/)
  return sql.join(parts.map((part, at) => (at % 2 ? sql`${sql.param(values[Number(part) - 1])}` : sql.raw(part))))
}

/** Collects the values of a statement that is put together piece by piece: every value is bound, none is ever text. */
export const binding = (): { values: unknown[]; bind: Bind } => {
  const values: unknown[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}
