import { abilitiesOf, scopedId } from '@balcao/contract/channels/index.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { hash } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Prepared, type Tx, withPlatform, withTenant } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { contactIdentities, contacts, contactTags } from '../db/schema/contacts/contacts.ts'
import { reasons } from '../db/schema/conversations/lists.ts'
import { messages } from '../db/schema/conversations/messages.ts'
import { ticketLogs } from '../db/schema/conversations/ticket-history.ts'
import { tickets, ticketTags } from '../db/schema/conversations/tickets.ts'
import { integrations } from '../db/schema/core/integrations.ts'
import { webchatSessions } from '../db/schema/intake/webchat.ts'
import { roles, users } from '../db/schema/people/users.ts'
import { tenants } from '../db/schema/platform/companies.ts'
import { farewells } from '../db/schema/service/library.ts'
import { queueMembers, queues } from '../db/schema/service/queues.ts'
import { channelConfig } from '../features/channels/connections/context.ts'
import { integrationConfig } from '../features/core/integrations/integrations.service.ts'
import { seedAssistants } from './assistants.ts'
import { dressTickets, seedAttendance } from './attendance.ts'
import { seedAudit } from './audit.ts'
import { seedAutoReplies } from './auto-replies.ts'
import { seedBirthdays } from './birthdays.ts'
import { seedCampaigns } from './campaigns.ts'
import { aurora, type Company, horizonte } from './companies.ts'
import { seedConsents } from './consents.ts'
import { seedFlow } from './flows.ts'
import { seedFunnel } from './funnel.ts'
import { seedGroup } from './group.ts'
import { seedHub } from './hub.ts'
import { seedImports } from './imports.ts'
import { seedJournal } from './journal.ts'
import { seedLanes } from './lanes.ts'
import { seedMailbox } from './mailbox.ts'
import { seedManyWays } from './many-ways.ts'
import { type ModelAddresses, seedModels } from './models.ts'
import { seedOffice } from './office.ts'
import { seedOfficial } from './official.ts'
import { seedPages } from './pages.ts'
import { personOf } from './people.ts'
import { seedPhones } from './phones.ts'
import { seedQuickMessages } from './quick-messages.ts'
import { seedReports } from './reports.ts'
import { seedSegments } from './segments.ts'
import { seedSms } from './sms.ts'
import { seedTags } from './tags.ts'
import { seedVoiceCalls } from './voice-calls.ts'

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
export const demoEvolution = { globalKey: 'demo-chave-global-0001', phone: '5511930002000', profileName: 'Loja Aurora' }
export const demoZapi = {
  instanceId: 'DEMO0001AURORA',
  instanceToken: 'demo-token-zapi-0001',
  clientToken: 'demo-seguranca-0001',
  phone: '5511930003000',
  profileName: 'Loja Aurora · Filial',
}
export const demoUazapi = {
  adminToken: 'demo-admin-uazapi-0001',
  phone: '5511930004000',
  profileName: 'Loja Aurora · Trocas',
}
export const demoTelegram = { botToken: '100200:demo-bot-token-demo-bot-token', botUsername: 'lojaaurora_bot' }

/** Two companies and the platform's superadmin, once; `simulators` are the addresses the connections talk to. */
type Simulators = Record<
  | 'waba'
  | 'messenger'
  | 'instagram'
  | 'telegram'
  | 'evolution'
  | 'zapi'
  | 'uazapi'
  | 'wuzapi'
  | 'baileys'
  | 'sms'
  | 'hub',
  string
> & { mail: { imapPort: number; smtpPort: number }; llm: ModelAddresses; vapi: string }
export const seedDemo = async (simulators: Simulators) => {
  const [existing] = await withPlatform('demo', (tx) => tx.db.select({ id: tenants.id }).from(tenants).limit(1))
  if (existing) return false
  const passwordHash = await hash(demoPassword)
  await withPlatform('demo', (tx) =>
    tx.db
      .insert(tenants)
      .values([
        { id: 0, name: 'Plataforma' },
        ...[aurora, horizonte].map(({ id, name }) => ({ id, name, maxConnections: 30 })),
      ]),
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
  await withTenant(0, (tx) => seedServer(tx, simulators.evolution))
  for (const company of [aurora, horizonte])
    await withTenant(company.id, (tx) => seedCompany(tx, company, passwordHash, simulators))
  return true
}

/** A server of the installation, on which every company may have channels. */
const seedServer = async (tx: Tx, baseUrl: string) => {
  const id = v7()
  const config = integrationConfig.evolution.seal(id, { baseUrl, apiKey: demoEvolution.globalKey })
  await tx.db
    .insert(integrations)
    .values({ tenantId: tx.tenantId, id, family: 'gateway', kind: 'evolution', name: 'Servidor Evolution API', config })
}

const seedCompany = async (tx: Tx, company: Company, passwordHash: string, simulators: Simulators) => {
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
  await seedTags(tx, company, tagIds)
  await tx.db
    .insert(roles)
    .values(Object.entries(company.roles).map(([name, permissions]) => ({ tenantId, name, permissions })))
  const [owner] = people
  await seedQuickMessages(tx, company, people)
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
  if (company === aurora) {
    await seedLanes(tx)
    await seedAutoReplies(tx, cast)
    await seedBirthdays(tx)
    await seedSegments(tx, owner?.id ?? '')
    if (owner) await seedImports(tx, owner.id)
    if (owner) await seedConsents(tx, { id: owner.id, name: owner.name })
    await seedCampaigns(tx, cast)
    await seedFunnel(tx, people)
    await seedModels(tx, simulators.llm)
    await seedVoiceCalls(tx, simulators.vapi)
  }
  if (company === aurora) await seedJournal(tx, cast)
  const flow = company === aurora ? { model: 'loja', word: 'catálogo' } : { model: 'clinica', word: 'agendar' }
  await seedFlow(tx, { ...flow, userId: owner?.id ?? null })
  await seedAssistants(tx, { isShop: company === aurora, userId: owner?.id ?? null, llmUrl: simulators.llm.openai })
}

const seedConnections = async (tx: Tx, company: Company, simulators: Simulators, queueIds: Record<string, string>) => {
  const tenantId = company.id
  const shared = {
    tenantId,
    status: 'CONNECTED' as const,
    statusText: 'Conectado.',
    hookSecret: `demo-hook-${tenantId}`,
    queueId: Object.values(queueIds)[0] ?? null,
  }
  const [webchat, waba, telegram, evolution, zapi, uazapi] = [v7(), v7(), v7(), v7(), v7(), v7()]
  await tx.db.insert(connections).values({
    ...shared,
    id: webchat,
    kind: 'webchat',
    name: 'Chat do site',
    abilities: abilitiesOf('webchat', {}),
    channelKey: tenantId === 1 ? 'wc_demo_aurora' : 'wc_demo_horizonte',
    config: {
      allowAnyDomain: true,
      title: company.name,
      ...company.webchat,
      color: tenantId === 1 ? '#0B7A75' : '#0369A1',
      preChat: [
        {
          key: 'nome',
          label: 'Seu nome',
          labels: { en: 'Your name', es: 'Tu nombre' },
          type: 'text',
          target: 'name',
          required: true,
          options: [],
          purpose: 'none',
        },
      ],
    },
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
  const gateway = { ...shared, queueId: Object.values(queueIds)[1] ?? shared.queueId }
  const { phone: _, profileName: __, ...zapiAccount } = demoZapi
  await tx.db.insert(connections).values([
    {
      ...gateway,
      id: evolution,
      kind: 'evolution',
      name: 'WhatsApp do balcão',
      host: 'installation',
      abilities: abilitiesOf('evolution', {}),
      config: {},
    },
    {
      ...gateway,
      id: zapi,
      kind: 'zapi',
      name: 'WhatsApp da filial',
      abilities: abilitiesOf('zapi', {}),
      config: channelConfig.zapi.seal(zapi, { ...zapiAccount, baseUrl: simulators.zapi }),
    },
    {
      ...gateway,
      id: uazapi,
      kind: 'uazapi',
      name: 'WhatsApp de trocas',
      status: 'DISCONNECTED',
      statusText: 'Leia o código com o celular da loja.',
      abilities: abilitiesOf('uazapi', {}),
      config: channelConfig.uazapi.seal(uazapi, { adminToken: demoUazapi.adminToken, baseUrl: simulators.uazapi }),
    },
  ])
  const [counter, branch] = [
    { id: evolution, kind: 'evolution' as const },
    { id: zapi, kind: 'zapi' as const },
  ]
  await seedSms(tx, shared, simulators.sms)
  await seedMailbox(tx, shared, simulators.mail)
  await seedHub(tx, shared, simulators.hub)
  const phones = await seedPhones(tx, gateway, simulators)
  const pages = await seedPages(tx, shared, simulators)
  return [phone, phone, phone, site, { id: telegram, kind: 'telegram' as const }, counter, branch, ...phones, ...pages]
}

type Channel = {
  id: string
  kind: 'waba' | 'messenger' | 'instagram' | 'webchat' | 'telegram' | 'evolution' | 'zapi' | 'wuzapi' | 'baileys'
  /** To which the identities of its people belong, where they do. */
  account?: string
}
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

/** In which somebody wrote by the site: there the answer appears. */
const windowOf = ({ ticket: { tenantId, connectionId }, identities }: DemoConversation) =>
  identities.flatMap(({ kind, value }) =>
    kind === 'webchat'
      ? {
          tenantId,
          connectionId,
          visitorId: value,
          familyId: v7(),
          hash: value,
          expiresAt: new Date(Date.now() + monthMs),
        }
      : [],
  )
const monthMs = 30 * 24 * 3_600_000

const seedConversations = async (tx: Tx, company: Company, cast: Cast) => {
  const tenantId = company.id
  const rows: DemoConversation[] = []
  for (let n = 0; n < company.conversations; n += 1) rows.push(conversationOf(company, cast, n, returning(rows, n)))
  if (company === aurora) dressTickets(rows, cast)
  const customers = rows.filter(({ isReturn }) => !isReturn)
  const inParts = async <Row>(all: Row[], write: (some: Row[]) => PromiseLike<unknown>) => {
    for (let at = 0; at < all.length; at += 1_000) await write(all.slice(at, at + 1_000))
  }
  await tx.db.insert(contacts).values(customers.map((row) => row.contact))
  await tx.db.insert(contactIdentities).values(customers.flatMap((row) => row.identities))
  await inParts(rows, (some) => tx.db.insert(tickets).values(some.map((row) => row.ticket)))
  await tx.db.insert(webchatSessions).values(rows.flatMap(windowOf))
  const said = rows.flatMap((row) => row.messages)
  await inParts(said, (some) => tx.db.insert(messages).values(some))
  const logs = rows.flatMap(({ ticket }, n) => logOf(ticket, cast, n))
  await inParts(logs, (some) => tx.db.insert(ticketLogs).values(some))
  const tagIds = Object.values(cast.tagIds)
  const tagged = customers.filter((_, n) => n % 3 === 0)
  await tx.db
    .insert(contactTags)
    .values(tagged.map(({ contact }, n) => ({ tenantId, contactId: contact.id, tagId: pick(tagIds, n) })))
  await tx.db
    .insert(ticketTags)
    .values(tagged.map(({ ticket }, n) => ({ tenantId, ticketId: ticket.id, tagId: pick(tagIds, n) })))
  if (company === aurora) {
    await seedGroup(tx, cast)
    await seedManyWays(tx, cast)
    await seedOfficial(tx, cast)
  }
  await tx.db.update(connections).set({
    lastInboundAt: sql`(select max(t.last_inbound_at) from tickets t
      where t.tenant_id = connections.tenant_id and t.connection_id = connections.id)`,
  })
  await tx.rows(sentSoFar, [tenantId])
  await tx.rows(lastSaid, [tenantId])
  if (company === aurora) {
    await seedAttendance(tx, rows, cast)
    await seedReports(tx, cast)
  }
}

/** What each channel has sent, by what was said on it. */
const sentSoFar: Prepared = {
  name: 'demo_sent_so_far',
  text: `insert into connection_pace (tenant_id, connection_id, last_sent_at, sent_on, sent_today)
    select m.tenant_id, m.connection_id, max(m.timestamp), (now() at time zone t.timezone)::date,
      count(*) filter (where (m.timestamp at time zone t.timezone)::date = (now() at time zone t.timezone)::date)
    from messages m join tenants t on t.id = m.tenant_id
    where m.tenant_id = $1 and m.from_me and m.type <> 'system' group by m.tenant_id, m.connection_id, t.timezone
    on conflict (tenant_id, connection_id) do nothing`,
}

/** When each contact and we said something last. */
const lastSaid: Prepared = {
  name: 'demo_last_said',
  text: `insert into contact_activity (tenant_id, contact_id, last_message_at, last_sent_at)
    select tenant_id, contact_id, coalesce(max(created_at) filter (where not from_me), 'epoch'),
      coalesce(max(created_at) filter (where from_me), 'epoch') from messages
    where tenant_id = $1 and type not in ('note', 'system') group by tenant_id, contact_id
    on conflict (tenant_id, contact_id) do update set last_message_at = excluded.last_message_at, last_sent_at = excluded.last_sent_at`,
}

/** Its history, as the product writes it: facts of conversations are read from it. */
const logOf = (ticket: DemoTicket, { people, queueIds }: Cast, n: number) => {
  const { tenantId, id: ticketId, userId = null, queueId = null, createdAt, startedAt, closedAt } = ticket
  const { connectionId: whatsappId, contactId, reasonId = null } = ticket
  const known = { tenantId, ticketId, queueId }
  const person = people.find(({ id }) => id === userId)
  const author = { kind: 'user' as const, id: userId, name: person?.name ?? '' }
  const begun = pick(Object.values(queueIds), n + (n % 6 === 2 ? 1 : 0))
  const isMoved = closedAt && startedAt && begun !== queueId
  return [
    {
      ...known,
      type: 'create' as const,
      createdAt,
      to: { status: 'pending' as const, userId: null, queueId: isMoved ? begun : queueId, whatsappId, contactId },
    },
    ...(startedAt
      ? [
          {
            ...known,
            userId,
            author,
            type: 'open' as const,
            createdAt: startedAt,
            to: { status: 'open' as const, userId },
          },
        ]
      : []),
    ...(isMoved
      ? (['transfered', 'receivedTransfer'] as const).map((type) => ({
          ...known,
          userId,
          author,
          type,
          createdAt: startedAt,
          from: { queueId: begun },
          to: { queueId },
        }))
      : []),
    ...(closedAt
      ? [
          {
            ...known,
            userId,
            author,
            type: 'closed' as const,
            createdAt: closedAt,
            to: { status: 'closed' as const, reasonId },
          },
        ]
      : []),
  ]
}

/**
 * Of so many conversations some are still going on; what is closed began a moment ago and goes back three months: most on
 * Mondays, little on Saturdays, in the morning and the afternoon, and a little less in each month before.
 */
const activeAmong = 64
const lately = 9
const ofWeekday = [0, 36, 31, 28, 29, 31, 9]
const hoursOfDay = [10, 14, 11, 15, 9, 16, 10, 17, 12, 11]
const closings = Array.from({ length: 89 }, (_, n) => n + 1).flatMap((daysAgo) => {
  const midnight = Math.floor(Date.now() / 86_400_000 - daysAgo) * 86_400_000
  const count = Math.max(0, (ofWeekday[new Date(midnight).getUTCDay()] ?? 0) - 4 * Math.floor(daysAgo / 30))
  return Array.from({ length: count }, (_, n) => {
    const hour = pick(hoursOfDay, n + daysAgo) + 3 // São Paulo
    return midnight + (hour * 60 + ((n * 17 + daysAgo * 7) % 60)) * 60_000
  })
})
const closedAt = (n: number) => {
  const place = n < activeAmong ? Math.floor(n / 8) * 3 + (n % 8) - 5 : 24 + n - activeAmong
  if (place < lately) return Date.now() - (21 + place * 26) * 60_000
  return pick(closings, place - lately)
}

type DemoTicket = typeof tickets.$inferInsert & { id: string; createdAt: Date; updatedAt: Date }
type DemoContact = typeof contacts.$inferInsert & { id: string; number: string }
export type DemoConversation = ReturnType<typeof conversationOf>
type Before = { contact: DemoContact; ticket: DemoTicket }

/** Two of five customers had been here before: the later conversation comes first among the rows. */
const returning = (rows: readonly DemoConversation[], n: number): Before | undefined => {
  const place = n - 30 - ((n * 137) % 600)
  return n % 5 < 2 && place >= activeAmong ? rows[place] : undefined
}

const conversationOf = (company: Company, cast: Cast, n: number, before?: Before) => {
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
  // Of what is over, some went faster than others.
  const pace = (n < activeAmong ? 3 : 2 + ((n * 7) % 9)) * 60_000
  // Some of what is open began days ago, and the customer has just come back to it.
  const daysOpen = status === 'open' && lines.length > 2 && n % 16 >= 8 ? 1 + (n % 9) : 0
  const at = (index: number) =>
    new Date(endedAt - (lines.length - 1 - index) * pace - (index < 2 ? daysOpen * 86_400_000 : 0))
  const contact: DemoContact = before?.contact ?? {
    tenantId,
    id: v7(),
    name: person.name,
    number: person.number,
    createdAt: at(0),
  }
  if (!contact.createdAt || at(0) < contact.createdAt) contact.createdAt = at(0)
  const known = before && cast.channels.find(({ id }) => id === before.ticket.connectionId)
  const channel = known ?? pick(cast.channels, n)
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
    // Taken up a little before it is answered.
    startedAt: status === 'pending' ? null : new Date(at(0).getTime() + 0.6 * (at(1).getTime() - at(0).getTime())),
    firstAnsweredAt: firstAnswer < 0 ? null : at(firstAnswer),
    closedAt: status === 'closed' ? at(lines.length - 1) : null,
    ...(status === 'closed' && {
      slaFirstDueAt: new Date(at(0).getTime() + 8 * 60_000),
      slaResolveDueAt: new Date(at(0).getTime() + 30 * 60_000),
    }),
    createdAt: at(0),
    updatedAt: at(lines.length - 1),
  }
  const ours = { tenantId, contactId: contact.id }
  return {
    contact,
    ticket,
    isReturn: before !== undefined,
    identities: [
      { ...ours, kind: 'phone' as const, value: contact.number },
      ...(channel.kind === 'telegram' ? [{ ...ours, kind: 'telegram' as const, value: String(700_000_000 + n) }] : []),
      ...((channel.kind === 'messenger' || channel.kind === 'instagram') && channel.account
        ? [{ ...ours, kind: channel.kind, value: scopedId(channel.account, String(800_000_000_000 + n)) }]
        : []),
      ...(channel.kind === 'webchat' ? [{ ...ours, kind: 'webchat' as const, value: `v_demo_${tenantId}_${n}` }] : []),
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
