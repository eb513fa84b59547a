import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SourceKind } from '@balcao/contract/automation/assistants/knowledge.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { v7 } from 'uuid'
import { type Prepared, platformRows, type Tx, withTenant } from '../../../db/database.ts'
import { http } from '../../../kit/egress.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { createHeavy } from '../../../kit/heavy/heavy.ts'
import { log } from '../../../kit/log.ts'
import { leased, takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { readFileBytes } from '../../core/media/media.service.ts'
import { chunksOf, type Section, sectionsOfText } from './chunks.ts'
import { embedSource } from './embed-source.ts'
import type { DocumentInput, DocumentOutput } from './read-document.task.ts'

const readDocument = createHeavy<DocumentInput, never, DocumentOutput>(
  new URL('./read-document.task.ts', import.meta.url),
  {
    processes: 1,
    memoryMb: 700,
    timeMs: 120_000,
    mostWaiting: 50,
    niceness: 15,
  },
)

const batch = 4
const leaseS = 300
const mostTries = 3
const mostFileBytes = 50 * 1024 * 1024
const mostPageBytes = 5 * 1024 * 1024
const mostHops = 5

const dueNow = 'due_at <= now()'
export const isSourceDue = `select from knowledge_sources where ${dueNow}`

type Taken = {
  tenantId: number
  id: string
  baseId: string
  kind: SourceKind
  name: string
  url: string | null
  mediaId: string | null
  body: string
  refreshHours: number | null
  attempts: number
}

/** Reads what is due into passages: a new source, a text that changed, a page whose time has come. */
export const readDueSources = async (): Promise<Round> => {
  const taken = await platformRows<Taken>(take, [batch, leaseS])
  for (const one of taken) await attempt(one)
  return { did: taken.length, isMore: taken.length === batch }
}

/** It cannot be read as it is: trying again is of no use. */
class Unreadable extends Error {}

const attempt = async (source: Taken) => {
  const { tenantId, id } = source
  try {
    const { title, sections } = await read(source)
    const chunks = chunksOf(sections)
    await withTenant(tenantId, (tx) => keepChunks(tx, source, title, chunks))
    await embedSource(source)
  } catch (error) {
    const told = error instanceof AppError ? sentenceOf(error) : error instanceof Error ? error.message : String(error)
    const isFinal = error instanceof Unreadable || error instanceof AppError || source.attempts >= mostTries
    log.warn({ err: error, tenantId, sourceId: id }, 'knowledge source not read')
    await withTenant(tenantId, (tx) =>
      tx.rows(fail, [tenantId, id, told.slice(0, 300), isFinal ? source.refreshHours : null, isFinal]),
    ).catch((again) => log.error({ err: again, tenantId, sourceId: id }, 'knowledge source not settled'))
  }
}

const read = async (source: Taken): Promise<{ title: string; sections: Section[] }> => {
  switch (source.kind) {
    case 'text':
      return { title: source.name, sections: sectionsOfText(source.body) }
    case 'quick':
      return { title: source.name, sections: await quickSections(source.tenantId) }
    case 'page':
      return readPage(source)
    case 'file': {
      if (!source.mediaId) throw new Unreadable('O arquivo não existe mais.')
      const { bytes, mime, name } = await readFileBytes(source.tenantId, source.mediaId)
      return inChild(source.tenantId, bytes, mime, name)
    }
  }
}

const readPage = async ({ tenantId, url }: Taken) => {
  const answer = await fetchPage(url ?? '')
  if (answer.status === 404 || answer.status === 410) throw new Unreadable('A página não existe mais.')
  if (answer.status >= 300) throw new Error(`A página respondeu ${answer.status}.`)
  const mime = (answer.headers['content-type'] ?? 'text/html').split(';')[0]?.trim() ?? ''
  return inChild(tenantId, answer.bytes, mime, '')
}

/** Follows where a page has moved to; each address is as guarded as the first. */
const fetchPage = async (url: string, hops = 0) => {
  const answer = await http(url, {
    headers: { accept: 'text/html, text/plain;q=0.8, application/pdf;q=0.7', 'user-agent': 'Balcao/1.0 (+leitor)' },
    timeoutMs: 30_000,
    maxBytes: mostPageBytes,
  })
  const { location } = answer.headers
  if (answer.status < 300 || answer.status >= 400 || !location) return answer
  const next = URL.parse(location, url)
  if (hops === mostHops || !next || !/^https?:$/.test(next.protocol))
    throw new Unreadable(`A página leva a outro endereço: ${location.slice(0, 200)}`)
  return fetchPage(next.href, hops + 1)
}

const inChild = async (tenantId: number, bytes: Buffer, mime: string, name: string) => {
  if (bytes.length > mostFileBytes) throw new Unreadable('O arquivo passa de 50 MB. Divida-o em partes.')
  const path = join(tmpdir(), `balcao-${randomUUID()}`)
  await writeFile(path, bytes, { mode: 0o600 })
  try {
    const output = await readDocument(tenantId, { input: { path, mime, name } })
    if ('refusal' in output) throw new Unreadable(output.refusal)
    return output
  } finally {
    await rm(path, { force: true })
  }
}

const quickSections = (tenantId: number) =>
  withTenant(tenantId, async (tx) =>
    (await tx.rows<{ key: string; message: string }>(quick, [tenantId])).map(({ key, message }) => ({
      heading: key,
      body: impersonal(message),
    })),
  )

/** What is filled in when a person sends it is no part of what the company knows: “Olá, {{primeiro_nome}}!” */
const impersonal = (message: string) => message.replace(/,?[^\S\n]*\{\{[^{}]*\}\}/g, '')

const keepChunks = async (
  tx: Tx,
  { id, baseId, kind, name, refreshHours }: Taken,
  title: string,
  chunks: Section[],
) => {
  const rows = chunks.map(({ heading, body }, position) => ({
    ...{ id: v7(), position, heading: clean(heading), body: clean(body) },
  }))
  await tx.rows(replace, [tx.tenantId, baseId, id, JSON.stringify(rows)])
  const shown = kind === 'page' && title ? cutText(clean(title), 120) : name
  await tx.rows(settle, [tx.tenantId, id, shown, kind === 'quick' ? 6 : refreshHours])
}
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()

const take: Prepared = {
  name: 'knowledge_sources_take',
  text: takeDue({
    table: 'knowledge_sources',
    key: ['tenant_id', 'id'],
    where: dueNow,
    order: 'due_at',
    set: leased('due_at'),
    returning: `q.tenant_id as "tenantId", q.id, q.base_id as "baseId", q.kind, q.name, q.url, q.media_id as "mediaId", q.body,
      q.refresh_hours as "refreshHours", q.attempts`,
  }),
}
/** What a passage means is paid for: one that says what another said before keeps it. */
const replace: Prepared = {
  name: 'knowledge_chunks_replace',
  text: `with gone as (
      delete from knowledge_chunks where tenant_id = $1 and source_id = $3 returning heading, body, embedding, embedded_by
    ), known as (select distinct on (heading, body) * from gone where embedding is not null)
    insert into knowledge_chunks (tenant_id, id, base_id, source_id, position, heading, body, embedding, embedded_by)
    select $1, c.id, $2, $3, c.position, c.heading, c.body, k.embedding, k.embedded_by
    from jsonb_to_recordset($4::jsonb) as c(id uuid, position int, heading text, body text)
      left join known k on k.heading = c.heading and k.body = c.body`,
}
const settle: Prepared = {
  name: 'knowledge_source_settle',
  text: `update knowledge_sources set state = 'ready', problem = null, attempts = 0, read_at = now(), name = $3,
      due_at = case when $4::int is not null then now() + make_interval(hours => $4::int) end
    where tenant_id = $1 and id = $2`,
}
/** What was read before stays to be found. */
const fail: Prepared = {
  name: 'knowledge_source_fail',
  text: `update knowledge_sources set state = case when $5 then 'failed' else state end, problem = $3,
      attempts = case when $5 then 0 else attempts end,
      due_at = case when not $5 then now() + make_interval(secs => 30 * attempts)
        when $4::int is not null then now() + make_interval(hours => $4::int) end
    where tenant_id = $1 and id = $2`,
}
const quick: Prepared = {
  name: 'knowledge_quick_messages',
  text: `select q.key, q.message from quick_messages q where q.tenant_id = $1 and q.scope = 'everyone' and q.is_active order by q.key limit 2000`,
}
