import { isDeepStrictEqual } from 'node:util'
import type { Assistant, assistantResource } from '@balcao/contract/automation/assistants/assistants.ts'
import { type AssistantConfig, assistantConfig } from '@balcao/contract/automation/assistants/config.ts'
import { type BotName, botNames } from '@balcao/contract/conversations/tickets.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { assistants } from '../../../db/schema/automation/assistants.ts'
import type { CrudOptions } from '../../../kit/crud-rows.ts'
import { checkEgressUrl } from '../../../kit/egress.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { type Directory, getDirectory, invalidateDirectory } from '../../core/directory/directory.ts'
import { pixKey } from '../flows/pix.ts'
import { nextNight } from './next-night.ts'

type Stored = typeof assistants.$inferSelect

export const assistantOptions: CrudOptions<typeof assistantResource, typeof assistants> = {
  table: assistants,
  search: [assistants.name, assistants.description],
  beforeWrite: async (tx, { actor, before, input }) => {
    const directory = await getDirectory(tx.tenantId)
    checkPlaces(directory, input)
    if (input.config) await checkConfig(tx, directory, input.config)
    if (!before) {
      const [row] = await tx.rows<{ count: number }>(howMany, [tx.tenantId])
      if ((row?.count ?? 0) >= mostAssistants)
        throw fieldErrors({ path: 'name', message: `A empresa já tem ${mostAssistants} assistentes. Exclua algum.` })
      return { userId: actor.userId, config: input.config ?? assistantConfig.parse({}) }
    }
    const isChanged = input.config && !isDeepStrictEqual(input.config, before.config)
    const { evaluatesNightly: nightly = before.evaluatesNightly } = input
    return {
      ...(isChanged && { revision: before.revision + 1 }),
      ...(nightly !== before.evaluatesNightly && {
        evaluateAt: nightly && before.publishedId ? nextNight(directory.timezone) : null,
      }),
    }
  },
  present: (tx, rows) => presentAssistants(tx, rows),
  afterCommit: invalidateDirectory,
}
const mostAssistants = 100

export const presentAssistants = async (
  tx: Tx,
  rows: Stored[],
): Promise<(Stored & Omit<Assistant, keyof Stored>)[]> => {
  type Told = {
    id: string
    published: (NonNullable<Assistant['published']> & { revision: number }) | null
    numbers: Assistant['numbers']
    monthMicros: number
  }
  const { timezone } = await getDirectory(tx.tenantId)
  const month = `${wallTimeOf(new Date(), timezone).slice(0, 7)}-01`
  const found = await tx.rows<Told>(told, [tx.tenantId, rows.map(({ id }) => id), month])
  const byId = new Map(found.map((one) => [one.id, one]))
  return rows.map((row) => {
    const {
      published = null,
      numbers = { answered: 0, handedOver: 0, costMicros: 0, ms: 0 },
      monthMicros = 0,
    } = byId.get(row.id) ?? {}
    return {
      ...row,
      // What a schema has learned since it was stored.
      config: assistantConfig.parse(row.config),
      published: published && { ...published, at: new Date(published.at).toISOString() },
      isChanged: published?.revision !== row.revision,
      numbers,
      monthMicros,
    }
  })
}

/** Channels and queues it works in are there. */
const checkPlaces = (
  { connections, queues }: Directory,
  { connectionIds = [], queueIds = [] }: { connectionIds?: string[]; queueIds?: string[] },
) => {
  if (connectionIds.some((id) => !connections.has(id)))
    throw fieldErrors({ path: 'connectionIds', message: 'Um dos canais não existe mais.' })
  if (queueIds.some((id) => !queues.has(id)))
    throw fieldErrors({ path: 'queueIds', message: 'Uma das filas não existe mais.' })
}

/** What a draft names is there, of this company, and addresses are ones that may be called. */
export const checkConfig = async (tx: Tx, directory: Directory, config: AssistantConfig) => {
  const problems = await problemsOf(tx, directory, config)
  if (problems.length) throw fieldErrors(...problems)
}
const problemsOf = async (tx: Tx, directory: Directory, config: AssistantConfig): Promise<FieldProblem[]> => {
  const { knowledgeIds, grants, handOver, accountsByConnection } = config
  const integrationIds = [...new Set([config, ...accountsByConnection].flatMap((one) => one.integrationIds))]
  const [named] = await tx.rows<Named>(namedRows, [
    ...[tx.tenantId, integrationIds, knowledgeIds],
    grants.flatMap((one) => (one.kind === 'opportunity' ? [one.stageId] : [])),
  ])
  const problems: FieldProblem[] = []
  for (const [at, { connectionId }] of accountsByConnection.entries())
    if (!directory.connections.has(connectionId))
      problems.push({ path: `config.accountsByConnection.${at}.connectionId`, message: 'Este canal não existe mais.' })
  if (named?.accounts !== integrationIds.length)
    problems.push({ path: 'config.integrationIds', message: 'Um dos provedores não existe mais.' })
  if (named?.bases !== new Set(knowledgeIds).size)
    problems.push({ path: 'config.knowledgeIds', message: 'Uma das bases não existe mais.' })
  if (handOver.queueId && !directory.queues.has(handOver.queueId))
    problems.push({ path: 'config.handOver.queueId', message: 'Esta fila não existe mais.' })
  for (const [at, grant] of grants.entries()) {
    const say = (field: string, message: string) => problems.push({ path: `config.grants.${at}.${field}`, message })
    if ('tagIds' in grant && grant.tagIds.some((id) => !directory.tags.has(id)))
      say('tagIds', 'Uma das etiquetas não existe mais.')
    if ('queueIds' in grant && grant.queueIds.some((id) => !directory.queues.has(id)))
      say('queueIds', 'Uma das filas não existe mais.')
    if ('reasonIds' in grant && grant.reasonIds.some((id) => !directory.reasons.has(id)))
      say('reasonIds', 'Um dos motivos não existe mais.')
    if (grant.kind === 'opportunity' && !named?.stages.includes(grant.stageId))
      say('stageId', 'Esta etapa não existe mais.')
    if (grant.kind === 'calendar' && !named?.calendars.includes(grant.calendarId))
      say('calendarId', 'Escolha uma agenda que exista.')
    if (grant.kind === 'pix' && !pixKey(grant.key)) say('key', 'Esta chave Pix não é válida.')
    if (grant.kind === 'orders') {
      const problem = addressProblem(grant.url)
      if (problem) say('url', problem)
    }
  }
  return problems
}
const addressProblem = (url: string): string | undefined => {
  try {
    checkEgressUrl(url)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The flag that stands for the account that answers first. */
export const botOfKind = (kind: string): BotName => {
  const name = kind.replaceAll('-', '')
  return botNames.find((one) => one === name) ?? 'lm'
}
export const botOfConfig = async (tx: Tx, { integrationIds: [first] }: AssistantConfig): Promise<BotName | null> => {
  if (!first) return null
  const [row] = await tx.rows<{ kind: string }>(kindOf, [tx.tenantId, first])
  return row ? botOfKind(row.kind) : null
}

const told: Prepared = {
  name: 'assistants_told',
  text: `select a.id,
      (select jsonb_build_object('id', v.id, 'number', v.number, 'at', v.created_at, 'note', v.note, 'revision', v.revision,
          'user', (select jsonb_build_object('id', u.id, 'name', u.name) from users u where u.tenant_id = v.tenant_id and u.id = v.user_id))
        from assistant_versions v where v.tenant_id = a.tenant_id and v.id = a.published_id) as published,
      (select jsonb_build_object('answered', count(*) filter (where r.outcome = 'answered'), 'handedOver', count(*) filter (where r.outcome = 'handedOver'),
          'costMicros', coalesce(sum(r.cost_micros), 0), 'ms', coalesce(round(avg(r.ms)), 0))
        from assistant_runs r where r.tenant_id = a.tenant_id and r.assistant_id = a.id
          and r.created_at > now() - interval '30 days') as numbers,
      (select coalesce(sum(d.cost_micros), 0)::bigint from ai_days d
        where d.tenant_id = a.tenant_id and d.assistant_id = a.id and d.day >= $3::date) as "monthMicros"
    from assistants a where a.tenant_id = $1 and a.id = any($2::uuid[])`,
}
const howMany: Prepared = {
  name: 'assistants_count',
  text: 'select count(*)::int as count from assistants where tenant_id = $1',
}
type Named = { accounts: number; bases: number; stages: string[]; calendars: string[] }
const namedRows: Prepared = {
  name: 'assistant_named_rows',
  text: `select (select count(*)::int from integrations where tenant_id = $1 and id = any($2::uuid[])) as accounts,
      (select count(*)::int from knowledge_bases where tenant_id = $1 and id = any($3::uuid[])) as bases,
      array(select id::text from stages where tenant_id = $1 and id = any($4::uuid[])) as stages,
      array(select id::text from integrations where tenant_id = $1 and family = 'calendar') as calendars`,
}
const kindOf: Prepared = {
  name: 'assistant_first_account',
  text: 'select kind from integrations where tenant_id = $1 and id = $2',
}
