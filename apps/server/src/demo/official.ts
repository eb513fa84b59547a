import { answersText, type FormAnswers, type Order, orderText } from '@balcao/contract/conversations/answers.ts'
import type { MessagePayload } from '@balcao/contract/conversations/messages.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../db/database.ts'
import { contactIdentities, contacts } from '../db/schema/contacts/contacts.ts'
import { messages } from '../db/schema/conversations/messages.ts'
import { ticketLogs } from '../db/schema/conversations/ticket-history.ts'
import { tickets } from '../db/schema/conversations/tickets.ts'
import type { Cast } from './seed.ts'

/** What Loja Aurora has at Meta beside its templates. */
export const demoMetaShop: WabaSimulator['shop'] = {
  flows: [
    { id: '880001', name: 'Agendar prova na loja', status: 'PUBLISHED' },
    { id: '880002', name: 'Trocar uma peça', status: 'PUBLISHED' },
  ],
  catalogId: '990001',
  products: [
    { retailer_id: 'VES-01', name: 'Vestido midi verde', price: 'R$ 189,90' },
    { retailer_id: 'CAM-07', name: 'Camiseta de algodão', price: 'R$ 59,90' },
    { retailer_id: 'CAL-12', name: 'Calça jeans reta', price: 'R$ 159,90' },
    { retailer_id: 'JAQ-03', name: 'Jaqueta corta-vento', price: 'R$ 239,90' },
  ],
}

const order: Order = {
  catalogId: '990001',
  items: [
    { id: 'VES-01', name: null, quantity: 1, unitCents: 18_990, currency: 'BRL' },
    { id: 'CAM-07', name: null, quantity: 2, unitCents: 5_990, currency: 'BRL' },
  ],
  note: 'Pode embrulhar o vestido para presente?',
}
const visit: FormAnswers = [
  { field: 'Nome completo', value: 'Marcela Nogueira' },
  { field: 'Dia da visita', value: 'Sábado' },
  { field: 'Horário', value: '10h às 12h' },
  { field: 'Quer receber novidades', value: 'Sim' },
]
const blank = { header: '', footer: '', button: '', options: [] }
type Line = { who: 'her' | 'us'; body: string; payload?: MessagePayload }
const said: Line[] = [
  { who: 'her', body: 'Oi! Quero o vestido verde e umas camisetas. Vocês têm no M?' },
  {
    who: 'us',
    body: 'Temos sim, Marcela! Escolha por aqui que eu separo.',
    payload: {
      interactive: {
        ...{ ...blank, kind: 'products', header: 'Separados para você' },
        catalog: {
          id: '990001',
          sections: [
            { title: 'Vestidos', products: [{ id: 'VES-01', name: 'Vestido midi verde' }] },
            { title: 'Básicos', products: [{ id: 'CAM-07', name: 'Camiseta de algodão' }] },
          ],
        },
      },
    },
  },
  { who: 'her', body: orderText(order), payload: { order } },
  {
    who: 'us',
    body: 'Pedido anotado! Para provar na loja, é só marcar um horário.',
    payload: {
      interactive: {
        ...{ ...blank, kind: 'form', footer: 'Loja Aurora', button: 'Agendar visita' },
        form: { id: '880001', name: 'Agendar prova na loja', screen: '' },
      },
    },
  },
  { who: 'her', body: answersText(visit), payload: { form: visit } },
]

const number = '5511971230078'
const minute = 60_000

/** Somebody who ordered from the catalogue and filled in a form, and what two months of messages cost. */
export const seedOfficial = async (tx: Tx, { channels, people, queueIds }: Cast) => {
  const { tenantId } = tx
  const agent = people.find(({ login }) => login === 'ana')
  const channel = channels.find(({ kind }) => kind === 'waba')
  if (!agent || !channel) return
  const [contactId, ticketId] = [v7(), v7()]
  const at = (index: number) => new Date(Date.now() - (said.length - index) * 4 * minute)
  const last = at(said.length - 1)
  const known = { tenantId, contactId, connectionId: channel.id }
  await tx.db.insert(contacts).values({ tenantId, id: contactId, name: 'Marcela Nogueira', number, createdAt: at(0) })
  await tx.db.insert(contactIdentities).values({ tenantId, contactId, kind: 'phone', value: number })
  await tx.db.insert(tickets).values({
    ...{ ...known, id: ticketId, queueId: queueIds.Vendas, userId: agent.id, status: 'open' },
    protocol: `${at(0).toISOString().slice(0, 10).replaceAll('-', '')}900780`,
    ...{ answered: false, unreadMessages: 1, waitingSince: last, lastMessage: said.at(-1)?.body ?? '' },
    ...{ lastMessageAt: last, lastInboundAt: last, startedAt: at(1), firstAnsweredAt: at(1) },
    ...{ createdAt: at(0), updatedAt: last },
  })
  await tx.db.insert(ticketLogs).values([
    { tenantId, ticketId, queueId: queueIds.Vendas, type: 'create', createdAt: at(0) },
    { tenantId, ticketId, queueId: queueIds.Vendas, userId: agent.id, type: 'open', createdAt: at(1) },
  ])
  await tx.db.insert(messages).values(
    said.map(({ who, body, payload = null }, index) => ({
      ...{ ...known, id: v7(), ticketId, body, payload, timestamp: at(index), createdAt: at(index) },
      ...(who === 'us'
        ? { fromMe: true, type: 'buttons' as const, status: 'read' as const, userId: agent.id }
        : { fromMe: false, type: 'text' as const, status: 'received' as const }),
    })),
  )
  await tx.rows(costsSoFar, [tenantId, channel.id])
}

/** Of this month and the one before, as Meta tells them: most are answers, some are templates, a few went abroad. */
const costsSoFar: Prepared = {
  name: 'demo_costs_so_far',
  text: `insert into message_costs (tenant_id, message_id, connection_id, at, category, kind, is_billable, country)
    select tenant_id, id, connection_id, timestamp - case when n % 3 = 0 then interval '1 month' else interval '0' end,
      case when n % 7 = 0 then 'MARKETING' when n % 5 = 0 then 'UTILITY' when n % 11 = 0 then 'AUTHENTICATION'
        else 'SERVICE' end,
      case when n % 4 = 0 then 'free_entry_point' else 'regular' end, n % 4 <> 0, case when n % 9 = 0 then 'PT' else 'BR' end
    from (select m.*, row_number() over (order by m.seq) as n from messages m
      where m.tenant_id = $1 and m.connection_id = $2 and m.from_me and m.type <> 'system') as ours
    on conflict do nothing`,
}
