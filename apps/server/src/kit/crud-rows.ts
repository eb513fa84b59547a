import type { ErrorCode } from '@balcao/contract/errors.ts'
import { type EventName, type EventPayload, events } from '@balcao/contract/events.ts'
import type { Resource, RowOf, WriteOf } from '@balcao/contract/resource.ts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type Tx, withTenant } from '../db/database.ts'
import type { Actor } from './actor.ts'
import { writeAudit } from './audit.ts'
import { asPlainRow, differences, type Plain, type PlainRow, pick, withTextDates } from './crud-fields.ts'
import type { CrudTable } from './crud-list.ts'
import type { CsvColumn } from './csv.ts'
import { databaseProblem, stillUsing } from './database-problem.ts'
import { AppError } from './errors.ts'
import { madeOnce } from './made-once.ts'
import { type Audience, emit } from './outbox.ts'

/** A write as slots see it; `before` is undefined on create. */
type Writing<Stored, Written> = { actor: Actor; input: Written; before: Stored | undefined }

export type CrudOptions<R extends Resource, T extends CrudTable> = {
  table: T
  /** What `searchParam` looks in, accents and case folded; the texts it may be ordered by when not given. */
  search?: PgColumn[]
  /** The fields the resource names, and when it was made, when not given. */
  csv?: CsvColumn<RowOf<R>>[]
  /** The file itself, where a line is something else than a row. */
  csvOf?: (tx: Tx, rows: RowOf<R>[]) => Promise<string>
  /** Rows of the company this person may know of; the others are not there. Everything when not given. */
  visible?: (actor: Actor) => SQL | undefined
  /** What to answer when so many rows of these tables still point here; ERR_IN_USE for the others. */
  inUse?: Partial<Record<string, { code: ErrorCode; says: (uses: number) => string }>>
  /** A body in the names older callers use, put into those of the resource; before it is checked. */
  fromOlder?: (body: Record<string, unknown>) => Record<string, unknown>
  /** Refuses a write, or adds columns no form sends. Reads inside the transaction. */
  beforeWrite?: (
    tx: Tx,
    writing: Writing<T['$inferSelect'], Partial<WriteOf<R>>>,
  ) => Promise<Partial<T['$inferInsert']>>
  /** Refuses a deletion, or saves what would go with the row. */
  beforeDelete?: (actor: Actor, row: T['$inferSelect'], tx: Tx) => void | Promise<void>
  /** Writes what lives in other tables. */
  afterWrite?: (tx: Tx, written: { id: string; input: Partial<WriteOf<R>>; isNew: boolean }) => Promise<void>
  /** Adds to each row what lives in other tables, in one statement for all of them. */
  present?: (tx: Tx, rows: T['$inferSelect'][]) => Promise<object[]>
  /** Who hears of it; whoever may read the resource when not given. */
  audience?: (row: RowOf<R>) => Audience
  /** A cache to forget. */
  afterCommit?: (tenantId: number) => void
}
export type PlainOptions = CrudOptions<Resource, CrudTable>

/** The rows of one resource: read, written and told of, each write with its audit row and its event in one transaction. */
export const rowsOf = (resource: Resource, options: PlainOptions, columns: Record<string, PgColumn>) => {
  const { row, write, can } = resource
  const { table, afterCommit } = options

  /** Rows as they leave: dates as text, relations added, and no column the contract does not name. */
  const present = async (tx: Tx, stored: Plain[]): Promise<PlainRow[]> => {
    const rows = options.present ? await options.present(tx, stored) : stored
    return rows.map((one) => row.parse(withTextDates(one))).map(asPlainRow)
  }
  const presentOne = async (tx: Tx, stored: Plain): Promise<PlainRow> => {
    const [presented] = await present(tx, [stored])
    if (!presented) throw new Error(`${resource.event}: present() lost a row`)
    return presented
  }

  const where = (actor: Actor, ...more: (SQL | undefined)[]) =>
    and(eq(table.tenantId, actor.tenantId), options.visible?.(actor), ...more)

  const find = async (tx: Tx, actor: Actor, id: string, lock = false): Promise<Plain> => {
    const statement = tx.db
      .select()
      .from(table)
      .where(where(actor, eq(table.id, id)))
    const [stored] = await (lock ? statement.for('update') : statement)
    if (!stored) throw new AppError('ERR_NOT_FOUND')
    return stored
  }

  const tell = async (
    tx: Tx,
    actor: Actor,
    what: 'created' | 'updated' | 'deleted',
    change: { before?: PlainRow; after?: PlainRow },
  ) => {
    const subject = change.after ?? change.before
    if (!subject) return
    await writeAudit(tx, actor, {
      action: `${resource.event}.${what}`,
      entity: resource.event,
      entityId: subject.id,
      ...change,
    })
    const audienceOf = (one: PlainRow): Audience =>
      options.audience?.(one as unknown as RowOf<Resource>) ?? { kind: 'permission', can: can.read }
    const audience = audienceOf(subject)
    // Whoever could see it before and no longer can must lose it.
    const lost = change.before && change.after && audienceOf(change.before)
    if (lost && JSON.stringify(lost) !== JSON.stringify(audience)) {
      await emitNamed(tx, `${resource.event}.deleted`, { id: subject.id }, lost)
    }
    await emitNamed(tx, `${resource.event}.${what}`, what === 'deleted' ? { id: subject.id } : subject, audience)
  }

  const inTenant = async <Result>(
    actor: Actor,
    work: (tx: Tx) => Promise<Result>,
    writes = false,
    explain: (error: unknown) => Promise<unknown> = async (error) => error,
  ): Promise<Result> => {
    try {
      const result = await withTenant(actor.tenantId, work)
      if (writes) afterCommit?.(actor.tenantId)
      return result
    } catch (error) {
      throw databaseProblem(await explain(error), {
        fields: [resource.sort[0], ...Object.keys(write.shape)],
        thing: resource.label,
      })
    }
  }

  const create = (actor: Actor, input: Plain) =>
    madeOnce(
      typeof input.id === 'string' ? input.id : undefined,
      () => insert(actor, input),
      (id) => inTenant(actor, async (tx) => presentOne(tx, await find(tx, actor, id))),
    )
  const insert = (actor: Actor, input: Plain) =>
    inTenant(
      actor,
      async (tx) => {
        const extra = await options.beforeWrite?.(tx, { actor, input, before: undefined })
        const values = { ...pick(input, columns), ...extra, tenantId: actor.tenantId }
        const [stored] = await tx.db.insert(table).values(values).returning()
        if (!stored) throw new Error(`${resource.event}: nothing was inserted`)
        await options.afterWrite?.(tx, { id: String(stored.id), input, isNew: true })
        const after = await presentOne(tx, stored)
        await tell(tx, actor, 'created', { after })
        return after
      },
      true,
    )

  const update = (actor: Actor, id: string, { version, ...input }: Plain & { version?: number }) =>
    inTenant(
      actor,
      async (tx) => {
        const stored = await find(tx, actor, id, true)
        const before = await presentOne(tx, stored)
        if (version !== undefined && version !== before.version) {
          throw new AppError('ERR_CONFLICT', { details: { current: before, changed: differences(input, before) } })
        }
        const extra = await options.beforeWrite?.(tx, { actor, input, before: stored })
        const [saved] = await tx.db
          .update(table)
          .set({ ...pick(input, columns), ...extra, version: sql`${table.version} + 1`, updatedAt: sql`now()` })
          .where(and(eq(table.tenantId, actor.tenantId), eq(table.id, id)))
          .returning()
        if (!saved) throw new AppError('ERR_NOT_FOUND')
        await options.afterWrite?.(tx, { id, input, isNew: false })
        const after = await presentOne(tx, saved)
        await tell(tx, actor, 'updated', { before, after })
        return after
      },
      true,
    )

  const remove = (actor: Actor, id: string) =>
    inTenant(
      actor,
      async (tx) => {
        const stored = await find(tx, actor, id, true)
        await options.beforeDelete?.(actor, stored, tx)
        const before = await presentOne(tx, stored)
        await tx.db.delete(table).where(and(eq(table.tenantId, actor.tenantId), eq(table.id, id)))
        await tell(tx, actor, 'deleted', { before })
      },
      true,
      (error) => inUseProblem(actor, id, error),
    )

  /** Who still uses the row that was to go, counted: the refusal says what has to change first. */
  const inUseProblem = async (actor: Actor, id: string, error: unknown): Promise<unknown> => {
    const using = stillUsing(error)
    const known = using && options.inUse?.[using.table]
    if (!known) return error
    if (!using.column) return new AppError(known.code)
    const [row] = await withTenant(actor.tenantId, async ({ db }) => {
      const { rows } = await db.execute<{ uses: number }>(
        sql`select count(*)::int as uses from ${sql.identifier(using.table)}
            where tenant_id = ${actor.tenantId} and ${sql.identifier(using.column)} = ${id}`,
      )
      return rows
    })
    return new AppError(known.code, { message: known.says(row?.uses ?? 1) })
  }

  /** Each row stands alone, in its own transaction: what is refused does not bring back what was deleted. */
  const removeMany = async (actor: Actor, ids: string[]) => {
    const [deleted, refused]: [string[], { id: string; error: string }[]] = [[], []]
    for (const id of new Set(ids)) {
      try {
        await remove(actor, id)
        deleted.push(id)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        refused.push({ id, error: error.code })
      }
    }
    return { deleted, refused }
  }

  return { present, presentOne, where, find, inTenant, create, update, remove, removeMany }
}

/** Emits by a name put together from the resource's; the contract must know it, and its payload. */
const emitNamed = (tx: Tx, name: string, payload: unknown, audience: Audience) => {
  if (!isEventName(name)) throw new Error(`The contract has no event ${name}`)
  return emit(tx, name, events[name].parse(payload) as EventPayload<typeof name>, audience)
}
const isEventName = (name: string): name is EventName => name in events
