import { type ModelKind, modelIntegrations } from '@balcao/contract/core/integrations/models.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { integrations } from '../db/schema/core/integrations.ts'
import { tenants } from '../db/schema/platform/companies.ts'
import { integrationConfig } from '../features/core/integrations/integrations.service.ts'

/** Where each wire is spoken, as `startLlmSimulator` has it. */
export type ModelAddresses = { openai: string; anthropic: string; gemini: string; ollama: string }

/** The shop's accounts of language models, its budget, and a month in which they were used. */
export const seedModels = async (tx: Tx, urls: ModelAddresses) => {
  const accounts: [kind: ModelKind, name: string, baseUrl: string, more: object][] = [
    ['chat-gpt', 'ChatGPT da loja', urls.openai, { wire: 'chat', audioModel: '', speechModel: 'tts-1' }],
    ['claude', 'Claude (reserva)', urls.anthropic, { forCopilot: false }],
    ['groqcloud', 'Groq, para os áudios', urls.openai, { forCopilot: false, audioModel: 'whisper-balcao' }],
  ]
  const made: string[] = []
  for (const [kind, name, baseUrl, more] of accounts) {
    const id = v7()
    const { check, seal } = integrationConfig[kind]
    const config = check({ apiKey: 'chave-da-demonstracao', model: 'balcao-pequeno', baseUrl, ...more })
    const { family } = modelIntegrations[kind]
    const checked = {
      state: 'working' as const,
      stateText: 'O modelo balcao-pequeno respondeu em 0,4 s.',
      checkedAt: new Date(),
    }
    await tx.db
      .insert(integrations)
      .values({ tenantId: tx.tenantId, id, family, kind, name, config: seal(id, config), ...checked })
    made.push(id)
  }
  const settings = { aiBudgetCents: 15_000, transcribeAudios: true }
  await tx.db
    .update(tenants)
    .set({ settings: sql`${tenants.settings} || ${JSON.stringify(settings)}::jsonb` })
    .where(sql`${tenants.id} = ${tx.tenantId}`)
  const [chat, , audio] = made
  await tx.db.execute(sql`insert into ai_usage (tenant_id, id, integration_id, kind, model, purpose, ticket_id, user_id, day, state, problem,
      input_tokens, output_tokens, cost_micros, ms, created_at, ended_at)
    select ${tx.tenantId}, gen_random_uuid(), case when p.is_audio then ${audio}::uuid else ${chat}::uuid end,
      case when p.is_audio then 'groqcloud' else 'chat-gpt' end, case when p.is_audio then 'whisper-balcao' else 'balcao-pequeno' end,
      case when p.is_audio then 'transcription' else 'copilot' end, t.id, case when p.is_audio then null else t.user_id end,
      (at at time zone 'America/Sao_Paulo')::date, case when n % 23 = 0 then 'failed' else 'done' end,
      case when n % 23 = 0 then 'network' end, case when p.is_audio then 0 else 700 + n * 37 % 900 end,
      case when p.is_audio then 0 else 90 + n * 13 % 220 end,
      case when n % 23 = 0 then 0 when p.is_audio then 2000 + n * 97 % 4000 else (700 + n * 37 % 900) * 9 + (90 + n * 13 % 220) * 45 end,
      400 + n * 53 % 2600, at, at + interval '2 seconds'
    from generate_series(1, 420) as n
    cross join lateral (select n % 5 = 0 as is_audio) p
    join lateral (select id, user_id, created_at, closed_at, row_number() over (order by md5(id::text)) as place from tickets
      where tenant_id = ${tx.tenantId} and not is_group and status = 'closed' and created_at > now() - interval '29 days') t on t.place = n
    cross join lateral (select t.created_at + (t.closed_at - t.created_at) * (20 + n * 37 % 70) / 100.0 as at) w`)
  await tx.db.execute(sql`insert into ai_days (tenant_id, day, purpose, assistant_id, integration_id, calls, failures, input_tokens, output_tokens, cost_micros)
    select tenant_id, day, purpose, '00000000-0000-0000-0000-000000000000', integration_id, count(*), count(*) filter (where state = 'failed'),
      sum(input_tokens), sum(output_tokens), sum(cost_micros) from ai_usage where tenant_id = ${tx.tenantId} group by 1, 2, 3, 5`)
}
