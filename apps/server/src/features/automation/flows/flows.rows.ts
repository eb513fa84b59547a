import type { Flow, flowResource } from '@balcao/contract/automation/flows/flows.ts'
import { readyFlowOf } from '@balcao/contract/automation/flows/gallery/index.ts'
import { newSettings } from '@balcao/contract/automation/flows/gallery/write.ts'
import { blankGraph, type FlowGraph } from '@balcao/contract/automation/flows/graph.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { chatFlows } from '../../../db/schema/automation/flows.ts'
import { counted } from '../../../kit/counted.ts'
import { withTextDates } from '../../../kit/crud-fields.ts'
import type { CrudOptions } from '../../../kit/crud-rows.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { parsePhone } from '../../contacts/contacts/phone.ts'
import { type Directory, getDirectory, invalidateDirectory } from '../../core/directory/directory.ts'
import { writeDraft } from './draft.rows.ts'

type Stored = typeof chatFlows.$inferSelect

export const flowOptions: CrudOptions<typeof flowResource, typeof chatFlows> = {
  table: chatFlows,
  search: [chatFlows.name, chatFlows.description],
  inUse: {
    chat_flow_runs: {
      code: 'ERR_IN_USE',
      says: (uses) =>
        `Este fluxo conduziu ${counted(uses, 'conversa', 'conversas')} nos últimos 90 dias e não pode ser excluído. Desative-o.`,
    },
  },
  beforeWrite: async (tx, { actor, before, input }) => {
    const { celularTeste } = input
    if (celularTeste && !parsePhone(celularTeste))
      throw fieldErrors({ path: 'celularTeste', message: 'Informe um celular com DDD, como (11) 98765-4321.' })
    const phone = celularTeste !== undefined && { celularTeste: celularTeste && (parsePhone(celularTeste) ?? null) }
    if (before) return { ...phone, model: before.model }
    const [row] = await tx.rows<{ count: number }>(howMany, [tx.tenantId])
    if ((row?.count ?? 0) >= mostFlows)
      throw fieldErrors({ path: 'name', message: `A empresa já tem ${mostFlows} fluxos. Exclua algum.` })
    return { ...phone, userId: actor.userId, settings: graphOf(input).settings }
  },
  afterWrite: async (tx, { id, input, isNew }) => {
    if (isNew) await writeDraft(tx, id, { revision: 1, upserts: graphOf(input).nodes, removes: [], userId: null })
  },
  beforeDelete: async (_actor, { id }, tx) => {
    const starts = startsOf(await getDirectory(tx.tenantId), id).filter(({ kind }) => kind !== 'keyword')
    if (starts.length)
      throw new AppError('ERR_IN_USE', {
        message: `Este fluxo começa por ${starts.map(({ name }) => name).join(', ')}. Troque lá antes.`,
      })
    const [through] = await tx.rows<{ name: string }>(passingThrough, [tx.tenantId, id, `%${id}%`])
    if (through)
      throw new AppError('ERR_IN_USE', { message: `O fluxo ${through.name} passa por este. Troque lá antes.` })
    await tx.rows(forget, [tx.tenantId, id])
  },
  present: async (tx, rows) => presentFlows(tx, rows),
  afterCommit: invalidateDirectory,
}
const mostFlows = 300

/** What a new one begins with: the steps of another or of a ready one, where it is made of one. */
const graphOf = (input: { model?: string | null }): FlowGraph => {
  if ('graph' in input) return input.graph as FlowGraph // as duplicateFlow gives it
  if (!input.model) return { ...blankGraph(), settings: newSettings() }
  const ready = readyFlowOf(input.model)
  if (!ready) throw fieldErrors({ path: 'model', message: 'Este fluxo pronto não existe.' })
  return ready.graph()
}

export const presentFlows = async (tx: Tx, rows: Stored[]): Promise<(Stored & Omit<Flow, keyof Stored>)[]> => {
  const directory = await getDirectory(tx.tenantId)
  const found = await tx.rows<Told>(told, [tx.tenantId, rows.map(({ id }) => id)])
  const byId = new Map(found.map((one) => [one.id, one]))
  return rows.map((row) => {
    const { published = null, running = 0 } = byId.get(row.id) ?? {}
    return {
      ...row,
      published: published && { ...published, at: new Date(published.at).toISOString() },
      isChanged: published?.revision !== row.revision,
      running,
      startsOn: startsOf(directory, row.id),
    }
  })
}
export const presentFlow = async (tx: Tx, row: Stored): Promise<Flow> => {
  const [presented] = await presentFlows(tx, [row])
  if (!presented) throw new AppError('ERR_NOT_FOUND')
  return withTextDates(presented) as unknown as Flow // dates are text now
}

/** Where it starts by itself. */
const startsOf = ({ connections, queues, settings, flows }: Directory, id: string): Flow['startsOn'] => [
  ...[...connections.values()].flatMap(({ name, chatFlowId }) =>
    chatFlowId === id ? { kind: 'connection' as const, name } : [],
  ),
  ...[...queues.values()].flatMap(({ name, chatFlowId }) =>
    chatFlowId === id ? { kind: 'queue' as const, name } : [],
  ),
  ...(settings.botTicketActive === id ? [{ kind: 'company' as const, name: 'Toda a empresa' }] : []),
  ...(flows.get(id)?.keywords ?? []).map(({ text }) => ({ kind: 'keyword' as const, name: text })),
]

type Told = { id: string; running: number; published: (NonNullable<Flow['published']> & { revision: number }) | null }
const told: Prepared = {
  name: 'chat_flows_told',
  text: `select f.id, (select count(*)::int from chat_flow_runs r where r.tenant_id = f.tenant_id and r.flow_id = f.id
        and r.ended_at is null) as running,
      (select jsonb_build_object('id', v.id, 'number', v.number, 'at', v.created_at, 'note', v.note, 'revision', v.revision,
          'user', (select jsonb_build_object('id', u.id, 'name', u.name) from users u where u.tenant_id = v.tenant_id and u.id = v.user_id))
        from chat_flow_versions v where v.tenant_id = f.tenant_id and v.id = f.published_id) as published
    from chat_flows f where f.tenant_id = $1 and f.id = any($2::uuid[])`,
}
const howMany: Prepared = {
  name: 'chat_flows_count',
  text: 'select count(*)::int as count from chat_flows where tenant_id = $1',
}
/** Another flow with a step that leads into this one, in its draft or in what runs. */
const passingThrough: Prepared = {
  name: 'chat_flow_passed_through',
  text: `select f.name from chat_flows f where f.tenant_id = $1 and f.id <> $2::uuid
      and (exists (select from chat_flow_nodes n where n.tenant_id = f.tenant_id and n.flow_id = f.id and n.node::text like $3)
        or exists (select from chat_flow_versions v where v.tenant_id = f.tenant_id and v.id = f.published_id and v.nodes::text like $3))
    order by lower(f.name) limit 1`,
}
/** Channels that were deleted may still name it: they begin nothing any more. */
const forget: Prepared = {
  name: 'chat_flow_forget',
  text: `update connections set options = options - 'chatFlowId'
    where tenant_id = $1 and options ->> 'chatFlowId' = $2::text and deleted_at is not null`,
}
