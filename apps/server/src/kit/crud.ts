import { chosenId, id as idSchema, pageOf } from '@balcao/contract/common.ts'
import { oneNamed, type Resource, type RowOf } from '@balcao/contract/resource.ts'
import { getTableColumns } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type PlainRow, patchOf } from './crud-fields.ts'
import { type CrudTable, listStatement } from './crud-list.ts'
import { type CrudOptions, type PlainOptions, rowsOf } from './crud-rows.ts'
import { type CsvColumn, csvHeaders, toCsv } from './csv.ts'
import { toPage } from './cursor.ts'
import type { Routes } from './http.ts'

const exportLimit = 50_000
const bulkLimit = 200

/**
 * The routes of a resource: list with search, order and pages by key; read, create, update, delete, bulk delete, CSV.
 * Every write leaves an audit row and an event in its own transaction. Columns of `resource.sort` are never null.
 */
export const crud = <R extends Resource, T extends CrudTable>(resource: R, options: CrudOptions<R, T>): Routes =>
  routesOf(resource, options as unknown as PlainOptions) // inside, rows are plain records; the slots' types meet them at this one door

const routesOf = (resource: Resource, options: PlainOptions): Routes => {
  const { path, row, write, can, label } = resource
  const one = oneNamed(label)
  const many = label.many.toLowerCase()
  const columns: Record<string, PgColumn> = getTableColumns(options.table)
  const page = listStatement(resource, options, columns)
  const { present, presentOne, where, find, inTenant, create, update, remove, removeMany } = rowsOf(
    resource,
    options,
    columns,
  )
  const csvColumns = (options.csv ?? namedColumns(resource)) as unknown as CsvColumn<PlainRow>[] // the same door as above

  const params = z.object({ id: idSchema })
  const bulkBody = z.object({ ids: z.array(idSchema).min(1).max(bulkLimit) })
  const bulkAnswer = z.object({
    deleted: z.array(idSchema),
    refused: z.array(z.object({ id: idSchema, error: z.string() })),
  })
  const patch = patchOf(write)
  const translate = async (req: { body: unknown }) => {
    if (options.fromOlder && isPlain(req.body)) req.body = options.fromOlder(req.body)
  }

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
        const csv = await inTenant(req.actor, async (tx) => {
          const wanted = { ...req.query, limit: exportLimit, cursor: undefined, pageNumber: 1, count: false }
          const read = await page.read(tx, where(req.actor), wanted)
          const rows = await present(tx, read.rows.slice(0, exportLimit))
          return options.csvOf?.(tx, rows as unknown as RowOf<Resource>[]) ?? toCsv(csvColumns, rows) // as `present` made them
        })
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
        schema: { body: write.safeExtend(chosenId), response: { 201: row } },
        preValidation: translate,
      },
      async (req, reply) => reply.status(201).send(await create(req.actor, req.body)),
    )
    app.put(
      `${path}/:id`,
      {
        config: { can: can.write, summary: `Atualizar ${one}`, errors: ['ERR_CONFLICT', 'ERR_DUPLICATED'] },
        schema: { params, body: patch, response: { 200: row } },
        preValidation: translate,
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

const namedColumns = ({ fields, label }: Resource): CsvColumn<PlainRow>[] => [
  ...Object.entries(fields).map(([name, text]) => ({ label: text ?? name, value: (row: PlainRow) => row[name] })),
  { label: label.feminine ? 'Criada em' : 'Criado em', value: (row) => row.createdAt },
]
const isPlain = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
