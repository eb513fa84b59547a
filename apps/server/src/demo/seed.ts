import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { hash } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Tx, withPlatform, withTenant } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { contactActivity, contactIdentities, contacts, contactTags } from '../db/schema/contacts/contacts.ts'
import { tags } from '../db/schema/contacts/tags.ts'
import { reasons } from '../db/schema/conversations/lists.ts'
import { messages } from '../db/schema/conversations/messages.ts'
import { ticketLogs } from '../db/schema/conversations/ticket-history.ts'
import { tickets, ticketTags } from '../db/schema/conversations/tickets.ts'
import { roles, users } from '../db/schema/people/users.ts'
import { tenants } from '../db/schema/platform/companies.ts'
import { farewells, quickMessages } from '../db/schema/service/library.ts'
import { queueMembers, queues } from '../db/schema/service/queues.ts'
import { channelConfig } from '../features/channels/connections/context.ts'
import { dressTickets, seedAttendance } from './attendance.ts'
import { seedAudit } from './audit.ts'
import { aurora, type Company, horizonte } from './companies.ts'
import { seedJournal } from './journal.ts'
import { seedOffice } from './office.ts'
import { personOf } from './people.ts'

/** Of both companies. */
const timeZone = 'America/Sao_Paulo'
export const demoPassword = 'balcao-demo'
/** What the simulators and the seeded connections agree on. */
export const demoWaba = {
  appSecret: 'demo-app-secret-0001',
  verifyToken: 'balcao-demo',
  accessToken: 'demo-token-demo-token-0001',
  wabaId: '100200300',
  phoneNumberId: '551130001000',
  displayPhoneNumber: '+55 11 3000-1000',
}
export const demoTelegram = { botToken: '100200:demo-bot-token-demo-bot-token', botUsername: 'lojaaurora_bot' }

/** Two companies and the platform's superadmin, once; `simulators` are the addresses the connections talk to. */
export const seedDemo = async (simulators: { waba: string; telegram: string }) => {
  const [existing] = await withPlatform('demo', (tx) => tx.db.select({ id: tenants.id }).from(tenants).limit(1))
  if (existing) return false
  const passwordHash = await hash(demoPassword)
  await withPlatform('demo', (tx) =>
    tx.db
      .insert(tenants)
      .values([{ id: 0, name: 'Plataforma' }, ...[aurora, horizonte].map(({ id, name }) => ({ id, name }))]),
  )
  await withTenant(0, (tx) =>
    tx.db.insert(users).values({
      tenantId: 0,
      name: 'Superadministração',
      email: 'super@balcao.local',
      passwordHash,
      profile: 'superadmin',
    }),
  )
  for (const company of [aurora, horizonte])
    await withTenant(company.id, (tx) => seedCompany(tx, company, passwordHash, simulators))
  return true
}

const seedCompany = async (
  tx: Tx,
  company: Company,
  passwordHash: string,
  simulators: { waba: string; telegram: string },
) => {
  const tenantId = company.id
  const queueIds = Object.fromEntries(Object.keys(company.queues).map((name) => [name, v7()]))
  const tagIds = Object.fromEntries(Object.keys(company.tags).map((name) => [name, v7()]))
  const people = company.people.map((person) => ({ ...person, id: v7() }))
  await tx.db.insert(users).values(
    people.map(({ id, name, login, profile }, n) => ({
      tenantId,
      createdAt: new Date(Date.now() - (90 - n * 11) * 86_400_000),
      lastLoginAt: new Date(Date.now() - (14 + n * 23) * 60_000),
      id,
      name,
      profile,
      passwordHash,
      email: `${login}@${company.domain}`,
      capacity: profile === 'user' ? 25 : null,
    })),
  )
  await tx.db
    .insert(queues)
    .values(
      Object.entries(company.queues).map(([name, color]) => ({ tenantId, id: queueIds[name] ?? '', name, color })),
    )
  await tx.db
    .insert(queueMembers)
    .values(
      people.flatMap((person) =>
        person.queues.map((name) => ({ tenantId, userId: person.id, queueId: queueIds[name] ?? '' })),
      ),
    )
  await tx.db
    .insert(tags)
    .values(Object.entries(company.tags).map(([name, color]) => ({ tenantId, id: tagIds[name] ?? '', name, color })))
  await tx.db
    .insert(roles)
    .values(Object.entries(company.roles).map(([name, permissions]) => ({ tenantId, name, permissions })))
  const [owner] = people
  await tx.db.insert(quickMessages).values(
    Object.entries(company.quick).map(([key, message]) => ({
      tenantId,
      key,
      message,
      scope: 'everyone' as const,
      userId: owner?.id ?? '',
    })),
  )
  const reasonIds = Object.fromEntries(Object.keys(company.reasons).map((name) => [name, v7()]))
  await tx.db
    .insert(reasons)
    .values(Object.entries(company.reasons).map(([name, color]) => ({ tenantId, id: reasonIds[name], name, color })))
  await tx.db
    .insert(farewells)
    .values(Object.entries(company.farewells).map(([name, message]) => ({ tenantId, name, message })))
  const channels = await seedConnections(tx, company, simulators, queueIds)
  const cast = { channels, people, queueIds, tagIds, reasonIds }
  if (company === aurora) await seedOffice(tx, cast)
  await seedAudit(tx, company, cast)
  await seedConversations(tx, company, cast)
  if (company === aurora) await seedJournal(tx, cast)
}

const seedConnections = async (
  tx: Tx,
  company: Company,
  simulators: { waba: string; telegram: string },
  queueIds: Record<string, string>,
) => {
  const tenantId = company.id
  const shared = {
    tenantId,
    status: 'CONNECTED' as const,
    statusText: 'Conectado.',
    hookSecret: `demo-hook-${tenantId}`,
    queueId: Object.values(queueIds)[0] ?? null,
  }
  const [webchat, waba, telegram] = [v7(), v7(), v7()]
  await tx.db.insert(connections).values({
    ...shared,
    id: webchat,
    kind: 'webchat',
    name: 'Chat do site',
    abilities: abilitiesOf('webchat', {}),
    channelKey: tenantId === 1 ? 'wc_demo_aurora' : 'wc_demo_horizonte',
    config: { allowAnyDomain: true, title: company.name, color: tenantId === 1 ? '#0B7A75' : '#0369A1', askName: true },
  })
  const site = { id: webchat, kind: 'webchat' as const }
  if (tenantId !== 1) return [site]
  const phone = { id: waba, kind: 'waba' as const }
  await tx.db.insert(connections).values([
    {
      ...shared,
      id: waba,
      kind: 'waba',
      name: 'WhatsApp da loja',
      abilities: abilitiesOf('waba', {}),
      externalId: demoWaba.phoneNumberId,
      isDefault: true,
      config: channelConfig.waba.seal(waba, { ...demoWaba, apiVersion: 'v25.0', baseUrl: simulators.waba }),
    },
    {
      ...shared,
      id: telegram,
      kind: 'telegram',
      name: 'Telegram',
      abilities: abilitiesOf('telegram', {}),
      externalId: demoTelegram.botToken.split(':')[0],
      config: channelConfig.telegram.seal(telegram, { botToken: demoTelegram.botToken, baseUrl: simulators.telegram }),
    },
  ])
  return [phone, phone, phone, site, { id: telegram, kind: 'telegram' as const }]
}

type Channel = { id: string; kind: 'waba' | 'webchat' | 'telegram' }
type Ids = Record<string, string>
/** Who and what a company has, by name. */
export type Cast = {
  channels: Channel[]
  people: { id: string; name: string; login: string; queues: string[]; profile: string }[]
  queueIds: Ids
  tagIds: Ids
  reasonIds: Ids
}
const pick = <T>(list: T[], n: number): T => list[n % list.length] as T // lists here are never empty

const seedConversations = async (tx: Tx, company: Company, cast: Cast) => {
  const tenantId = company.id
  const rows = Array.from({ length: company.conversations }, (_, n) => conversationOf(company, cast, n))
  if (company === aurora) dressTickets(rows, cast)
  await tx.db.insert(contacts).values(rows.map((row) => row.contact))
  await tx.db
    .insert(contactActivity)
    .values(
      rows.map(({ contact, ticket }) => ({
        tenantId: contact.tenantId,
        contactId: contact.id,
        lastMessageAt: ticket.updatedAt,
      })),
    )
    .onConflictDoUpdate({
      target: [contactActivity.tenantId, contactActivity.contactId],
      set: { lastMessageAt: sql`excluded.last_message_at` },
    })
  await tx.db.insert(contactIdentities).values(rows.flatMap((row) => row.identities))
  await tx.db.insert(tickets).values(rows.map((row) => row.ticket))
  await tx.db.insert(messages).values(rows.flatMap((row) => row.messages))
  await tx.db.insert(ticketLogs).values(rows.flatMap(({ ticket }) => logOf(ticket)))
  const tagIds = Object.values(cast.tagIds)
  const tagged = rows.filter((_, n) => n % 3 === 0)
  await tx.db
    .insert(contactTags)
    .values(tagged.map(({ contact }, n) => ({ tenantId, contactId: contact.id, tagId: pick(tagIds, n) })))
  await tx.db
    .insert(ticketTags)
    .values(tagged.map(({ ticket }, n) => ({ tenantId, ticketId: ticket.id, tagId: pick(tagIds, n) })))
  await tx.db.update(connections).set({
    lastInboundAt: sql`(select max(t.last_inbound_at) from tickets t
      where t.tenant_id = connections.tenant_id and t.connection_id = connections.id)`,
  })
  if (company === aurora) await seedAttendance(tx, rows, cast)
}

/** When it came, who took it up, and who ended it. */
const logOf = ({ tenantId, id: ticketId, userId, queueId, createdAt, startedAt, closedAt }: DemoTicket) => [
  { tenantId, ticketId, queueId, type: 'create' as const, createdAt },
  ...(startedAt ? [{ tenantId, ticketId, queueId, userId, type: 'open' as const, createdAt: startedAt }] : []),
  ...(closedAt ? [{ tenantId, ticketId, queueId, userId, type: 'closed' as const, createdAt: closedAt }] : []),
]

/** Of so many conversations some are still going on; what is closed began a moment ago and goes back a month, ever more thinly. */
const activeAmong = 64
const lately = 9
const closedAt = (n: number) => {
  const place = n < activeAmong ? Math.floor(n / 8) * 3 + (n % 8) - 5 : 24 + n - activeAmong
  if (place < lately) return Date.now() - (21 + place * 26) * 60_000
  const hoursAgo = 26 + place * 4 + place ** 2 * 0.14
  const midnight = Math.floor((Date.now() - hoursAgo * 3_600_000) / 86_400_000) * 86_400_000
  return midnight + (12 * 60 + ((n * 37) % 540)) * 60_000 // between 9 and 18 in São Paulo
}

type DemoTicket = typeof tickets.$inferInsert & { id: string; createdAt: Date; updatedAt: Date }
type DemoContact = typeof contacts.$inferInsert & { id: string; number: string }
export type DemoConversation = ReturnType<typeof conversationOf>

const conversationOf = (company: Company, cast: Cast, n: number) => {
  const tenantId = company.id
  const person = personOf(n + tenantId * 1_000)
  const status = n >= activeAmong || n % 8 >= 5 ? 'closed' : n % 8 < 3 ? 'open' : 'pending'
  const agents = cast.people.filter((one) => one.profile === 'user')
  const agent = pick(agents, n)
  const given = pick(company.talks, n)
  // What somebody took up has an answer.
  const talk = given.length > 1 || status === 'pending' ? given : pick(company.talks, n + 1)
  const isAnswered = status === 'open' && n % 3 === 0 && talk.length > 1 && talk.at(-1)?.from === 'them'
  const lines = status === 'pending' ? talk.slice(0, 1) : isAnswered ? talk.slice(0, -1) : talk
  const endedAt = status === 'closed' ? closedAt(n) : Date.now() - 90_000 - n * 5 * 60_000
  const at = (index: number) => new Date(endedAt - (lines.length - 1 - index) * 3 * 60_000)
  const contact: DemoContact = {
    tenantId,
    id: v7(),
    name: person.name,
    number: person.number,
    createdAt: at(0),
  }
  const channel = pick(cast.channels, n)
  const last = lines.at(-1) ?? { from: 'them' as const, text: '' }
  const isWaiting = last.from === 'them' && status !== 'closed'
  const lastInbound = lines.findLastIndex((line) => line.from === 'them')
  const firstAnswer = lines.findIndex((line) => line.from === 'us')
  const ticket: DemoTicket = {
    tenantId,
    id: v7(),
    protocol: `${wallTimeOf(at(0), timeZone).slice(0, 10).replaceAll('-', '')}${String(900_000 + n)}`,
    status,
    contactId: contact.id,
    connectionId: channel.id,
    queueId: pick(Object.values(cast.queueIds), n),
    userId: status === 'pending' ? null : agent.id,
    reasonId: status === 'closed' ? pick(Object.values(cast.reasonIds), n) : null,
    unreadMessages: isWaiting ? 1 + (n % 3) : 0,
    answered: !isWaiting,
    lastMessage: last.text,
    lastAuthorId: last.from === 'us' ? agent.id : null,
    lastMessageAt: at(lines.length - 1),
    lastInboundAt: at(lastInbound),
    waitingSince: isWaiting ? at(lines.length - 1) : null,
    startedAt: status === 'pending' ? null : at(1),
    firstAnsweredAt: firstAnswer < 0 ? null : at(firstAnswer),
    closedAt: status === 'closed' ? at(lines.length - 1) : null,
    createdAt: at(0),
    updatedAt: at(lines.length - 1),
  }
  const known = { tenantId, contactId: contact.id }
  return {
    contact,
    ticket,
    identities: [
      { ...known, kind: 'phone' as const, value: contact.number },
      ...(channel.kind === 'telegram' ? [{ ...known, kind: 'telegram' as const, value: String(700_000_000 + n) }] : []),
      ...(channel.kind === 'webchat' ? [{ ...known, kind: 'webchat' as const, value: `v_demo_${tenantId}_${n}` }] : []),
    ],
    messages: lines.map((line, index) => ({
      tenantId,
      id: v7(),
      ticketId: ticket.id,
      contactId: contact.id,
      connectionId: ticket.connectionId,
      fromMe: line.from === 'us',
      type: 'text' as const,
      body: line.text,
      status: line.from === 'us' ? ('read' as const) : ('received' as const),
      userId: line.from === 'us' ? agent.id : null,
      timestamp: at(index),
      createdAt: at(index),
    })),
  }
}
