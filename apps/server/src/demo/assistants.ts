import { assistantConfig } from '@balcao/contract/automation/assistants/config.ts'
import { integrations as kinds } from '@balcao/contract/core/integrations/index.ts'
import { plainWords } from '@balcao/contract/core/plain-words.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import {
  assistantCases,
  assistantEvaluations,
  assistantRuns,
  assistants,
  assistantVersions,
} from '../db/schema/automation/assistants.ts'
import { knowledgeBases, knowledgeGaps, knowledgeSources } from '../db/schema/automation/knowledge.ts'
import { integrations } from '../db/schema/core/integrations.ts'
import { stepOf } from '../features/automation/assistants/make-answer.ts'
import { nextNight } from '../features/automation/assistants/next-night.ts'
import { integrationConfig } from '../features/core/integrations/integrations.service.ts'

const hour = 3_600_000
const timezone = 'America/Sao_Paulo'
type Trade = {
  name: string
  persona: string
  prompt: string
  base: string
  texts: [string, string][]
  asked: [string, string][]
  gaps: string[]
}

const shop: Trade = {
  name: 'Aurora',
  persona: 'Você é a Aurora, da Loja Aurora. Fala com simpatia, chama o cliente pelo nome e vai direto ao ponto.',
  prompt:
    'Tire dúvidas de {{primeiro_nome}} sobre entregas, trocas, pagamento e horário da loja. Nunca invente prazos.',
  base: 'Perguntas da loja',
  texts: [
    [
      'Entregas e trocas',
      '# Entrega\nEntregas para a capital levam de 2 a 4 dias úteis depois do pagamento. Para o interior, até 8 dias úteis.\n\n# Troca\nA troca de tamanho, de cor ou de peça pode ser feita em até 30 dias, com a etiqueta na peça e a nota fiscal.\n\n# Frete\nO frete é grátis em compras acima de R$ 250,00.',
    ],
    [
      'Pagamento e horário',
      '# Pagamento\nAceitamos Pix, boleto e cartão em até 6 vezes sem juros.\n\n# Horário\nA loja abre de segunda a sexta, das 8h às 18h, e aos sábados até as 13h.',
    ],
  ],
  asked: [
    [
      'Qual o prazo de entrega para a capital?',
      'Entregas para a capital levam de 2 a 4 dias úteis depois do pagamento.',
    ],
    ['Posso trocar o tamanho?', 'Pode, sim: a troca é feita em até 30 dias, com a etiqueta na peça e a nota fiscal.'],
    ['Parcela em quantas vezes?', 'Em até 6 vezes sem juros no cartão. Também aceitamos Pix e boleto.'],
    ['Que horas vocês fecham no sábado?', 'Aos sábados atendemos até as 13h.'],
  ],
  gaps: [
    'Vocês fazem entrega no mesmo dia?',
    'Tem lista de presentes para casamento?',
    'Aceitam vale-presente de outra loja?',
  ],
}
const clinic: Trade = {
  name: 'Recepção virtual',
  persona: 'Você é a recepção da Clínica Horizonte. Fala com calma e cuidado.',
  prompt: 'Tire dúvidas de {{primeiro_nome}} sobre convênios, preparo de exames e horário. Nunca dê diagnóstico.',
  base: 'Perguntas da clínica',
  texts: [
    [
      'Convênios e preparo',
      '# Convênios\nAtendemos Unimed, Bradesco Saúde e SulAmérica.\n\n# Preparo\nPara exame de sangue, faça jejum de 8 horas. Água pode.\n\n# Horário\nA clínica atende de segunda a sexta, das 7h às 19h.',
    ],
  ],
  asked: [
    ['Vocês atendem Unimed?', 'Sim, atendemos Unimed, Bradesco Saúde e SulAmérica.'],
    ['Preciso de jejum para o exame?', 'Para exame de sangue, o jejum é de 8 horas. Água pode.'],
  ],
  gaps: ['Fazem ultrassom no domingo?', 'Tem estacionamento para cadeirantes?'],
}

type Given = { isShop: boolean; userId: string | null; llmUrl: string }
/** An account at the model of the demonstration, what it may know, and an assistant with a few days of answers. */
export const seedAssistants = async (tx: Tx, { isShop, userId, llmUrl }: Given) => {
  const { tenantId } = tx
  const trade = isShop ? shop : clinic
  const [account, baseId, id, versionId] = [v7(), v7(), v7(), v7()]
  const settings = kinds['chat-gpt'].config.parse({
    ...{ apiKey: 'sk-demonstracao', model: 'balcao-pequeno', wire: 'chat', baseUrl: llmUrl },
  })
  await tx.db.insert(integrations).values({
    ...{ tenantId, id: account, family: 'assistant', kind: 'chat-gpt', name: 'Modelo da demonstração' },
    config: integrationConfig['chat-gpt'].seal(account, settings),
  })
  const createdAt = new Date(Date.now() - 9 * 24 * hour)
  await tx.db.insert(knowledgeBases).values({ tenantId, id: baseId, name: trade.base, createdAt, updatedAt: createdAt })
  await tx.db
    .insert(knowledgeSources)
    .values([
      ...trade.texts.map(([name, body]) => ({ tenantId, baseId, kind: 'text' as const, name, body, createdAt })),
      { tenantId, baseId, kind: 'quick' as const, name: 'Mensagens rápidas', createdAt },
    ])
  const config = assistantConfig.parse({
    ...{ persona: trade.persona, prompt: trade.prompt, integrationIds: [account], knowledgeIds: [baseId] },
    ...{ budgetCents: 5_000 },
    ...{ grants: [{ kind: 'contact' }, { kind: 'priority' }, { kind: 'note' }], stopWords: ['parar'] },
  })
  await tx.db.insert(assistants).values({
    ...{
      tenantId,
      id,
      name: trade.name,
      description: 'Primeiras dúvidas, a qualquer hora.',
      config,
      bot: 'chatgpt',
      userId,
    },
    ...{ publishedId: versionId, createdAt, updatedAt: createdAt, evaluateAt: nextNight(timezone) },
  })
  await tx.db.insert(assistantVersions).values({
    ...{
      tenantId,
      id: versionId,
      assistantId: id,
      number: 1,
      config,
      revision: 1,
      note: 'Primeira versão',
      userId,
      createdAt,
    },
  })
  await tx.db.insert(assistantCases).values([
    {
      ...{ tenantId, assistantId: id, name: isShop ? 'Prazo de entrega' : 'Convênios' },
      lines: [trade.asked[0]?.[0] ?? ''],
      expects: [{ kind: 'contains' as const, value: isShop ? '4 dias' : 'Unimed' }],
    },
    {
      ...{ tenantId, assistantId: id, name: 'Pede uma pessoa' },
      lines: ['Quero falar com um atendente'],
      expects: [{ kind: 'handsOver' as const, value: '' }],
    },
  ])
  await tx.db.insert(knowledgeGaps).values(
    trade.gaps.map((question, n) => ({
      ...{ tenantId, question, plain: plainWords(question), times: 5 - n, assistantId: id },
      lastAt: new Date(Date.now() - (n * 19 + 3) * hour),
    })),
  )
  await seedRuns(tx, { trade, assistantId: id, versionId, account })
  await seedEvaluations(tx, { trade, assistantId: id, versionId, account })
}

type Made = { trade: Trade; assistantId: string; versionId: string; account: string }
const seedRuns = async (tx: Tx, { trade, assistantId, versionId, account }: Made) => {
  const { tenantId } = tx
  // It was the first to answer, right after the customer wrote.
  const { rows } = await tx.db.execute<{ id: string; createdAt: Date }>(
    sql`select id, created_at as "createdAt" from (select *, row_number() over (order by created_at desc) as n from tickets
        where tenant_id = ${tenantId} and not is_group and status = 'closed' and created_at > now() - interval '9 days') t
      where n % 3 = 1 or tenant_id <> 1 order by created_at desc limit 90`,
  )
  const alone = rows.filter((_, n) => n % 6 !== 5 && n % 4 === 2).map(({ id }) => id)
  await resolveAlone(tx, alone)
  await tx.db.insert(assistantRuns).values(
    rows.map(({ id: ticketId, createdAt: writtenAt }, n) => {
      const [asked, answer] = trade.asked[n % trade.asked.length] ?? ['', '']
      const isHandedOver = n % 6 === 5
      const createdAt = new Date(new Date(writtenAt).getTime() + 2_000)
      const ms = 900 + ((n * 317) % 1_400)
      return {
        ...{ tenantId, ticketId, assistantId, versionId, state: 'done' as const, heardSeq: 0, createdAt, ms },
        endedAt: new Date(createdAt.getTime() + ms),
        asked: isHandedOver ? 'Quero falar com um atendente' : asked,
        answer: isHandedOver ? '' : answer,
        outcome: isHandedOver ? ('handedOver' as const) : ('answered' as const),
        handOver: isHandedOver ? ('asked' as const) : null,
        steps: isHandedOver
          ? [stepOf('rule', 'handOver', { output: 'asked' })]
          : [
              { ...stepOf('search', 'conhecimento', { input: asked, output: `${trade.base} (0.62)` }), ms: 12 },
              { ...stepOf('model', 'resposta', { input: asked, output: answer }), ms: ms - 20 },
            ],
        integrationId: account,
        costMicros: isHandedOver ? 0 : 1_800 + ((n * 733) % 2_600),
      }
    }),
  )
  // What they cost, as it would have been counted.
  await tx.db.execute(sql`insert into ai_usage (tenant_id, id, integration_id, kind, model, purpose, assistant_id, ticket_id, day, state,
      input_tokens, output_tokens, cost_micros, ms, created_at, ended_at)
    select r.tenant_id, gen_random_uuid(), r.integration_id, 'chat-gpt', 'balcao-pequeno', 'assistant', r.assistant_id, r.ticket_id,
      (r.created_at at time zone 'America/Sao_Paulo')::date, 'done', (r.cost_micros / 14)::int, (r.cost_micros / 120)::int, r.cost_micros, r.ms,
      r.created_at, r.ended_at
    from assistant_runs r where r.tenant_id = ${tenantId} and r.assistant_id = ${assistantId} and r.cost_micros > 0`)
  await tx.db.execute(sql`insert into ai_days (tenant_id, day, purpose, assistant_id, integration_id, calls, input_tokens, output_tokens, cost_micros)
    select tenant_id, day, purpose, assistant_id, integration_id, count(*), sum(input_tokens), sum(output_tokens), sum(cost_micros)
    from ai_usage where tenant_id = ${tenantId} and assistant_id = ${assistantId} group by 1, 2, 3, 4, 5`)
}

/** Nobody of the team had these: the assistant answered and they were closed by themselves. */
const resolveAlone = async (tx: Tx, ids: string[]) => {
  const of = sql`tenant_id = ${tx.tenantId} and ticket_id = any(${sql.param(ids)}::uuid[])`
  await tx.db.execute(sql`update tickets set user_id = null, started_at = null, first_answered_at = null, sla_first_due_at = null
    where tenant_id = ${tx.tenantId} and id = any(${sql.param(ids)}::uuid[])`)
  await tx.db.execute(
    sql`delete from ticket_logs where ${of} and type in ('open', 'transfered', 'receivedTransfer', 'rating')`,
  )
  await tx.db.execute(sql`update ticket_logs set user_id = null, author = ${JSON.stringify({ kind: 'system', id: null, name: 'Inatividade' })}::jsonb
    where ${of} and type = 'closed'`)
  await tx.db.execute(sql`delete from ratings where ${of}`)
  await tx.db.execute(
    sql`update messages set user_id = null, send_type = 'bot' where ${of} and from_me and type = 'text'`,
  )
}

/** Three nights, and the same cases with another account: something to compare. */
const seedEvaluations = async (tx: Tx, { trade, assistantId, versionId }: Made) => {
  const { tenantId } = tx
  const cases = await tx.db
    .select({ id: assistantCases.id, name: assistantCases.name, lines: assistantCases.lines })
    .from(assistantCases)
    .where(and(eq(assistantCases.tenantId, tenantId), eq(assistantCases.assistantId, assistantId)))
    .orderBy(assistantCases.name)
  const [other] = await tx.db
    .select({ id: integrations.id })
    .from(integrations)
    .where(and(eq(integrations.tenantId, tenantId), eq(integrations.kind, 'claude')))
  const nights = [2, 3, 4].map((days) => ({
    at: new Date(nextNight(timezone).getTime() - days * 24 * hour),
    ...{ integrationId: null as string | null, slow: 1 },
  }))
  const byHand = new Date(Date.now() - 20 * hour)
  const played = other ? [...nights, { at: byHand, integrationId: other.id, slow: 2 }] : nights
  await tx.db.insert(assistantEvaluations).values(
    played.map(({ at, integrationId, slow }) => {
      const results = cases.map(({ id, name, lines }, n) => {
        const isHandOver = lines.some((line) => line.includes('atendente'))
        return {
          ...{ caseId: id, caseVersion: 1, name, isPassed: true, isPlayed: true, problems: [] },
          answers: isHandOver ? [''] : [trade.asked[0]?.[1] ?? ''],
          handOver: isHandOver ? ('asked' as const) : null,
          costMicros: isHandOver ? 0 : (2_100 + n * 300) * slow,
          ms: isHandOver ? 2 : (850 + n * 120) * slow,
        }
      })
      const sum = (of: 'costMicros' | 'ms') => results.reduce((all, one) => all + one[of], 0)
      return {
        ...{ tenantId, assistantId, revision: 1, isPublished: true, versionId, integrationId },
        why: integrationId ? ('hand' as const) : ('nightly' as const),
        ...{ passed: results.length, total: results.length, results },
        ...{ costMicros: sum('costMicros'), ms: Math.round(sum('ms') / Math.max(1, results.length)) },
        createdAt: at,
      }
    }),
  )
}
