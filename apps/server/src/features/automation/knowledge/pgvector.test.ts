import fs from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { vector } from '@electric-sql/pglite-pgvector'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { migrationsFolder, prepare } from '../../../db/migrate.ts'

const { seedTenant, withTenant } = await startTestApp()
const { byMeaning } = await import('./by-meaning.ts')
const pgvector = await PGlite.create({ extensions: { btree_gin, pg_trgm, unaccent, vector } })
afterAll(() => pgvector.close())

const dimensions = 64
const random = (() => {
  let seed = 7
  return () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
})()
const someEmbedding = () => Array.from({ length: dimensions }, () => random() * 2 - 1)
const arrayOf = (embedding: readonly number[]) => `{${embedding.join(',')}}`

test('a server with pgvector finds the same passages as one without, in the same order, and of any number', async () => {
  await pgvector.exec(prepare('segredo'))
  const files = fs.readdirSync(migrationsFolder).filter((file) => file.endsWith('.sql'))
  for (const file of files.sort()) await pgvector.exec(fs.readFileSync(path.join(migrationsFolder, file), 'utf8'))
  const [extension] = (await pgvector.query("select extversion from pg_extension where extname = 'vector'")).rows
  expect(extension).toBeDefined()

  const { tenantId } = await seedTenant()
  const [base, source] = [v7(), v7()]
  const question = someEmbedding()
  const chunks = Array.from({ length: 40 }, (_, n) => ({
    id: v7(),
    // The further on, the less it has of the question; the last ones are of another size, and nothing at all.
    embedding: someEmbedding().map((value, at) => value * (n / 20) + (question[at] ?? 0)),
  }))
  chunks.push({ id: v7(), embedding: [1, 2, 3] }, { id: v7(), embedding: question.map(() => 0) })
  type Ask = (text: string, values?: unknown[]) => Promise<unknown[]>
  const fill = async (ask: Ask) => {
    await ask(`insert into knowledge_bases (tenant_id, id, name) values ($1, $2, 'Loja')`, [tenantId, base])
    const values = [tenantId, source, base]
    await ask(
      `insert into knowledge_sources (tenant_id, id, base_id, kind, name) values ($1, $2, $3, 'text', 'A')`,
      values,
    )
    for (const [at, { id, embedding }] of chunks.entries())
      await ask(
        `insert into knowledge_chunks (tenant_id, id, base_id, source_id, position, body, embedding, embedded_by)
        values ($1, $2, $3, $4, $5, 'Um trecho', $6::real[], 'lm:um')`,
        [tenantId, id, base, source, at, arrayOf(embedding)],
      )
  }
  const most = (count: number) => [tenantId, [base], 'lm:um', arrayOf(question), 0.1, 0.9, 0.35, 6, count]
  const ids = (rows: unknown[]) => rows.map((row) => (row as { chunkId: string }).chunkId)
  const scores = (rows: unknown[]) => rows.map((row) => (row as { score: number }).score)

  const withIt: Ask = async (text, values) => (await pgvector.query(text, values)).rows
  await withIt(`insert into tenants (id, name) values ($1, 'Loja')`, [tenantId])
  await fill(withIt)
  const without = await withTenant(tenantId, async (tx) => {
    const ask: Ask = (text, values = []) => tx.rows({ name: '', text }, values)
    await fill(ask)
    return { few: await ask(byMeaning.text, most(1_000)), many: await ask(byMeaning.text, most(10)) }
  })
  const found = await withIt(byMeaning.text, most(1_000))
  expect(found).toHaveLength(6)
  expect(found[0]).toMatchObject({ chunkId: chunks[0]?.id })
  expect(ids(found)).toEqual(ids(without.few))
  for (const [at, score] of scores(found).entries()) expect(score).toBeCloseTo(scores(without.few)[at] ?? 0, 5)
  expect(ids(await withIt(byMeaning.text, most(10)))).toEqual(ids(found))
  expect(without.many).toEqual([])
}, 240_000)
