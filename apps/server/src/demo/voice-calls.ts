import { integrations as kinds } from '@balcao/contract/core/integrations/index.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { integrations } from '../db/schema/core/integrations.ts'
import { integrationConfig } from '../features/core/integrations/integrations.service.ts'

/** The shop's account at Vapi and two weeks of its calls; the newest is placed when the product starts. */
export const seedVoiceCalls = async (tx: Tx, url: string) => {
  const id = v7()
  const config = kinds.vapi.config.parse({
    ...{ apiKey: 'chave-privada-vapi', assistantId: 'as-1', phoneNumberId: 'pn-1', baseUrl: url },
  })
  await tx.db.insert(integrations).values({
    ...{ tenantId: tx.tenantId, id, family: kinds.vapi.family, kind: 'vapi', name: 'Vapi da loja' },
    config: integrationConfig.vapi.seal(id, config),
    ...{ state: 'working' as const, stateText: 'O assistente Cobrança respondeu.', checkedAt: new Date() },
  })
  await tx.db.execute(sql`with people as (
      select t.id as ticket_id, t.user_id, c.name, c.number, row_number() over (order by t.created_at desc, t.id) as n
      from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
      where t.tenant_id = ${tx.tenantId} and not t.is_group and c.number ~ '^[0-9]{10,15}$' limit 14)
    insert into voice_calls (tenant_id, id, integration_id, ticket_id, user_id, direction, name, number, assistant_id, phone_number_id, status,
      problem, asked_at, ended_reason, started_at, ended_at, summary, transcript, cost_usd, is_whole, due_at, told_at, created_at)
    select ${tx.tenantId}, gen_random_uuid(), ${id}, p.ticket_id, case when s.kind = 'inbound' then null else p.user_id end,
      case when s.kind = 'inbound' then 'inbound' else 'outbound' end, p.name, '+' || p.number, 'as-1', 'pn-1',
      case s.kind when 'new' then 'queued' when 'failed' then 'failed' when 'lost' then 'uncertain' else 'ended' end,
      case s.kind when 'failed' then 'a conta da Vapi está sem saldo.'
        when 'lost' then 'a Vapi não confirmou, e o telefone pode ter tocado. Confira no painel dela antes de ligar de novo.' end,
      case when s.kind <> 'new' then s.at end,
      case s.kind when 'missed' then 'customer-did-not-answer' when 'talked' then 'customer-ended-call' when 'inbound' then 'assistant-ended-call' end,
      case when s.kind in ('talked', 'inbound') then s.at end,
      case when s.kind in ('talked', 'inbound') then s.at + make_interval(secs => 35 + p.n * 17 % 160) when s.kind = 'missed' then s.at end,
      case s.kind when 'talked' then 'O cliente confirmou que recebeu o pedido e vai pagar a segunda parcela na sexta-feira.'
        when 'inbound' then 'Perguntou o horário da loja e pediu para receber o catálogo pelo WhatsApp.' else '' end,
      case s.kind when 'talked' then E'Assistente: Olá, aqui é da Loja Aurora. Tudo bem com o pedido?\nCliente: Chegou ontem, obrigado.\nAssistente: Posso confirmar o pagamento para sexta?\nCliente: Pode sim.'
        when 'inbound' then E'Cliente: Oi, até que horas vocês abrem?\nAssistente: De segunda a sexta, das oito às dezoito.\nCliente: Me manda o catálogo?\nAssistente: Mando pelo WhatsApp agora.' else '' end,
      case when s.kind in ('talked', 'inbound') then 0.06 + (p.n * 13 % 40) / 200.0 when s.kind = 'missed' then 0.01 end,
      s.kind in ('talked', 'inbound', 'missed'), case when s.kind = 'new' then now() end, case when s.kind <> 'new' then s.at end, s.at
    from people p cross join lateral (select now() - make_interval(hours => (p.n - 1)::int * 23) as at,
      (array['new', 'talked', 'missed', 'inbound', 'talked', 'failed', 'talked', 'lost', 'talked', 'missed', 'inbound', 'talked', 'talked', 'missed'])[p.n] as kind) s`)
}
