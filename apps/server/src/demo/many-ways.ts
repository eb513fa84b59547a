import { scopedId } from '@balcao/contract/channels/index.ts'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { contactIdentities, contacts } from '../db/schema/contacts/contacts.ts'
import { messages } from '../db/schema/conversations/messages.ts'
import { ticketLogs } from '../db/schema/conversations/ticket-history.ts'
import { tickets } from '../db/schema/conversations/tickets.ts'
import type { Cast } from './seed.ts'

const hour = 3_600_000
const number = '5511971230077'

/** Somebody known by three addresses, who was answered by each: her last word is older than WhatsApp's 24 hours. */
export const seedManyWays = async (tx: Tx, { channels, people, queueIds, reasonIds }: Cast) => {
  const { tenantId } = tx
  const agent = people.find(({ login }) => login === 'ana')
  const instagram = channels.find(({ kind }) => kind === 'instagram')?.account
  if (!agent || !instagram) return
  const contactId = v7()
  await tx.db.insert(contacts).values({
    ...{ tenantId, id: contactId, name: 'Helena Prado', number, email: 'helena.prado@exemplo.com.br' },
    createdAt: new Date(Date.now() - 13 * 24 * hour),
  })
  await tx.db.insert(contactIdentities).values(
    [
      { kind: 'phone' as const, value: number },
      { kind: 'telegram' as const, value: '700900077' },
      { kind: 'instagram' as const, value: scopedId(instagram, '800000900077') },
    ].map((one) => ({ tenantId, contactId, ...one })),
  )
  for (const [n, { kind, hoursAgo, said }] of talks.entries()) {
    const channel = channels.find((one) => one.kind === kind)
    if (!channel) continue
    const isOpen = n === talks.length - 1
    const at = (index: number) => new Date(Date.now() - hoursAgo * hour + index * 4 * 60_000)
    const ticketId = v7()
    const last = at(said.length - 1)
    const known = { tenantId, ticketId, queueId: queueIds.Vendas }
    await tx.db.insert(tickets).values({
      ...{ tenantId, id: ticketId, contactId, connectionId: channel.id, queueId: queueIds.Vendas, userId: agent.id },
      protocol: `${at(0).toISOString().slice(0, 10).replaceAll('-', '')}90070${n}`,
      status: isOpen ? 'open' : 'closed',
      reasonId: isOpen ? null : Object.values(reasonIds)[0],
      ...{ answered: !isOpen, unreadMessages: isOpen ? 1 : 0, waitingSince: isOpen ? last : null },
      ...{ lastMessage: said.at(-1)?.body ?? '', lastAuthorId: isOpen ? null : agent.id },
      ...{ lastMessageAt: last, lastInboundAt: at(said.findLastIndex(({ who }) => who === 'her')) },
      ...{
        startedAt: at(1),
        firstAnsweredAt: at(1),
        closedAt: isOpen ? null : last,
        createdAt: at(0),
        updatedAt: last,
      },
    })
    await tx.db
      .insert(ticketLogs)
      .values([
        { ...known, type: 'create', createdAt: at(0) },
        { ...known, type: 'open', userId: agent.id, createdAt: at(1) },
        ...(isOpen ? [] : [{ ...known, type: 'closed' as const, userId: agent.id, createdAt: last }]),
      ])
    await tx.db.insert(messages).values(
      said.map(({ who, body }, index) => ({
        ...{ tenantId, id: v7(), ticketId, contactId, connectionId: channel.id, type: 'text' as const, body },
        ...(who === 'us'
          ? { fromMe: true, status: 'read' as const, userId: agent.id }
          : { fromMe: false, status: 'received' as const }),
        ...{ timestamp: at(index), createdAt: at(index) },
      })),
    )
  }
}

const talks = [
  {
    kind: 'instagram',
    hoursAgo: 12 * 24,
    said: [
      { who: 'her', body: 'Oi! Esse vestido verde do story ainda tem no P?' },
      { who: 'us', body: 'Oi, Helena! Tem sim, chegou ontem. Quer que eu separe?' },
      { who: 'her', body: 'Quero! Passo aí no sábado.' },
      { who: 'us', body: 'Separado em seu nome até sábado, às 18h.' },
    ],
  },
  {
    kind: 'telegram',
    hoursAgo: 5 * 24,
    said: [
      { who: 'her', body: 'Bom dia, vocês entregam em Santo André?' },
      { who: 'us', body: 'Bom dia! Entregamos, em até dois dias úteis.' },
      { who: 'her', body: 'Ótimo, obrigada.' },
      { who: 'us', body: 'Por nada! Qualquer coisa, é só chamar.' },
    ],
  },
  {
    kind: 'waba',
    hoursAgo: 50,
    said: [
      { who: 'her', body: 'Preciso da nota fiscal do vestido, por favor.' },
      { who: 'us', body: 'Claro, vou pedir ao financeiro e já te envio.' },
      { who: 'her', body: 'Pode ser por e-mail também, tanto faz.' },
    ],
  },
] as const satisfies { kind: string; hoursAgo: number; said: { who: 'her' | 'us'; body: string }[] }[]
