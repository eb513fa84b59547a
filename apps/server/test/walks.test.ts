import { constants, createHmac, createPublicKey, publicEncrypt } from 'node:crypto'
import { newRun } from '@balcao/contract/automation/flows/engine.ts'
import { blankGraph, blankNode } from '@balcao/contract/automation/flows/graph.ts'
import {
  grantedPermissions,
  type MenuKey,
  menuKeys,
  type Permission,
  permissions,
  profiles,
} from '@balcao/contract/permissions.ts'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import type { RouteCard } from '../src/app.ts'
import { startTestApp, type TestUser } from './kit.ts'

/**
 * Every registered route is walked: as nobody, as each profile, as a stranger of another company, behind each hidden
 * menu. A new route is covered by being registered; a sample body in `bodies` makes its walk go deeper.
 */
const kit = await startTestApp()
const { app, as, schema, withTenant, withPlatform } = kit
const { loginPublicKey } = await import('../src/features/people/auth/login-key.ts')
const { storeFile } = await import('../src/features/core/media/media.service.ts')

const guarded = app.inventory.filter((route): route is RouteCard & { can: Permission } => route.can !== null)
const nameOf = (route: RouteCard) => `${route.method} ${route.url}`
const paramsOf = (route: RouteCard) => route.url.match(/:\w+|\*/g) ?? []
const fill = (route: RouteCard, value: string) => route.url.replace(/:\w+|\*/g, encodeURIComponent(value))

const owner = new pg.Client({ connectionString: kit.ownerUrl })
await owner.connect()
afterAll(() => owner.end())

const hookSecret = 'segredo-do-aplicativo'
const nextYear = new Date(Date.now() + 365 * 86_400_000)

/** A company with a row in every table a route may touch. `mark` is in every text, so that a leak shows. */
const seedWorld = async (mark: string) => {
  const tenant = await kit.seedTenant({ queues: [`Fila ${mark}`, `Outra fila ${mark}`] })
  const { tenantId, admin, agent } = tenant
  const [queueId = '', secondQueueId = ''] = Object.values(tenant.queues)
  const userId = (await kit.createUser(tenantId, { name: `Pessoa ${mark}` })).id
  const contactId = await kit.createContact(tenant, {
    name: `Contato ${mark}`,
    number: `551198765${1_000 + tenantId}`,
    walletIds: [userId],
  })
  const twinId = await kit.createContact(tenant, { name: `Gêmeo ${mark}` })
  const connectionId = await kit.createConnection(tenant, {
    kind: 'waba',
    name: `Canal ${mark}`,
    externalId: `conta-${mark}`,
    config: {
      appSecret: hookSecret,
      verifyToken: 'v',
      accessToken: 'a',
      phoneNumberId: `conta-${mark}`,
      wabaId: `w-${mark}`,
    },
  })
  const webchatId = await kit.createConnection(tenant, { name: `Site ${mark}` })
  const ticketId = await kit.createTicket(tenant, { contactId, connectionId, queue: `Fila ${mark}`, userId: agent.id })
  const file = await storeFile({
    tenantId,
    userId: admin.id,
    bytes: Buffer.from(`segredo ${mark}`),
    name: `${mark}.txt`,
  })
  const [tagId, messageId, taskId, reasonId, farewellId, scheduleId] = [v7(), v7(), v7(), v7(), v7(), v7()]
  const [macroId, noteId, secondNoteId, placeId, roleId] = [v7(), v7(), v7(), v7(), v7()]
  const [quickMessageId, secondQuickMessageId, folderId, tagGroupId] = [v7(), v7(), v7(), v7()]
  const [flowId, flowVersionId] = [v7(), v7()]
  await withTenant(tenantId, async ({ db }) => {
    await db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, ticketId)) // the 24 h window is open
    await db.update(schema.tenants).set({ maxUsers: 10_000 }).where(eq(schema.tenants.id, tenantId))
    await db.insert(schema.tags).values({ tenantId, id: tagId, name: `Etiqueta ${mark}`, color: '#112233' })
    await db.insert(schema.contactTags).values({ tenantId, contactId, tagId })
    await db.insert(schema.ticketTags).values({ tenantId, ticketId, tagId })
    await db.insert(schema.macros).values({
      tenantId,
      id: macroId,
      name: `Macro ${mark}`,
      scope: 'everyone',
      userId,
      actions: [{ kind: 'note', body: `Passo ${mark}` }],
    })
    await db
      .insert(schema.quickFolders)
      .values({ tenantId, id: folderId, name: `Pasta ${mark}`, scope: 'everyone', userId })
    await db.insert(schema.tagGroups).values({ tenantId, id: tagGroupId, name: `Grupo ${mark}`, color: '#112233' })
    await db.insert(schema.quickMessages).values({
      tenantId,
      id: quickMessageId,
      key: mark,
      message: `Resposta ${mark}`,
      scope: 'everyone',
      userId,
      folderId,
    })
    const second = { key: `${mark}-2`, message: `Outra ${mark}`, scope: 'everyone' as const, userId }
    await db.insert(schema.quickMessages).values({ tenantId, id: secondQuickMessageId, ...second })
    await db.insert(schema.quickMessageParts).values({
      tenantId,
      quickMessageId,
      position: 0,
      kind: 'file',
      body: `Resposta ${mark}`,
      mediaId: file.id,
    })
    await db.insert(schema.quickMessageUses).values({ tenantId, quickMessageId, userId, count: 1, lastAt: new Date() })
    await db.insert(schema.messages).values({
      tenantId,
      id: messageId,
      ticketId,
      contactId,
      connectionId,
      fromMe: true,
      type: 'document',
      body: `Mensagem ${mark}`,
      mediaId: file.id,
      mediaState: 'ready',
      providerId: `dito-${mark}`,
      status: 'failed',
      userId: agent.id,
      timestamp: new Date(),
    })
    await db
      .insert(schema.ticketLogs)
      .values({ tenantId, ticketId, type: 'note', userId: agent.id, note: `Nota ${mark}` })
    const note = {
      tenantId,
      ticketId,
      contactId,
      connectionId,
      fromMe: true,
      type: 'note' as const,
      body: `Nota ${mark}`,
      status: 'sent' as const,
      userId: agent.id,
      timestamp: new Date(),
    }
    await db.insert(schema.messages).values([noteId, secondNoteId].map((id) => ({ ...note, id })))
    await db
      .insert(schema.roles)
      .values({ tenantId, id: roleId, name: `Papel ${mark}`, permissions: ['contacts.read'] })
    await db.insert(schema.mails).values({
      tenantId,
      kind: 'invite',
      to: `${mark}@teste.local`,
      messageId: mark,
      expiresAt: nextYear,
    })
    await db.insert(schema.reasons).values({ tenantId, id: reasonId, name: `Motivo ${mark}` })
    await db.insert(schema.farewells).values({ tenantId, id: farewellId, name: mark, message: `Até logo ${mark}` })
    await db.insert(schema.places).values({ tenantId, id: placeId, name: `Loja ${mark}`, address: mark })
    await db.insert(schema.tasks).values({
      tenantId,
      id: taskId,
      name: `Tarefa ${mark}`,
      ownerId: agent.id,
      userId: admin.id,
      ticketId,
      contactId,
    })
    await db.insert(schema.taskComments).values({ tenantId, taskId, userId: admin.id, body: `Comentário ${mark}` })
    await db.insert(schema.schedules).values({
      tenantId,
      id: scheduleId,
      contactId,
      connectionId,
      body: `Agendada ${mark}`,
      dueAt: nextYear,
      attemptAt: nextYear,
      wallTime: nextYear.toISOString().slice(0, 16),
      timeZone: 'UTC',
      createdBy: admin.id,
    })
    await db.insert(schema.drafts).values({ tenantId, userId: agent.id, ticketId, body: `Rascunho ${mark}` })
    const ofTicket = { tenantId, ticketId, userId: agent.id, expiresAt: nextYear }
    await db.insert(schema.ratings).values({ ...ofTicket, contactId, connectionId, comment: `Comentário ${mark}` })
    await db.insert(schema.protocolLinks).values({ ...ofTicket, hash: mark })
    const line = { tenantId, ticketId, title: `Aviso ${mark}`, body: mark, link: '/' }
    await db.insert(schema.notifications).values([
      { ...line, userId: admin.id, kind: 'shared', subject: ticketId },
      { ...line, userId: agent.id, kind: 'message', subject: ticketId },
    ])
    const steps = { nodes: blankGraph().nodes, settings: { ...blankGraph().settings, welcomeMessage: mark } }
    const flow = { tenantId, id: flowId, name: `Fluxo ${mark}`, settings: steps.settings, publishedId: flowVersionId }
    await db.insert(schema.chatFlows).values(flow)
    for (const node of steps.nodes)
      await db.insert(schema.chatFlowNodes).values({ tenantId, flowId, nodeId: node.id, node, revision: 1 })
    const version = { tenantId, id: flowVersionId, flowId, number: 1, revision: 1, note: mark, ...steps }
    await db.insert(schema.chatFlowVersions).values(version)
    const state = newRun(flowVersionId, { nome: mark })
    const [run] = await db
      .insert(schema.chatFlowRuns)
      .values({ tenantId, ticketId, flowId, versionId: flowVersionId, startedBy: 'hand', state, endedAt: new Date() })
      .returning()
    const stepOf = { tenantId, runId: run?.id ?? '', flowId, versionId: flowVersionId, stepId: '1' }
    await db.insert(schema.chatFlowSteps).values({ ...stepOf, nodeId: 'start', note: mark })
    await db.insert(schema.audit).values({
      tenantId,
      userId: admin.id,
      action: 'tag.created',
      entity: 'tag',
      entityId: tagId,
      after: { name: mark },
    })
    await db
      .insert(schema.journal)
      .values({ tenantId, connectionId, eventKey: mark, payload: { mark }, state: 'unknown' })
  })
  return {
    mark,
    tenantId,
    admin,
    agent,
    queueId,
    userId,
    contactId,
    twinId,
    connectionId,
    webchatId,
    secondQueueId,
    ticketId,
    tagId,
    messageId,
    noteId,
    secondNoteId,
    taskId,
    reasonId,
    roleId,
    farewellId,
    placeId,
    scheduleId,
    macroId,
    quickMessageId,
    secondQuickMessageId,
    folderId,
    tagGroupId,
    flowId,
    flowVersionId,
    mediaId: file.id,
  }
}
type World = Awaited<ReturnType<typeof seedWorld>>

const sealedPassword = () => {
  const key = createPublicKey({ key: Buffer.from(loginPublicKey(), 'base64'), format: 'der', type: 'spki' })
  const padding = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
  return publicEncrypt(padding, Buffer.from('uma senha boa')).toString('base64')
}

/** Bodies that pass the schema of their route; every id in them is of the given company. */
const bodies: Record<string, (of: World) => Record<string, unknown>> = {
  'POST /api/chat-flow': () => ({ name: v7() }),
  'PUT /api/chat-flow/:id': () => ({ name: v7() }),
  'POST /api/chat-flow/bulk-delete': (of) => ({ ids: [of.flowId] }),
  'POST /api/chat-flow-duplicate': (of) => ({ id: of.flowId }),
  'POST /api/chat-flow/:id/draft': () => ({ base: 1, upserts: [blankNode('delay', 'd', { x: 0, y: 0 })] }),
  'POST /api/chat-flow/:id/publish': () => ({ revision: 1 }),
  'POST /api/chat-flow-event': (of) => ({ ticketId: of.ticketId, event: 'pago' }),
  'PUT /api/chat-flow-import/:id': (of) => ({
    product: 'balcao',
    format: 1,
    name: of.mark,
    nodes: [],
    settings: {},
  }),
  'POST /api/tags': () => ({ name: v7(), color: '#112233' }),
  'PUT /api/tags/:id': () => ({ name: v7() }),
  'POST /api/tags/bulk-delete': (of) => ({ ids: [of.tagId] }),
  'POST /api/queue': (of) => ({ name: v7(), color: '#112233', memberIds: [of.userId] }),
  'PUT /api/queue/:id': (of) => ({ memberIds: [of.userId] }),
  'POST /api/queue/bulk-delete': (of) => ({ ids: [of.queueId] }),
  'POST /api/fastreply': (of) => ({
    key: v7(),
    message: 'Olá',
    scope: 'queue',
    queueId: of.queueId,
    mediaId: of.mediaId,
  }),
  'PUT /api/fastreply/:id': (of) => ({ scope: 'queue', queueId: of.queueId, mediaId: of.mediaId }),
  'POST /api/fastreply/bulk-delete': (of) => ({ ids: [of.tagId] }),
  'POST /api/fastreply/import': () => ({ csv: `Atalho;Mensagem\n${v7()};Oi` }),
  'POST /api/fastreply/:id/merge': (of) => ({ intoId: of.secondQuickMessageId }),
  'POST /api/tags/import': () => ({ csv: `Nome;Grupo\n${v7()};G` }),
  'POST /api/fastreply-folders': () => ({ name: v7(), scope: 'everyone' }),
  'PUT /api/fastreply-folders/:id': () => ({ name: v7() }),
  'POST /api/fastreply-folders/bulk-delete': (of) => ({ ids: [of.folderId] }),
  'POST /api/tag-groups': () => ({ name: v7(), color: '#112233' }),
  'PUT /api/tag-groups/:id': () => ({ name: v7() }),
  'POST /api/tag-groups/bulk-delete': (of) => ({ ids: [of.tagGroupId] }),
  'POST /api/contacts': (of) => ({ name: 'Novo', tagIds: [of.tagId], walletIds: [of.userId] }),
  'PUT /api/contacts/:id': (of) => ({ notes: 'x', tagIds: [of.tagId], walletIds: [of.userId] }),
  'POST /api/contacts/:id/merge': (of) => ({ otherId: of.twinId, take: ['name'] }),
  'POST /api/contactFields': () => ({ name: v7(), key: v7(), type: 'list', options: ['A', 'B'] }),
  'PUT /api/contactFields/:id': () => ({ name: v7() }),
  'POST /api/contactFields/bulk-delete': (of) => ({ ids: [of.tagId] }),
  'PUT /api/contact-tags/:id': (of) => ({ tags: [of.tagId] }),
  'PUT /api/contact-wallet/:id': (of) => ({ wallets: [of.userId] }),
  'POST /api/whatsapp': (of) => ({
    kind: 'webchat',
    name: v7(),
    queueId: of.queueId,
    config: { allowAnyDomain: true },
  }),
  'POST /api/whatsapp/:id/journal/replay': () => ({ state: ['unknown'] }),
  'PUT /api/whatsapp/:id': (of) => ({ name: v7(), queueId: of.queueId }),
  'POST /api/tickets': (of) => ({ contactId: of.contactId, channelId: of.connectionId, queueId: of.queueId }),
  'PUT /api/tickets/:id': (of) => ({
    userId: of.userId,
    queueId: of.queueId,
    tagIds: [of.tagId],
    isTransference: true,
  }),
  'PUT /api/tickets/:id/draft': () => ({ body: 'x' }),
  'POST /api/notifications/read': (of) => ({ ticketId: of.ticketId }),
  'POST /api/macros': (of) => ({
    name: v7(),
    scope: 'queue',
    queueId: of.queueId,
    actions: [
      { kind: 'addTags', tagIds: [of.tagId] },
      { kind: 'transfer', queueId: of.queueId, userId: of.userId },
    ],
  }),
  'PUT /api/macros/:id': (of) => ({ scope: 'queue', queueId: of.queueId }),
  'POST /api/macros/bulk-delete': (of) => ({ ids: [of.tagId] }),
  'POST /api/macros/:id/run': (of) => ({ ticketId: of.ticketId, runId: v7() }),
  'POST /api/mentions/read': (of) => ({ ticketId: of.ticketId }),
  'PUT /api/tickets/:id/marks': () => ({ isPinned: true, isFollowed: true }),
  'POST /api/bulkJobs': (of) => ({
    kind: 'transferQueue',
    ticketIds: [of.ticketId],
    destinationQueueId: of.queueId,
    userId: of.userId,
  }),
  'POST /api/savedFilters': () => ({ name: v7(), query: 'aba=pendentes' }),
  'PUT /api/savedFilters/:id': () => ({ name: v7() }),
  'POST /api/messages/:ticketId': (of) => ({
    id: v7(),
    type: 'document',
    body: 'x',
    mediaId: of.mediaId,
    quotedId: of.messageId,
  }),
  'POST /api/noRedis': (of) => ({ id: v7(), ticketId: of.ticketId, type: 'document', mediaId: of.mediaId }),
  'POST /api/messages/editMessage': (of) => ({ messageId: of.secondNoteId, body: 'x' }),
  'POST /api/messages/:ticketId/vcard': () => ({ contact: { name: 'Maria' } }),
  'POST /api/messages/:ticketId/location': () => ({ location: { latitude: 1, longitude: 2 } }),
  'POST /api/forward-messages': (of) => ({
    requestId: v7(),
    messages: [of.messageId],
    contact: [of.contactId],
    channelId: of.connectionId,
  }),
  'POST /api/forward-other-channel-messages': (of) => ({
    requestId: v7(),
    messages: [of.messageId],
    contact: [of.contactId],
    channelId: of.connectionId,
  }),
  'POST /api/pending/resolvePending': (of) => ({ whatsappId: of.connectionId, action: 'retry' }),
  'POST /api/messages/sendBirthday': (of) => ({ whatsappId: of.connectionId, message: 'Parabéns' }),
  'POST /api/messages/reactionMessage': (of) => ({ messageId: of.messageId, emoji: '👍' }),
  'PATCH /api/messages/:id': () => ({ body: 'x' }),
  'DELETE /api/messages': (of) => ({ id: of.noteId }),
  'POST /api/users': (of) => ({
    name: 'Novo',
    email: `${v7()}@teste.local`,
    profile: 'user',
    roleId: of.roleId,
    queueIds: [of.queueId],
    password: sealedPassword(),
  }),
  'PUT /api/users/:id': (of) => ({ name: 'Novo nome', roleId: of.roleId, queueIds: [of.queueId] }),
  'POST /api/roles': () => ({ name: v7(), permissions: ['contacts.read'] }),
  'PUT /api/roles/:id': () => ({ permissions: ['tasks.read'] }),
  'POST /api/roles/bulk-delete': (of) => ({ ids: [of.roleId] }),
  'PUT /api/users/:id/configs': () => ({ isDark: true }),
  'PUT /api/users/:id/password': () => ({ current: sealedPassword(), next: sealedPassword() }),
  'POST /api/reasons': () => ({ name: v7() }),
  'PUT /api/reasons/:id': () => ({ name: v7() }),
  'POST /api/reasons/bulk-delete': (of) => ({ ids: [of.reasonId] }),
  'POST /api/farewellPrivateMessage': () => ({ name: v7(), message: 'Até logo' }),
  'PUT /api/farewellPrivateMessage/:id': () => ({ name: v7() }),
  'POST /api/farewellPrivateMessage/bulk-delete': (of) => ({ ids: [of.farewellId] }),
  'POST /api/places': () => ({ name: v7(), address: 'Praça da Sé, 1' }),
  'PUT /api/places/:id': () => ({ name: v7() }),
  'POST /api/places/bulk-delete': (of) => ({ ids: [of.placeId] }),
  'POST /api/todoLists': (of) => ({
    name: 'Ligar',
    ownerId: of.userId,
    ticketId: of.ticketId,
    contactId: of.contactId,
  }),
  'PUT /api/todoLists/:id': (of) => ({ ownerId: of.userId, ticketId: of.ticketId, contactId: of.contactId }),
  'POST /api/templates/sync': (of) => ({ connectionId: of.connectionId }),
  'POST /api/sendButton': (of) => ({
    id: v7(),
    ticketId: of.ticketId,
    body: 'Como prefere?',
    interactive: { kind: 'buttons', options: [{ id: 'sim', title: 'Sim' }] },
  }),
  'POST /api/messagesSchedule': (of) => ({
    contactId: of.contactId,
    connectionId: of.connectionId,
    body: 'x',
    mediaId: of.mediaId,
    scheduleDate: nextYear.toISOString(),
  }),
  'PUT /api/scheduleMessages/:id': (of) => ({ connectionId: of.connectionId, mediaId: of.mediaId }),
  'POST /api/ticketEvaluations': (of) => ({ ticketId: of.ticketId, grade: 5 }),
  'PUT /api/ticketEvaluations/:id': () => ({ grade: 5, comment: 'x' }),
  'PUT /api/tenants/rating': () => ({ attempts: 3 }),
  'PUT /api/tenantsRatingData': () => ({ thanks: 'Valeu' }),
  'POST /api/ticketProtocols': (of) => ({ ticketId: of.ticketId }),
  'POST /api/todoLists/:id/comments': () => ({ body: 'x' }),
  'PUT /api/usersIsOnline/:id': () => ({ isOnline: true }),
  'PUT /api/users/:id/availability': () => ({ state: 'away', reason: 'Almoço' }),
  'PUT /api/ticketsNull/:id': () => ({ status: 'pending', userId: null }),
  'PUT /api/ticketsChatBot/:id': () => ({ chatFlowId: null }),
  'PUT /api/ticketsChannelId/:id': (of) => ({ whatsappId: of.connectionId }),
  'PUT /api/ticketsChannel': (of) => ({ whatsappId: of.webchatId, newWhatsappId: of.connectionId }),
  'POST /api/tickets/:id/merge': (of) => ({ intoId: of.ticketId }),
  'POST /api/ticketsPause/:id/pause': () => ({ pauseReason: 'x' }),
  'POST /api/ticketsNotification/:id': () => ({ type: 'queue' }),
  'POST /api/ticket-shared': (of) => ({ ticketId: of.ticketId, userIds: [of.userId] }),
  'POST /api/closeAllOpen': (of) => ({ whatsappId: of.connectionId, queueId: of.queueId }),
  'POST /api/closeAllPending': (of) => ({ whatsappId: of.connectionId, queueId: of.queueId }),
  'POST /api/closeAllContactTickets': (of) => ({ contactId: of.contactId }),
  'POST /api/ticketsTransferBetweenQueues': (of) => ({
    sourceQueueId: of.queueId,
    destinationQueueId: of.secondQueueId,
    userId: of.userId,
  }),
  'PUT /api/ticketsUpdateAllUnreadMessages': (of) => ({ whatsappId: of.connectionId, queueId: of.queueId }),
}
const bodyOf = (route: RouteCard, of: World) => bodies[nameOf(route)]?.(of) ?? {}

/** Every id of a company, table by table. */
const idsOf = async (tenantId: number): Promise<string[]> => {
  const tables = await tenantTables('id')
  const { rows } = await owner.query<{ id: string }>(
    tables.map((table) => `select id::text from "${table}" where tenant_id = ${tenantId}`).join(' union '),
  )
  return rows.map((row) => row.id)
}
const tenantTables = async (withColumn = 'tenant_id') => {
  const { rows } = await owner.query<{ name: string }>(
    `select t.table_name as name from information_schema.tables t
      where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and (select count(*) from information_schema.columns c where c.table_schema = 'public' and c.table_name = t.table_name
          and c.column_name in ('tenant_id', $1)) = $2 order by 1`,
    [withColumn, withColumn === 'tenant_id' ? 1 : 2],
  )
  return rows.map((row) => row.name)
}
/** A fingerprint of all rows of a company, per table. */
const checksum = async (tenantId: number) => {
  const tables = await tenantTables()
  const { rows } = await owner.query<{ name: string; sum: string }>(
    tables
      .map(
        (table) =>
          `select '${table}' as name, coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from "${table}" t where tenant_id = ${tenantId}`,
      )
      .join(' union all '),
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.sum]))
}
/** Tables of one company in which something names one of these ids. */
const mentions = async (tenantId: number, ids: string[]) => {
  const tables = (await tenantTables()).filter((table) => table !== 'audit')
  const { rows } = await owner.query<{ name: string }>(
    tables
      .map((table) => `select '${table}' as name from "${table}" t where tenant_id = ${tenantId} and t::text ~ $1`)
      .join(' union '),
    [ids.join('|')],
  )
  return rows.map((row) => row.name)
}

const superadminOf = async () => {
  await withPlatform('test', ({ db }) =>
    db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }).onConflictDoNothing(),
  )
  return kit.createUser(0, { profile: 'superadmin' })
}
const refusals = (seen: { route: string; status: number; error?: string }[]) =>
  seen.map((one) => `${one.route} → ${one.status} ${one.error ?? ''}`)

const [a, b] = [await seedWorld('alfa'), await seedWorld('bravo')]
const superadmin = await superadminOf()
const createPerson = (profile: (typeof profiles)[number]) =>
  profile === 'superadmin'
    ? kit.createUser(0, { profile })
    : kit.createUser(a.tenantId, { profile, queueIds: [a.queueId] })
let people: { [profile in (typeof profiles)[number]]?: TestUser } = {}
const personOf = async (profile: (typeof profiles)[number]) => {
  people[profile] ??= await createPerson(profile)
  return people[profile]
}
/** What was done may have ended the session or the person: whoever calls next is somebody else. */
const replaceAfter = (route: RouteCard, status?: number) => {
  if (route.method !== 'GET' && !(status && status >= 400)) people = {}
}

test('every route names a permission of the catalogue, or is public on purpose', () => {
  expect(app.inventory.length).toBeGreaterThan(50)
  expect(guarded.filter((route) => !permissions.includes(route.can)).map(nameOf)).toEqual([])
})

test('the reference of the API describes every route, with its parameters, its body and its answer', () => {
  const { paths = {} } = JSON.parse(app.reference()) as { paths?: Record<string, Record<string, Described>> }
  const lacking = guarded.flatMap((route) => {
    const described = paths[route.url.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
    if (!described) return [`${nameOf(route)} is not there`]
    const names = new Set(described.parameters?.map((one) => one.name))
    const unnamed = paramsOf(route).filter((name) => !names.has(name.slice(1)))
    // Files and streams have no schema to show.
    const isFile = /export|media$/i.test(route.url)
    const answers = Object.values(described.responses ?? {}).some(
      (one) => one.content || one.description !== 'Default Response',
    )
    return [
      ...unnamed.map((name) => `${nameOf(route)} lacks ${name}`),
      ...(bodies[nameOf(route)] && !isFile && !described.requestBody ? [`${nameOf(route)} lacks its body`] : []),
      ...(answers || isFile || described.responses?.[204] ? [] : [`${nameOf(route)} lacks its answer`]),
    ]
  })
  expect(lacking).toEqual([])
})
type Described = Operation & { responses?: Record<string, { description?: string; content?: object }> }

test('nobody, a made-up token and a blocked person get nothing from a route that is not public', async () => {
  const blocked = await createPerson('admin')
  await withTenant(a.tenantId, ({ db }) =>
    db.update(schema.users).set({ isBlocked: true }).where(eq(schema.users.id, blocked.id)),
  )
  kit.invalidateDirectory(a.tenantId)
  const open: string[] = []
  for (const route of guarded) {
    for (const caller of [undefined, { token: `${a.admin.token}x` }, { token: 'x' }, blocked]) {
      const reply = await as(caller).send(route.method, fill(route, v7()))
      if (reply.status !== 401) open.push(`${nameOf(route)} → ${reply.status}`)
    }
  }
  expect(open).toEqual([])
})

test.each(profiles)('as %s, a route answers exactly when the profile may', async (profile) => {
  const granted = new Set(grantedPermissions(profile, {}))
  const wrong: { route: string; status: number; error?: string }[] = []
  for (const route of guarded) {
    const person = await personOf(profile)
    const reply = await as(person).send(route.method, fill(route, v7()), route.method === 'GET' ? undefined : {})
    replaceAfter(route, reply.status)
    const isRefused = reply.status === 403 && reply.body.error === 'ERR_NO_PERMISSION'
    const isBroken = reply.status === 401 || reply.status === 403 || reply.status >= 500
    if (granted.has(route.can) ? isBroken : !isRefused)
      wrong.push({ route: nameOf(route), status: reply.status, error: reply.body?.error })
  }
  expect(refusals(wrong)).toEqual([])
})

test('the id of another company’s row is answered like an id of nothing, and no row of theirs changes', async () => {
  const theirs = await idsOf(b.tenantId)
  const before = await checksum(b.tenantId)
  const wrong: { route: string; status: number; error?: string }[] = []
  const admin = await createPerson('admin')
  const routes = guarded.filter(
    (route) => paramsOf(route).length > 0 && grantedPermissions('admin', {}).includes(route.can),
  )

  for (const route of routes) {
    const send = (id: string, body: unknown) =>
      as(admin).send(route.method, fill(route, id), route.method === 'GET' ? undefined : body)
    for (const body of bodies[nameOf(route)] ? [bodyOf(route, a), {}] : [{}]) {
      const nothing = v7()
      const ofNothing = await send(nothing, body)
      for (const id of theirs) {
        const reply = await send(id, body)
        const rest = JSON.stringify(reply.body).replaceAll(id, '')
        const isAbsent = reply.status === 404 || reply.status === 422
        const isBlind =
          reply.status === ofNothing.status &&
          withoutRequest(reply.body, id) === withoutRequest(ofNothing.body, nothing)
        const leaks = rest.includes(b.mark) || theirs.some((other) => other !== id && rest.includes(other))
        if ((!isAbsent && !isBlind) || leaks)
          wrong.push({ route: `${nameOf(route)} ${id}`, status: reply.status, error: reply.body?.error })
      }
    }
  }
  expect(refusals(wrong)).toEqual([])
  expect(routes.length).toBeGreaterThan(20)
  expect(await checksum(b.tenantId)).toEqual(before)
})
const withoutRequest = (body: unknown, id: string) =>
  JSON.stringify(body, (key, value) => (key === 'requestId' ? undefined : value)).replaceAll(id, '')

test('no list, count or export tells of another company, whatever the query or the headers claim', async () => {
  const theirs = [...(await idsOf(b.tenantId)), b.mark]
  const leaks: string[] = []
  const admin = await createPerson('admin')
  const lists = guarded.filter(
    (route) =>
      route.method === 'GET' && paramsOf(route).length === 0 && grantedPermissions('admin', {}).includes(route.can),
  )
  const claims = [
    '',
    `?tenantId=${b.tenantId}&companyId=${b.tenantId}`,
    `?searchParam=${b.mark}&showAll=true&count=true`,
    `?search=${b.mark}&q=${b.mark}`,
    `?tagIds=${b.tagId}&walletIds=${b.userId}&queuesIds=${b.queueId}&contactId=${b.contactId}`,
  ]
  for (const route of lists) {
    for (const claim of claims) {
      const reply = await app.inject({
        url: route.url + claim,
        headers: {
          authorization: `Bearer ${admin.token}`,
          'x-tenant-id': String(b.tenantId),
          tenantid: String(b.tenantId),
        },
      })
      const answer = theirs.filter((id) => reply.body.includes(id) && !claim.includes(id))
      const tells = claim.includes(b.mark) && /"count":[1-9]/.test(reply.body)
      if (answer.length || tells || reply.statusCode >= 500)
        leaks.push(`${nameOf(route)}${claim} → ${reply.statusCode} ${answer.join(' ')}`)
    }
  }
  expect(leaks).toEqual([])
  expect(lists.length).toBeGreaterThan(10)
})

test('a conversation hidden from a colleague is told by no route and changed by none, whatever id is asked for (T09)', async () => {
  const world = await seedWorld('charlie')
  const { tenantId, ticketId } = world
  const secret = 'sigilo'
  const file = await storeFile({
    tenantId,
    userId: world.admin.id,
    bytes: Buffer.from(secret),
    name: `${secret}.txt`,
  })
  const c = { ...world, mediaId: file.id }
  await withTenant(tenantId, async ({ db }) => {
    const { messages, tickets, ticketLogs, ratings, schedules } = schema
    await db.update(messages).set({ body: secret }).where(eq(messages.ticketId, ticketId))
    await db.update(messages).set({ mediaId: file.id }).where(eq(messages.id, c.messageId))
    await db.update(tickets).set({ lastMessage: secret }).where(eq(tickets.id, ticketId))
    await db.update(ticketLogs).set({ note: secret }).where(eq(ticketLogs.ticketId, ticketId))
    await db.update(ratings).set({ comment: secret }).where(eq(ratings.ticketId, ticketId))
    await db.update(schedules).set({ body: secret }).where(eq(schedules.id, c.scheduleId))
  })
  const [{ protocol = '' } = {}] = await withTenant(tenantId, ({ db }) =>
    db.select().from(schema.tickets).where(eq(schema.tickets.id, ticketId)),
  )
  // Its queue is not theirs, and it is somebody else's.
  const createColleague = () => kit.createUser(tenantId, { queueIds: [c.secondQueueId] })
  let colleague = await createColleague()
  expect((await as(colleague).get(`/tickets/${ticketId}`)).status).toBe(404)

  const parts = ['messages', 'ticket_logs', 'ratings', 'drafts', 'ticket_tags', 'ticket_marks', 'protocol_links']
  const stateOf = async () => {
    const rows = [
      `select t::text from tickets t where tenant_id = $1 and id = $2`,
      `select t::text from schedules t where tenant_id = $1 and id = $3`,
      ...parts.map((part) => `select t::text from ${part} t where tenant_id = $1 and ticket_id = $2`),
    ]
    const found = await owner.query({ text: rows.join(' union all '), rowMode: 'array' }, [
      tenantId,
      ticketId,
      c.scheduleId,
    ])
    return found.rows.flat().toSorted().join()
  }
  let before = await stateOf()
  const wrong: string[] = []
  const ask = async (route: RouteCard, url: string, body?: unknown) => {
    const reply = await as(colleague).send(route.method, url, body)
    const text = JSON.stringify(reply.body)
    const told = [secret, protocol].filter((word) => text.includes(word) && !url.includes(word))
    if (told.length || reply.status >= 500) wrong.push(`${nameOf(route)} ${url} → ${reply.status} ${text}`)
    if (route.method === 'GET') return
    const after = await stateOf()
    if (after !== before) wrong.push(`${nameOf(route)} ${url} → ${reply.status} and changed it`)
    before = after
    if (reply.status < 400) colleague = await createColleague()
  }
  const ids = await idsOf(tenantId)
  const questions = [
    '?showAll=true&count=true&status=open,pending,closed',
    `?search=${secret}&searchParam=${secret}&q=${secret}&showAll=true`,
    `?ticketId=${ticketId}&contactId=${c.contactId}&messageId=${c.messageId}&userId=${c.agent.id}`,
    `?queuesIds=${c.queueId}&whatsappIds=${c.connectionId}&selectedUser=${c.agent.id}&showAll=true`,
  ]
  for (const route of guarded.filter(({ can }) => grantedPermissions('user', {}).includes(can))) {
    const body = route.method === 'GET' ? undefined : bodyOf(route, c)
    if (paramsOf(route).length) for (const id of ids) await ask(route, fill(route, id), body)
    else if (body) await ask(route, route.url, body)
    else for (const question of questions) await ask(route, route.url + question)
  }
  expect(wrong).toEqual([])
})

test('an id of another company inside a body is refused, and nothing is linked to it', async () => {
  const ours: Record<string, string> = {
    '/whatsapp/:id': a.connectionId,
    ':ticketId': a.ticketId,
    '/tickets': a.ticketId,
    '/users/:id': a.userId,
    '/queue/:id': a.queueId,
    '/tags/:id': a.tagId,
    '/todoLists/:id': a.taskId,
    '/scheduleMessages/:id': a.scheduleId,
    '/macros/:id': a.macroId,
    '/fastreply/:id': a.quickMessageId,
    '/fastreply-folders/:id': a.folderId,
    '/tag-groups/:id': a.tagGroupId,
  }
  const target = (route: RouteCard) =>
    Object.entries(ours).find(([part]) => route.url.includes(part))?.[1] ?? a.contactId
  const theirs = await idsOf(b.tenantId)
  const before = await checksum(b.tenantId)
  const wrong: { route: string; status: number; error?: string }[] = []
  const foreign = guarded.flatMap((route) => {
    const [own, strange] = [bodyOf(route, a), bodyOf(route, b)]
    const fields = Object.keys(own).filter((name) => theirs.some((id) => JSON.stringify(strange[name]).includes(id)))
    return fields.map((name) => ({ route, name, body: { ...own, [name]: strange[name] } }))
  })

  for (const { route, name, body } of foreign) {
    // Whoever may use the route, else the refusal would be about the person.
    const reply = await as(a.admin).send(route.method, fill(route, target(route)), body)
    const isBulk = route.url.endsWith('/bulk-delete') && reply.body.deleted?.length === 0
    if (![404, 422].includes(reply.status) && !isBulk)
      wrong.push({ route: `${nameOf(route)} ${name}`, status: reply.status, error: reply.body?.error })
  }
  // The same bodies with our own ids are accepted: the refusals above were about the stranger's.
  for (const { route } of foreign) {
    const reply = await as(a.admin).send(route.method, fill(route, target(route)), bodyOf(route, a))
    if (reply.status === 422 || reply.status === 404)
      wrong.push({ route: `own ${nameOf(route)}`, status: reply.status, error: JSON.stringify(reply.body) })
  }
  expect(refusals(wrong)).toEqual([])
  expect(foreign.length).toBeGreaterThan(15)
  expect(await mentions(a.tenantId, theirs)).toEqual([])
  expect(await checksum(b.tenantId)).toEqual(before)
})

test('a body cannot move a row to another company or raise its writer', async () => {
  const claims = {
    tenantId: b.tenantId,
    companyId: b.tenantId,
    isSupport: true,
    profile: 'superadmin',
    permissions: ['tenants.write'],
    tokenVersion: 99,
    passwordHash: 'x',
  }
  const before = await checksum(b.tenantId)
  for (const route of guarded.filter((one) => bodies[nameOf(one)] && one.method !== 'DELETE')) {
    const reply = await as(a.agent).send(route.method, fill(route, a.agent.id), { ...bodyOf(route, a), ...claims })
    expect(reply.status, nameOf(route)).not.toBe(500)
  }
  const [agent] = await withTenant(a.tenantId, ({ db }) =>
    db.select().from(schema.users).where(eq(schema.users.id, a.agent.id)),
  )
  expect(agent).toMatchObject({
    profile: 'user',
    isSupport: false,
    tokenVersion: 1,
    passwordHash: 'x',
    tenantId: a.tenantId,
  })
  expect(await checksum(b.tenantId)).toEqual(before)
})

test.each(menuKeys)('behind the hidden menu %s the server refuses, whoever hid it', async (menu) => {
  const hidden = { [menu]: false } as Record<MenuKey, boolean>
  const company = await kit.seedTenant({ menuVisibility: hidden })
  const wrong: string[] = []
  for (const profile of ['user', 'super', 'admin'] as const) {
    const lost = new Set(grantedPermissions(profile, {}))
    for (const kept of grantedPermissions(profile, hidden)) lost.delete(kept)
    const byCompany: TestUser = { user: company.agent, super: company.supervisor, admin: company.admin }[profile]
    const byPerson = await kit.createUser(a.tenantId, { profile, menuPermissions: hidden })
    for (const route of guarded.filter((one) => lost.has(one.can))) {
      for (const person of [byCompany, byPerson]) {
        const reply = await as(person).send(route.method, fill(route, v7()), route.method === 'GET' ? undefined : {})
        if (reply.status !== 403) wrong.push(`${profile} ${nameOf(route)} → ${reply.status}`)
      }
    }
  }
  expect(wrong).toEqual([])
})

test('the platform’s own people have no door into a company but impersonation', async () => {
  const theirs = guarded.filter((route) => !grantedPermissions('superadmin', {}).includes(route.can))
  expect(theirs.length).toBeGreaterThan(40)
  for (const route of theirs)
    expect((await as(superadmin).send(route.method, fill(route, a.ticketId))).status, nameOf(route)).toBe(403)
})

type Schema = {
  type?: string
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Way = (string | number)[]
type Operation = {
  parameters?: { in: string; name: string }[]
  requestBody?: { content?: Record<string, { schema: Schema }> }
}

/** What no screen sends: bytes PostgreSQL has no letter for, half a letter, operators, moments before there were any. */
const hostileTexts = [
  'a\0b',
  'a\ud800b',
  "' or pg_sleep(5) is null --",
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
]
/** Where a text or a number is expected. */
const hostileShapes: unknown[] = [{ a: { b: [] } }, [null], { toString: 'x', length: 1 }]
const deep = (depth: number) => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`
const hostileNumbers = [Number.MAX_SAFE_INTEGER, -1, 1e300]
const asCursor = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url')
const forgedCursors = [
  'nada',
  asCursor({}),
  asCursor([]),
  asCursor([null, null]),
  ...['a\0b', '0000-01-01T00:00:00Z', 1e300, 0.5].flatMap((key) => [
    asCursor([key]),
    asCursor([key, v7()]),
    asCursor(['x', key]),
    asCursor(['x', key, v7()]),
  ]),
]

/** Every place of a body where a text or a number may stand, three deep. */
const placesOf = (schema: Schema, way: Way = []): { way: Way; kind: 'text' | 'number' }[] => {
  const either = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [
    ...(schema.type === 'string' ? [{ way, kind: 'text' as const }] : []),
    ...(schema.type === 'number' || schema.type === 'integer' ? [{ way, kind: 'number' as const }] : []),
    ...either.flatMap((one) => placesOf(one, way)),
    ...(way.length < 3 && schema.items ? placesOf(schema.items, [...way, 0]) : []),
    ...(way.length < 3
      ? Object.entries(schema.properties ?? {}).flatMap(([name, one]) => placesOf(one, [...way, name]))
      : []),
  ]
}
const withAt = (whole: unknown, [step, ...rest]: Way, value: unknown): unknown => {
  if (step === undefined) return value
  if (typeof step === 'number') return [withAt(Array.isArray(whole) ? whole[0] : undefined, rest, value)]
  const fields = typeof whole === 'object' && whole !== null ? (whole as Record<string, unknown>) : {} // no class of ours
  return { ...fields, [step]: withAt(fields[step], rest, value) }
}

test('whatever is typed, in a body, a query or an address, no route fails', async () => {
  const { paths = {} } = JSON.parse(app.reference()) as { paths?: Record<string, Record<string, Operation>> }
  const operationOf = (route: RouteCard): Operation =>
    paths[route.url.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()] ?? {}
  const failures: string[] = []
  const open = app.inventory.filter((route) => route.can === null && /^\/(api|hooks)\//.test(route.url))
  for (const route of [...guarded, ...open]) {
    const profile =
      route.can && !grantedPermissions('admin', {}).includes(route.can as Permission) ? 'superadmin' : 'admin'
    const caller = route.can === null ? undefined : await personOf(profile)
    const send = async (what: string, url: string, body?: unknown) => {
      const { status } = await as(caller)
        .send(route.method, url, body)
        .catch((error: Error) => ({ status: error.message })) // an answer that broke off
      if (typeof status === 'string' || status >= 500) failures.push(`${nameOf(route)} ${what} → ${status}`)
    }
    replaceAfter(route)
    const { parameters = [], requestBody } = operationOf(route)
    const own = fill(route, a.ticketId)
    const sample = route.method === 'GET' ? undefined : bodyOf(route, a)
    for (const name of paramsOf(route))
      for (const text of ['%00', '..%2F..%2Fetc%2Fpasswd', '..%5C', '%E0%A4%A', '1e300', '99999999999999999999'])
        await send(`${name} ${text}`, route.url.replace(/:\w+|\*/g, text), sample)
    for (const { name } of parameters.filter((one) => one.in === 'query')) {
      const values = name === 'cursor' ? forgedCursors : [...hostileTexts, ...hostileNumbers.map(String), '1', v7()]
      for (const value of values) {
        const query = new URLSearchParams({ [name]: value })
        await send(`?${name}=${JSON.stringify(value)}`, `${own}?${query}`, sample)
      }
    }
    const schema = requestBody?.content?.['application/json']?.schema
    if (!schema) continue
    for (const { way, kind } of placesOf(schema))
      for (const value of [...(kind === 'text' ? hostileTexts : hostileNumbers), ...hostileShapes])
        await send(`${way.join('.')}=${JSON.stringify(value)}`, own, withAt(sample, way, value))
    for (const odd of [[], 'x', 1, null, { constructor: { prototype: { isAdmin: true } } }])
      await send(JSON.stringify(odd), own, odd)
  }
  expect(failures).toEqual([])
}, 600_000)

test('a body that is no JSON, or boxes within boxes, is refused by every route', async () => {
  const failures: string[] = []
  const admin = await createPerson('admin')
  const writing = app.inventory.filter(({ method, url }) => method !== 'GET' && /^\/(api|hooks)\//.test(url))
  for (const route of writing) {
    const isHook = route.url.startsWith('/hooks/')
    const url = isHook ? `/hooks/waba${route.url.includes(':') ? `/${a.connectionId}` : ''}` : fill(route, a.ticketId)
    for (const payload of [deep(40_000), `{"body":${deep(2_000)}}`, '{"a":', '\0', '"x"', '{"__proto__":{"a":1}}']) {
      const signature = createHmac('sha256', hookSecret).update(payload).digest('hex')
      const reply = await app.inject({
        method: route.method as 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${admin.token}`,
          'x-hub-signature-256': `sha256=${signature}`,
        },
        payload,
      })
      if (reply.statusCode >= 500) failures.push(`${nameOf(route)} ${payload.slice(0, 20)} → ${reply.statusCode}`)
    }
  }
  expect(failures).toEqual([])
}, 300_000)
