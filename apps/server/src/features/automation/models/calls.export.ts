import { type AiCall, aiCallStateLabels, aiPurposeLabels, aiSpendingQuery } from '@balcao/contract/automation/models.ts'
import { integrations } from '@balcao/contract/core/integrations/index.ts'
import { z } from 'zod'
import { type Prepared, readTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { beyondAll, readCursor, toPage } from '../../../kit/cursor.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'

type Line = Pick<
  AiCall,
  'id' | 'kind' | 'model' | 'purpose' | 'state' | 'inputTokens' | 'outputTokens' | 'costMicros' | 'ms'
> & {
  createdAt: Date
  account: string | null
  assistant: string | null
  protocol: string | null
  person: string | null
}
const decimal = (value: number, most: number) => value.toFixed(most).replace('.', ',')
const columnsIn = (timezone: string): CsvColumn<Line>[] => {
  const moment = momentText(timezone, 'medium')
  return [
    { label: 'Quando', value: (row) => moment(row.createdAt.toISOString()) },
    { label: 'Para quê', value: (row) => aiPurposeLabels[row.purpose] },
    { label: 'Provedor', value: (row) => integrations[row.kind].label },
    { label: 'Conta', value: (row) => row.account ?? 'Conta excluída' },
    { label: 'Modelo', value: (row) => row.model },
    { label: 'Assistente', value: (row) => row.assistant },
    { label: 'Protocolo', value: (row) => row.protocol },
    { label: 'Pessoa', value: (row) => row.person },
    { label: 'Situação', value: (row) => aiCallStateLabels[row.state] },
    { label: 'Tokens de entrada', value: (row) => row.inputTokens },
    { label: 'Tokens de saída', value: (row) => row.outputTokens },
    { label: 'Custo (R$)', value: (row) => decimal(row.costMicros / 1_000_000, 6) },
    { label: 'Tempo (s)', value: (row) => (row.ms === null ? '' : decimal(row.ms / 1_000, 1)) },
  ]
}

type Asked = z.output<typeof aiSpendingQuery>
/** What was asked of models, one call a line: no words of anybody. */
export const aiCallsCsv = defineCsvExport<Asked, Line>({
  kind: 'exportAiCalls',
  can: 'settings.write',
  params: aiSpendingQuery,
  file: 'uso-de-ia',
  columns: ({ timezone }) => columnsIn(timezone),
  count: async ({ tenantId }, { from, to }) => {
    const [rows = []] = await readTenant(tenantId, [countCalls, [tenantId, from, to]])
    return (rows as { count: number }[])[0]?.count ?? 0
  },
  read: (actor, query) => readCalls(actor, query),
  audit: ({ from, to }) => ({
    ...{ action: 'aiCall.exported', entity: 'aiCall', entityId: '' },
    after: { from, to },
  }),
})

const readCalls = async (
  { tenantId }: Pick<Actor, 'tenantId'>,
  { from, to, cursor, limit }: Asked & { cursor: string | undefined; limit: number },
) => {
  const [at, id] = cursor ? readCursor(cursor, callKey) : [beyondAll.moment, beyondAll.id]
  const [rows = []] = await readTenant(tenantId, [calls, [tenantId, from, to, at, id, limit + 1]])
  return toPage(rows as Line[], limit, (row) => [row.createdAt.toISOString(), row.id])
}
const callKey = z.tuple([z.iso.datetime(), z.uuid()])

/** A day is the company's: its calls were made within a day of it by any clock. */
const inDays = `u.tenant_id = $1 and u.day between $2::date and $3::date
      and u.created_at >= $2::date - interval '1 day' and u.created_at < $3::date + interval '2 days'`
const countCalls: Prepared = {
  name: 'ai_calls_count',
  text: `select count(*)::int as count from ai_usage u where ${inDays}`,
}
const calls: Prepared = {
  name: 'ai_calls_export',
  text: `select u.id, u.kind, u.model, u.purpose, u.state, u.input_tokens as "inputTokens", u.output_tokens as "outputTokens",
      u.cost_micros as "costMicros", u.ms, u.created_at as "createdAt", i.name as account, a.name as assistant, t.protocol, p.name as person
    from ai_usage u
      left join integrations i on i.tenant_id = u.tenant_id and i.id = u.integration_id
      left join assistants a on a.tenant_id = u.tenant_id and a.id = u.assistant_id
      left join tickets t on t.tenant_id = u.tenant_id and t.id = u.ticket_id
      left join users p on p.tenant_id = u.tenant_id and p.id = u.user_id
    where ${inDays} and (u.created_at, u.id) < ($4::timestamptz, $5::uuid)
    order by u.created_at desc, u.id desc limit $6`,
}
