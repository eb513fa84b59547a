import { defaultSettings, type TenantSettings } from '@balcao/contract/people/settings.ts'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import type { TicketFacts } from '../../../kit/outbox.ts'
import { binding } from '../../../kit/sql.ts'
import type { Directory, Person } from '../../core/directory/directory.ts'
import { canSee, decide, type Viewer, viewersOf, visibleTickets } from './tickets.policy.ts'

const { seedTenant, createUser, createContact, createConnection, schema, withTenant } = await startTestApp()

/** A generator that gives the same numbers in every run: a failure can be looked at again. */
const randomOf = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return seed / 4_294_967_296
}
const random = randomOf(20_261_120)
const chance = (share: number) => random() < share
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const flags = [
  'NotViewTicketsChatBot',
  'DirectTicketsToWallets',
  'transbordo',
  'NotViewAssignedTickets',
  'nullticket',
  'supervisorAdmin',
  'mostrarGruposParaTodos',
  'mostrarFechadoParaTodos',
] as const satisfies (keyof TenantSettings)[]

test('the predicate and the SQL show the same tickets to everybody', async () => {
  const tenant = await seedTenant({ queues: ['A', 'B', 'C', 'D'] })
  const queueIds = Object.values(tenant.queues)
  const users = [
    tenant.agent,
    tenant.supervisor,
    tenant.admin,
    await createUser(tenant.tenantId),
    await createUser(tenant.tenantId),
  ]
  const userIds = users.map((user) => user.id)
  const connectionId = await createConnection(tenant)
  const facts: TicketFacts[] = []
  for (let i = 0; i < 200; i += 1) {
    const wallets = chance(0.4) ? [...new Set([pick(userIds), pick(userIds)])] : []
    const contactId = await createContact(tenant, { walletIds: wallets })
    facts.push({
      id: v7(),
      status: pick(['open', 'pending', 'closed']),
      userId: chance(0.5) ? pick(userIds) : null,
      queueId: chance(0.6) ? pick(queueIds) : null,
      chatFlowId: chance(0.4) ? v7() : null,
      isGroup: chance(0.2),
      wallets,
      sharedWith: chance(0.1) ? [pick(userIds)] : [],
    })
    const { wallets: _, ...row } = facts[i] as TicketFacts
    await withTenant(tenant.tenantId, (tx) =>
      tx.db
        .insert(schema.tickets)
        .values({ ...row, tenantId: tenant.tenantId, protocol: `p${i}`, contactId, connectionId }),
    )
  }

  let cases = 0
  let seen = 0
  const rules = new Set<string>()
  for (let i = 0; i < 250; i += 1) {
    const settings = { ...defaultSettings }
    for (const flag of flags) settings[flag] = chance(0.4)
    const viewer: Viewer = {
      userId: pick(userIds),
      seesAll: chance(0.4),
      queueIds: queueIds.filter(() => chance(0.4)),
      settings,
      timezone: 'America/Sao_Paulo',
      hasQueues: chance(0.8),
      ableIds: new Set(userIds.filter(() => chance(0.8))),
    }
    const showAll = chance(0.5)
    const { values, bind } = binding()
    const text = `select t.id from tickets t where t.tenant_id = ${bind(tenant.tenantId)} and ${visibleTickets(viewer, { showAll }, bind)}`
    const rows = await withTenant(tenant.tenantId, (tx) => tx.rows<{ id: string }>({ name: '', text }, values))
    const bySql = new Set(rows.map((row) => row.id))

    for (const ticket of facts) {
      const decision = decide(viewer, ticket, { showAll })
      rules.add(`${decision.rule}:${decision.isVisible}`)
      if (decision.isVisible !== bySql.has(ticket.id))
        expect({ viewer, ticket, showAll, decision }).toBe('the same in SQL')
      if (decision.isVisible) expect(canSee(viewer, ticket)).toBe(true)
      cases += 1
      if (decision.isVisible) seen += 1
    }
  }
  expect(cases).toBeGreaterThanOrEqual(20_000)
  expect(seen / cases).toBeGreaterThan(0.2)
  expect([...rules].sort()).toEqual([
    'DirectTicketsToWallets:false',
    'DirectTicketsToWallets:true',
    'NotViewAssignedTickets:false',
    'NotViewTicketsChatBot:false',
    'assignedToMe:true',
    'default:true',
    'mostrarFechadoParaTodos:true',
    'mostrarGruposParaTodos:true',
    'nullticket:false',
    'nullticket:true',
    'queues:false',
    'queues:true',
    'shared:true',
    'showAll:true',
  ])
})

const ticketOf = (more: Partial<TicketFacts> = {}): TicketFacts => ({
  id: v7(),
  status: 'pending',
  userId: null,
  queueId: null,
  chatFlowId: null,
  isGroup: false,
  wallets: [],
  sharedWith: [],
  ...more,
})
const viewerWith = (settings: Partial<TenantSettings>, more: Partial<Viewer> = {}): Viewer => ({
  userId: 'me',
  seesAll: false,
  queueIds: ['mine'],
  hasQueues: true,
  settings: { ...defaultSettings, ...settings },
  timezone: 'America/Sao_Paulo',
  ableIds: new Set(['me', 'other']),
  ...more,
})
const cases: [string, Viewer, TicketFacts, boolean][] = [
  [
    'an admin sees everything',
    viewerWith({ NotViewAssignedTickets: true }, { seesAll: true }),
    ticketOf({ userId: 'other' }),
    true,
  ],
  ['an agent sees own queues', viewerWith({}), ticketOf({ queueId: 'mine' }), true],
  ['and not other queues', viewerWith({}), ticketOf({ queueId: 'x' }), false],
  ['nor tickets without queue', viewerWith({}), ticketOf(), false],
  ['unless nullticket is on', viewerWith({ nullticket: true }), ticketOf(), true],
  ['and somebody has them', viewerWith({ nullticket: true }), ticketOf({ userId: 'other' }), false],
  ['without registered queues everybody sees', viewerWith({}, { hasQueues: false }), ticketOf({ queueId: 'x' }), true],
  ['what is assigned to me I see in any queue', viewerWith({}), ticketOf({ queueId: 'x', userId: 'me' }), true],
  [
    'a contact in the wallet of another is hidden',
    viewerWith({ DirectTicketsToWallets: true }),
    ticketOf({ queueId: 'mine', wallets: ['other'] }),
    false,
  ],
  [
    'unless it overflowed to the queue',
    viewerWith({ DirectTicketsToWallets: true, transbordo: true }),
    ticketOf({ queueId: 'mine', wallets: ['other'] }),
    true,
  ],
  [
    'where it waits for nobody else',
    viewerWith({ DirectTicketsToWallets: true, transbordo: true }),
    ticketOf({ queueId: 'mine', wallets: ['other'], userId: 'other' }),
    false,
  ],
  [
    'a wallet owner sees',
    viewerWith({ DirectTicketsToWallets: true }),
    ticketOf({ queueId: 'mine', wallets: ['other', 'me'] }),
    true,
  ],
  [
    'in whatever queue, and whoever serves it',
    viewerWith({ DirectTicketsToWallets: true, NotViewAssignedTickets: true }),
    ticketOf({ queueId: 'x', userId: 'other', wallets: ['me'] }),
    true,
  ],
  [
    'a wallet of somebody who cannot attend is nobody’s',
    viewerWith({ DirectTicketsToWallets: true }, { ableIds: new Set(['me']) }),
    ticketOf({ queueId: 'mine', wallets: ['other'] }),
    true,
  ],
  [
    'a contact without wallet is for all',
    viewerWith({ DirectTicketsToWallets: true }),
    ticketOf({ queueId: 'mine' }),
    true,
  ],
  [
    'assigned to others is hidden',
    viewerWith({ NotViewAssignedTickets: true }),
    ticketOf({ queueId: 'mine', userId: 'other' }),
    false,
  ],
  [
    'chat bot only is hidden',
    viewerWith({ NotViewTicketsChatBot: true, nullticket: true }),
    ticketOf({ chatFlowId: 'f' }),
    false,
  ],
  [
    'closed for all, own queue',
    viewerWith({ mostrarFechadoParaTodos: true, NotViewAssignedTickets: true }),
    ticketOf({ status: 'closed', userId: 'other', queueId: 'mine' }),
    true,
  ],
  [
    'closed for all, other queue',
    viewerWith({ mostrarFechadoParaTodos: true }),
    ticketOf({ status: 'closed', queueId: 'x' }),
    false,
  ],
  [
    'closed for all takes nothing away: a group of another queue',
    viewerWith({ mostrarFechadoParaTodos: true, mostrarGruposParaTodos: true }),
    ticketOf({ status: 'closed', queueId: 'x', isGroup: true }),
    true,
  ],
  [
    'closed by me stays mine',
    viewerWith({ mostrarFechadoParaTodos: true }),
    ticketOf({ status: 'closed', queueId: 'x', userId: 'me' }),
    true,
  ],
  [
    'a group is for all',
    viewerWith({ mostrarGruposParaTodos: true, NotViewAssignedTickets: true }),
    ticketOf({ isGroup: true, userId: 'other', queueId: 'x' }),
    true,
  ],
]
test.each(cases)('%s', (_name, viewer, ticket, isVisible) => {
  expect(canSee(viewer, ticket)).toBe(isVisible)
})

test('no settings make a conversation that nobody can see, nor take it from everybody who attends', () => {
  const queueIds = ['A', 'B', 'C']
  const settled = (share: number) => Object.fromEntries(flags.map((flag) => [flag, chance(share)]))
  const personOf = (n: number): Person => ({
    id: `p${n}`,
    name: `Pessoa ${n}`,
    email: '',
    profile: 'user',
    roleId: null,
    isSupport: false,
    isBlocked: n > 0 && chance(0.2),
    isOnline: chance(0.5),
    awaySince: null,
    awayReason: null,
    capacity: null,
    tokenVersion: 1,
    configs: {},
    menuPermissions: {},
    allowedHours: [],
    queueIds: queueIds.filter(() => chance(0.3)),
    otherTenantId: null,
    permissions: new Set(
      n === 0
        ? ['tickets.read', 'tickets.showAll']
        : chance(0.85)
          ? ['tickets.read', ...(chance(0.4) ? (['tickets.showAll'] as const) : [])]
          : [],
    ),
  })
  let attended = 0
  for (let i = 0; i < 3_000; i += 1) {
    const people = Array.from({ length: 6 }, (_, n) => personOf(n))
    const directory = {
      settings: { ...defaultSettings, ...settled(0.5) },
      timezone: 'America/Sao_Paulo',
      people: new Map(people.map((person) => [person.id, person])),
      queues: new Map(chance(0.9) ? queueIds.map((id) => [id, {}]) : []),
    } as unknown as Directory // what the policy asks of it
    const ticket = ticketOf({
      status: pick(['open', 'pending', 'closed']),
      userId: chance(0.4) ? pick(people).id : null,
      queueId: chance(0.7) ? pick(queueIds) : null,
      chatFlowId: chance(0.2) ? 'f' : null,
      isGroup: chance(0.2),
      wallets: chance(0.4) ? [pick(people).id] : [],
    })
    const seenBy = viewersOf(directory, ticket)
    if (!seenBy.length) expect({ ticket, settings: directory.settings }).toBe('seen by somebody')

    // Whoever has it, owns its contact or is of its queue: the first of these who can attend sees it.
    const attends = people.filter((one) => !one.isBlocked && one.permissions.size > 0)
    const owners = attends.filter(({ id }) => directory.settings.DirectTicketsToWallets && ticket.wallets.includes(id))
    const members = attends.filter((one) => ticket.queueId && one.queueIds.includes(ticket.queueId))
    const isHeld = attends.some(({ id }) => id === ticket.userId)
    const isBots =
      directory.settings.NotViewTicketsChatBot && ticket.chatFlowId && ticket.userId === null && ticket.queueId === null
    const isLeft = ticket.userId !== null && !isHeld // was blocked a moment ago: it is given back by itself
    const ought = isHeld ? attends.filter(({ id }) => id === ticket.userId) : owners.length ? owners : members
    if (!ought.length || isBots || (isLeft && directory.settings.NotViewAssignedTickets && !owners.length)) continue
    attended += 1
    if (!ought.some(({ id }) => seenBy.includes(id)))
      expect({ ticket, people, settings: directory.settings }).toBe('seen by who attends')
  }
  expect(attended).toBeGreaterThan(1_000)
})
