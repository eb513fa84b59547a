import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { contactIdentities, contacts } from '../db/schema/contacts/contacts.ts'
import { groupMembers, groups } from '../db/schema/contacts/groups.ts'
import { messages } from '../db/schema/conversations/messages.ts'
import { tickets } from '../db/schema/conversations/tickets.ts'
import { bySystem } from '../kit/actor.ts'
import { seedGroupRules } from './group-rules.ts'
import { demoBaileys } from './phones.ts'
import type { Cast } from './seed.ts'

/** Resellers who order together; the stand-in of WhatsApp has the same people in it. */
export const demoGroup = {
  id: '120363000000000000',
  name: 'Revendedoras · Zona Sul',
  description: 'Pedidos da grade nova, prazos e dúvidas. Fechamento toda sexta, às 12h.',
  members: [
    { name: 'Camila Ribeiro', number: '5511971230001', role: 'owner' },
    { name: 'Renata Teixeira', number: '5511971230002', role: 'admin' },
    { name: 'Patrícia Gomes', number: '5511971230003', role: 'member' },
    { name: 'Larissa Vieira', number: '5511971230004', role: 'member' },
  ],
} as const
type Name = (typeof demoGroup.members)[number]['name']

/** A group of which the shop's own phone is a member: who speaks, who is called, who joined, who liked it. */
export const seedGroup = async (tx: Tx, { channels, people, queueIds }: Cast) => {
  const { tenantId } = tx
  const channel = channels.find(({ kind }) => kind === 'baileys')
  const agent = people.find(({ login }) => login === 'ana')
  if (!channel || !agent) return
  const now = Date.now()
  const at = (minutesAgo: number) => new Date(now - minutesAgo * 60_000)
  const group = v7()
  const ids = Object.fromEntries(demoGroup.members.map(({ name }) => [name, v7()])) as Record<Name, string>
  const met = { tenantId, createdAt: at(4 * 24 * 60) }
  await tx.db
    .insert(contacts)
    .values([
      { ...met, id: group, name: demoGroup.name, isGroup: true },
      ...demoGroup.members.map(({ name, number }) => ({ ...met, id: ids[name], name, number })),
    ])
  await tx.db.insert(contactIdentities).values([
    { tenantId, contactId: group, kind: 'group', value: demoGroup.id },
    ...demoGroup.members.map(({ name, number }) => ({
      tenantId,
      contactId: ids[name],
      kind: 'phone' as const,
      value: number,
    })),
  ])
  await tx.db.insert(groups).values({ tenantId, contactId: group, description: demoGroup.description, readAt: at(3) })
  const us = { name: demoBaileys.profileName, number: demoBaileys.phone, role: 'member' as const }
  await tx.db.insert(groupMembers).values(
    [...demoGroup.members, us].map(({ name, number, role }) => ({
      ...{ tenantId, contactId: group, memberId: number, keys: [`phone:${number}`], name, role, toldAt: at(3) },
    })),
  )

  await seedGroupRules(tx, { channels, resellersId: group })

  const ticketId = v7()
  const last = at(3)
  await tx.db.insert(tickets).values({
    ...{
      tenantId,
      id: ticketId,
      protocol: `${at(46).toISOString().slice(0, 10).replaceAll('-', '')}900999`,
      status: 'open',
      isGroup: true,
    },
    ...{ contactId: group, connectionId: channel.id, queueId: queueIds.Vendas, userId: agent.id },
    ...{ unreadMessages: 1, answered: false, lastMessage: said.at(-1)?.body ?? '' },
    ...{ lastMessageAt: last, lastInboundAt: last, waitingSince: last, startedAt: at(44), firstAnsweredAt: at(31) },
    ...{ createdAt: at(46), updatedAt: last },
  })
  const authorOf = (name: Name) => ({ kind: 'contact' as const, id: ids[name], name })
  await tx.db.insert(messages).values(
    said.map(({ who, body, minutesAgo, calls, likedBy }) => ({
      ...{ tenantId, id: v7(), ticketId, contactId: group, connectionId: channel.id, body },
      ...{ timestamp: at(minutesAgo), createdAt: at(minutesAgo) },
      fromMe: who === 'us' || who === 'group',
      type: who === 'group' ? ('system' as const) : ('text' as const),
      status: who === 'us' ? ('read' as const) : who === 'group' ? ('sent' as const) : ('received' as const),
      userId: who === 'us' ? agent.id : null,
      author: who === 'us' ? undefined : who === 'group' ? bySystem : authorOf(who),
      payload: calls ? { called: calls === 'us' ? [{ ...calledUs, isUs: true }] : [calledBy(calls)] } : undefined,
      reactions: likedBy && [{ emoji: '❤️', fromMe: false, userId: null, author: authorOf(likedBy) }],
    })),
  )
}

type Said = {
  who: Name | 'us' | 'group'
  body: string
  minutesAgo: number
  calls?: Name | 'us'
  likedBy?: Name
}
const said: Said[] = [
  { who: 'Camila Ribeiro', body: 'Bom dia, meninas! A grade nova já saiu do estoque?', minutesAgo: 46 },
  {
    who: 'Renata Teixeira',
    body: `Eu também queria saber. @${demoBaileys.profileName}, sai hoje?`,
    minutesAgo: 44,
    calls: 'us',
  },
  {
    who: 'us',
    body: 'Bom dia! Sai hoje às 14h, @Renata Teixeira. Mando o rastreio aqui no grupo.',
    minutesAgo: 31,
    calls: 'Renata Teixeira',
    likedBy: 'Camila Ribeiro',
  },
  { who: 'Patrícia Gomes', body: 'Perfeito! Separem dois pares do 36 para mim, por favor 🙏', minutesAgo: 22 },
  { who: 'group', body: 'Larissa Vieira entrou no grupo.', minutesAgo: 9 },
  { who: 'Larissa Vieira', body: 'Oi, gente! A Camila me indicou. Como faço o primeiro pedido?', minutesAgo: 3 },
]
const calledUs = { id: demoBaileys.phone, name: demoBaileys.profileName }
const calledBy = (name: Name) => ({ id: demoGroup.members.find((one) => one.name === name)?.number ?? '', name })
