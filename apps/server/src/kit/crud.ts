import { id as idSchema, pageOf, pageQuery, queryFlag } from '@balcao/contract/common.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import { type EventName, type EventPayload, events } from '@balcao/contract/events.ts'
import { oneNamed, type Resource, type RowOf, type WriteOf } from '@balcao/contract/resource.ts'
import { and, asc, desc, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type Tx, withTenant } from '../db/database.ts'
import type { Actor } from './actor.ts'
import { writeAudit } from './audit.ts'
import { type CsvColumn, csvHeaders, toCsv } from './csv.ts'
import { likePattern, readCursor, toPage } from './cursor.ts'
import { databaseProblem, stillUsing } from './database-problem.ts'
import { AppError } from './errors.ts'
import type { Routes } from './http.ts'
import { type Audience, emit } from './outbox.ts'

type CrudTable = PgTable & Record<'tenantId' | 'id' | 'version' | 'createdAt' | 'updatedAt', PgColumn>

/** A write as slots see it; `before` is undefined on create. */
type Writing<Stored, Written> = { actor: Actor; input: Written; before: Stored | undefined }

export type CrudOptions<R extends Resource, T extends CrudTable> = {
  table: T
  /** What `searchParam` looks in, accents and case folded. */
  search: PgColumn[]
  csv: CsvColumn<RowOf<R>>[]
  /** Rows of the company this person may know of; the others are not there. Everything when not given. */
  visible?: (actor: Actor) => SQL | undefined
  /** What to answer when so many rows of these tables still point here; ERR_IN_USE for the others. */
  inUse?: Partial<Record<string, { code: ErrorCode; says: (uses: number) => string }>>
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

const pageSize = 40
const exportLimit = 50_000
const bulkLimit = 200

/**
 * The routes of a resource: list with search, order and pages by key; read, create, update, delete, bulk delete, CSV.
 * Every write leaves an audit row and an event in its own transaction. Columns of `resource.sort` are never null.
 */
export const crud = <R extends Resource, T extends CrudTable>(resource: R, options: CrudOptions<R, T>): Routes =>
  routesOf(resource, options as unknown as PlainOptions) // inside, rows are plain records; the slots' types meet them at this one door

type Plain = Record<string, unknown>
type PlainRow = Plain & { id: string; version: number }
type PlainOptions = CrudOptions<Resource, CrudTable>

const routesOf = (resource: Resource, options: PlainOptions): Routes => {
  const { path, row, write, can, label } = resource
  const one = oneNamed(label)
  const many = label.many.toLowerCase()
  const { table, afterCommit } = options
  const columns: Record<string, PgColumn> = getTableColumns(table)
  const page = listStatement(resource, options, columns)

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

  const params = z.object({ id: idSchema })
  const bulkBody = z.object({ ids: z.array(idSchema).min(1).max(bulkLimit) })
  const bulkAnswer = z.object({
    deleted: z.array(idSchema),
    refused: z.array(z.object({ id: idSchema, error: z.string() })),
  })
  const patch = patchOf(write)

  return (app) => {
    app.get(
      path,
      {
        config: { can: can.read, summary: `Listar ${many}` },
        schema: { querystring: page.query, response: { 200: pageOf(row) } },
      },
      (req) =>
        inTenant(req.actor, async (tx) => {
          const { rows, count, limit, keyOf } = await page.read(tx, where(req.actor), req.query)
          const { items, hasMore, nextCursor } = toPage(rows, limit, keyOf)
          const presented = await present(tx, items)
          return { items: presented, hasMore, nextCursor, ...(count === undefined ? {} : { count }) }
        }),
    )
    app.get(
      `${path}/export.csv`,
      {
        config: { can: can.read, summary: `Exportar ${many} em CSV`, gives: 'text/csv' },
        schema: { querystring: page.query },
      },
      async (req, reply) => {
        const rows = await inTenant(req.actor, async (tx) => {
          const wanted = { ...req.query, limit: exportLimit, cursor: undefined, pageNumber: 1, count: false }
          const read = await page.read(tx, where(req.actor), wanted)
          return present(tx, read.rows.slice(0, exportLimit))
        })
        const csv = toCsv(options.csv as unknown as CsvColumn<PlainRow>[], rows) // the same door as above
        return reply.headers(csvHeaders(path.slice(1))).send(csv)
      },
    )
    app.get(
      `${path}/:id`,
      { config: { can: can.read, summary: `Ler ${one}` }, schema: { params, response: { 200: row } } },
      (req) => inTenant(req.actor, async (tx) => presentOne(tx, await find(tx, req.actor, req.params.id))),
    )
    app.post(
      path,
      {
        config: { can: can.write, summary: `Criar ${one}`, errors: ['ERR_DUPLICATED'] },
        schema: { body: write, response: { 201: row } },
      },
      async (req, reply) => reply.status(201).send(await create(req.actor, req.body)),
    )
    app.put(
      `${path}/:id`,
      {
        config: { can: can.write, summary: `Atualizar ${one}`, errors: ['ERR_CONFLICT', 'ERR_DUPLICATED'] },
        schema: { params, body: patch, response: { 200: row } },
      },
      (req) => update(req.actor, req.params.id, req.body),
    )
    app.delete(
      `${path}/:id`,
      {
        config: {
          can: can.write,
          summary: `Excluir ${one}`,
          errors: ['ERR_IN_USE', ...Object.values(options.inUse ?? {}).flatMap((use) => use?.code ?? [])],
        },
        schema: { params, response: { 204: z.void() } },
      },
      async (req, reply) => {
        await remove(req.actor, req.params.id)
        return reply.status(204).send()
      },
    )
    app.post(
      `${path}/bulk-delete`,
      {
        config: { can: can.write, summary: `Excluir ${label.feminine ? 'várias' : 'vários'} ${many}` },
        schema: { body: bulkBody, response: { 200: bulkAnswer } },
      },
      (req) => removeMany(req.actor, req.body.ids),
    )
  }
}

/** The list's question and its statement. Text is ordered without accents or case, and the id settles ties. */
const listStatement = ({ sort }: Resource, { table, search }: PlainOptions, columns: Record<string, PgColumn>) => {
  const query = pageQuery.extend({
    sort: z.enum(sort).default(sort[0]),
    direction: z.enum(['asc', 'desc']).default('asc'),
    /** Where rows can be inactive. */
    isActive: queryFlag.optional(),
  })
  type Asked = z.output<typeof query>

  const read = async (tx: Tx, allowed: SQL | undefined, asked: Asked) => {
    const limit = asked.limit ?? pageSize
    const column = columns[asked.sort]
    if (!column) throw new Error(`No column ${asked.sort} to order by`)
    const isText = column.dataType === 'string'
    const key = isText ? sql<string>`norm(${column})` : sql<Date>`${column}`.mapWith(column)
    const matching = and(
      allowed,
      asked.isActive === undefined || !columns.isActive ? undefined : eq(columns.isActive, asked.isActive),
      asked.searchParam
        ? or(...search.map((one) => sql`norm(${one}) like norm(${likePattern(asked.searchParam)})`))
        : undefined,
    )
    const order = asked.direction === 'asc' ? asc : desc
    const rows = await tx.db
      .select({ row: table, key: key.as('sort_key') })
      .from(table as PgTable)
      .where(and(matching, asked.cursor ? after(asked, isText ? key : sql`${column}`, isText, table) : undefined))
      .orderBy(order(key), order(table.id))
      .limit(limit + 1)
      .offset(asked.cursor ? 0 : (asked.pageNumber - 1) * limit)
    const count = asked.count ? await tx.db.$count(table, matching) : undefined
    const keys = new Map(rows.map((one) => [one.row, one.key]))
    return {
      limit,
      count,
      rows: rows.map((one): Plain => one.row),
      keyOf: (one: Plain) => {
        const value = keys.get(one)
        return [value instanceof Date ? value.toISOString() : String(value), String(one.id)]
      },
    }
  }
  return { query, read }
}

/** The rows behind the cursor: `(key, id)` beyond the last one seen. */
const after = (asked: { cursor?: string; direction: 'asc' | 'desc' }, key: SQL, isText: boolean, table: CrudTable) => {
  const [value, id] = readCursor(asked.cursor ?? '', z.tuple([isText ? z.string() : z.iso.datetime(), idSchema]))
  const seen = isText ? sql`${value}::text` : sql`${value}::timestamptz`
  return asked.direction === 'asc'
    ? sql`(${key}, ${table.id}) > (${seen}, ${id}::uuid)`
    : sql`(${key}, ${table.id}) < (${seen}, ${id}::uuid)`
}

/** What an update may send: any of the fields, and the version it began with. A default belongs to creation; an absent field stays as it is. */
export const patchOf = <W extends z.ZodObject>(write: W) => {
  const shape = Object.entries(write.shape).map(([name, field]) => {
    const bare = field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? field.unwrap() : field
    return [name, z.optional(bare)]
  })
  const patch: z.ZodType = z.object({ ...Object.fromEntries(shape), version: z.int().positive().optional() })
  return patch as z.ZodType<Partial<z.output<W>> & { version?: number }> // built field by field, so TypeScript cannot follow
}

/** Emits by a name put together from the resource's; the contract must know it, and its payload. */
const emitNamed = (tx: Tx, name: string, payload: unknown, audience: Audience) => {
  if (!isEventName(name)) throw new Error(`The contract has no event ${name}`)
  return emit(tx, name, events[name].parse(payload) as EventPayload<typeof name>, audience)
}
const isEventName = (name: string): name is EventName => name in events

const pick = (input: Plain, columns: Record<string, PgColumn>): Plain =>
  Object.fromEntries(Object.entries(input).filter(([name, value]) => name in columns && value !== undefined))

/** Fields in which what was sent is not what is stored: what a 409 tells. */
export const differences = (input: Plain, current: Plain) =>
  Object.keys(input).filter((name) => input[name] !== undefined && !isEqual(input[name], current[name]))
const isEqual = (a: unknown, b: unknown) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
const sorted = (value: unknown) => (Array.isArray(value) ? [...value].sort() : (value ?? null))

const withTextDates = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  )

const asPlainRow = (row: Plain): PlainRow => ({ ...row, id: String(row.id), version: Number(row.version) })
