import './environment.ts' // before anything reads it
import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import type { Profile } from '@balcao/contract/permissions.ts'
import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, inject } from 'vitest'
import { secret } from './secret.ts'

const asOwner = async (statement: string) => {
  const admin = new pg.Client({ connectionString: inject('ownerUrl') })
  await admin.connect()
  await admin.query(statement)
  await admin.end()
}
/** A database of this test file alone, cloned from the migrated template. */
const createDatabase = async () => {
  const name = `test_${v7().replaceAll('-', '')}`
  // Copying the template's files costs a third of writing its pages to the log.
  await asOwner(`create database ${name} template ${inject('template')} strategy file_copy`)
  const url = new URL(inject('ownerUrl'))
  url.pathname = `/${name}`
  return { ownerUrl: url.toString(), drop: () => asOwner(`drop database if exists ${name} with (force)`) }
}

export type TestUser = { id: string; tenantId: number; name: string; email: string; profile: Profile; token: string }
// biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape
export type Reply = { status: number; body: any; headers: Record<string, unknown> }

/**
 * The real application on a real database of its own. Call once at the top of a test file:
 * `const { as, seedTenant, … } = await startTestApp()`; everything is closed after the file.
 */
export const startTestApp = async () => {
  const { ownerUrl, drop } = await createDatabase()
  const { roleUrls } = await import('../src/db/migrate.ts')
  const { openDatabase, closeDatabase, withTenant, withPlatform, statementCount } = await import(
    '../src/db/database.ts'
  )
  const { buildApp } = await import('../src/app.ts')
  const { issueAccessToken } = await import('../src/features/people/auth/access-token.ts')
  const { invalidateDirectory } = await import('../src/features/core/directory/directory.ts')
  const schema = {
    ...(await import('../src/db/schema/automation/assistants.ts')),
    ...(await import('../src/db/schema/automation/flows.ts')),
    ...(await import('../src/db/schema/automation/models.ts')),
    ...(await import('../src/db/schema/automation/voice-calls.ts')),
    ...(await import('../src/db/schema/automation/knowledge.ts')),
    ...(await import('../src/db/schema/channels/connections.ts')),
    ...(await import('../src/db/schema/channels/sessions.ts')),
    ...(await import('../src/db/schema/contacts/consent.ts')),
    ...(await import('../src/db/schema/contacts/contacts.ts')),
    ...(await import('../src/db/schema/contacts/groups.ts')),
    ...(await import('../src/db/schema/contacts/imports.ts')),
    ...(await import('../src/db/schema/contacts/merges.ts')),
    ...(await import('../src/db/schema/contacts/segments.ts')),
    ...(await import('../src/db/schema/contacts/tags.ts')),
    ...(await import('../src/db/schema/conversations/lists.ts')),
    ...(await import('../src/db/schema/conversations/messages.ts')),
    ...(await import('../src/db/schema/conversations/pictures.ts')),
    ...(await import('../src/db/schema/conversations/ticket-history.ts')),
    ...(await import('../src/db/schema/conversations/tickets.ts')),
    ...(await import('../src/db/schema/conversations/turns.ts')),
    ...(await import('../src/db/schema/core/audit.ts')),
    ...(await import('../src/db/schema/core/deliveries.ts')),
    ...(await import('../src/db/schema/core/files.ts')),
    ...(await import('../src/db/schema/core/integrations.ts')),
    ...(await import('../src/db/schema/people/mails.ts')),
    ...(await import('../src/db/schema/core/outbox.ts')),
    ...(await import('../src/db/schema/intake/journal.ts')),
    ...(await import('../src/db/schema/intake/webchat.ts')),
    ...(await import('../src/db/schema/operations/bulk-jobs.ts')),
    ...(await import('../src/db/schema/operations/notifications.ts')),
    ...(await import('../src/db/schema/operations/audience.ts')),
    ...(await import('../src/db/schema/operations/group-rules.ts')),
    ...(await import('../src/db/schema/operations/reports.ts')),
    ...(await import('../src/db/schema/operations/schedules.ts')),
    ...(await import('../src/db/schema/operations/tasks.ts')),
    ...(await import('../src/db/schema/sales/calendar.ts')),
    ...(await import('../src/db/schema/sales/funnel.ts')),
    ...(await import('../src/db/schema/operations/funnel-actions.ts')),
    ...(await import('../src/db/schema/people/sessions.ts')),
    ...(await import('../src/db/schema/people/users.ts')),
    ...(await import('../src/db/schema/platform/companies.ts')),
    ...(await import('../src/db/schema/platform/node-samples.ts')),
    ...(await import('../src/db/schema/service/auto-replies.ts')),
    ...(await import('../src/db/schema/service/library.ts')),
    ...(await import('../src/db/schema/service/protocols.ts')),
    ...(await import('../src/db/schema/service/queues.ts')),
    ...(await import('../src/db/schema/service/ratings.ts')),
  }
  openDatabase(roleUrls(ownerUrl, secret))
  const app = await buildApp()
  await app.ready()
  afterAll(async () => {
    const closing = app.close()
    // What a simulator had begun to ask, or never asked on a line it opened, keeps nobody waiting.
    app.server.closeAllConnections()
    await closing
    await closeDatabase()
    await drop()
  })

  const call = async (
    method: string,
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const reply = await app.inject({
      method: method as 'GET',
      url: url.startsWith('/hooks') || url.startsWith('/api') ? url : `/api${url}`,
      headers,
      payload: body === undefined ? undefined : (body as object),
    })
    let parsed: unknown = reply.body
    try {
      parsed = JSON.parse(reply.body)
    } catch {}
    return { status: reply.statusCode, body: parsed, headers: reply.headers }
  }
  /** Calls as a user (or with no token for undefined). */
  const as = (user: { token: string } | undefined) => {
    const headers: Record<string, string> = user ? { authorization: `Bearer ${user.token}` } : {}
    return {
      get: (url: string) => call('GET', url, undefined, headers),
      post: (url: string, body: unknown = {}) => call('POST', url, body, headers),
      put: (url: string, body: unknown = {}) => call('PUT', url, body, headers),
      patch: (url: string, body: unknown = {}) => call('PATCH', url, body, headers),
      delete: (url: string, body?: unknown) => call('DELETE', url, body, headers),
      send: (method: string, url: string, body?: unknown) => call(method, url, body, headers),
    }
  }

  let nextTenant = 1
  const createUser = async (
    tenantId: number,
    more: {
      name?: string
      email?: string
      profile?: Profile
      queueIds?: string[]
      menuPermissions?: Record<string, boolean>
      passwordHash?: string
    } = {},
  ): Promise<TestUser> => {
    const id = v7()
    const profile = more.profile ?? 'user'
    const email = more.email ?? `${id}@teste.local`
    const name = more.name ?? 'Ana Souza'
    await withTenant(tenantId, async (tx) => {
      await tx.db.insert(schema.users).values({
        tenantId,
        id,
        name,
        email,
        profile,
        passwordHash: more.passwordHash ?? 'x',
        menuPermissions: more.menuPermissions ?? {},
      })
      for (const queueId of more.queueIds ?? [])
        await tx.db.insert(schema.queueMembers).values({ tenantId, queueId, userId: id })
    })
    invalidateDirectory(tenantId)
    const token = await issueAccessToken({
      tenantId,
      userId: id,
      tokenVersion: 1,
      sessionId: v7(),
      impersonatorId: null,
    })
    return { id, tenantId, name, email, profile, token }
  }

  /** A company with queues and one user of each profile. `agentIn` names the queues of the plain user. */
  const seedTenant = async (
    more: {
      queues?: string[]
      agentIn?: string[]
      settings?: Partial<TenantSettings>
      menuVisibility?: Record<string, boolean>
    } = {},
  ) => {
    const tenantId = nextTenant++
    await withPlatform('test', (tx) =>
      tx.db.insert(schema.tenants).values({
        id: tenantId,
        name: `Empresa ${tenantId}`,
        settings: more.settings ?? {},
        menuVisibility: more.menuVisibility ?? {},
      }),
    )
    const queues: Record<string, string> = {}
    await withTenant(tenantId, async (tx) => {
      for (const name of more.queues ?? []) {
        const id = v7()
        queues[name] = id
        await tx.db.insert(schema.queues).values({ tenantId, id, name, color: '#0b7a75' })
      }
    })
    const agent = await createUser(tenantId, {
      queueIds: (more.agentIn ?? more.queues ?? []).map((name) => queues[name] ?? ''),
    })
    const supervisor = await createUser(tenantId, { profile: 'super', name: 'Bruna Lima' })
    const admin = await createUser(tenantId, { profile: 'admin', name: 'Carla Dias' })
    return { tenantId, queues, agent, supervisor, admin }
  }
  type Tenant = Awaited<ReturnType<typeof seedTenant>>

  const createContact = async (
    tenant: { tenantId: number },
    more: { name?: string; number?: string; walletIds?: string[] } = {},
  ) => {
    const id = v7()
    const number = more.number ?? null
    await withTenant(tenant.tenantId, async (tx) => {
      await tx.db
        .insert(schema.contacts)
        .values({ tenantId: tenant.tenantId, id, name: more.name ?? 'João da Silva', number })
      if (number)
        await tx.db
          .insert(schema.contactIdentities)
          .values({ tenantId: tenant.tenantId, kind: 'phone', value: number, contactId: id })
      for (const userId of more.walletIds ?? [])
        await tx.db.insert(schema.contactWallets).values({ tenantId: tenant.tenantId, contactId: id, userId })
    })
    return id
  }
  const createQuickMessage = async (
    tenant: { tenantId: number },
    more: {
      userId: string
      id?: string
      key?: string
      message?: string
      scope?: 'mine' | 'everyone'
      mediaId?: string
      folderId?: string
    },
  ) => {
    const { id = v7(), key = id, message = 'Olá', scope = 'mine', mediaId = null, ...row } = more
    const { tenantId } = tenant
    await withTenant(tenantId, async (tx) => {
      await tx.db.insert(schema.quickMessages).values({ tenantId, id, key, message, scope, ...row })
      const part = { kind: mediaId ? ('file' as const) : ('text' as const), body: message, mediaId, position: 0 }
      await tx.db.insert(schema.quickMessageParts).values({ tenantId, quickMessageId: id, ...part })
    })
    return id
  }
  const createConnection = async (
    tenant: { tenantId: number },
    more: {
      kind?: 'webchat' | 'waba' | 'telegram' | 'messenger' | 'evolution' | 'wuzapi' | 'email' | 'sms'
      name?: string
      config?: Record<string, unknown>
      externalId?: string
    } = {},
  ) => {
    const id = v7()
    const kind = more.kind ?? 'webchat'
    await withTenant(tenant.tenantId, (tx) =>
      tx.db.insert(schema.connections).values({
        tenantId: tenant.tenantId,
        id,
        kind,
        name: more.name ?? `Canal ${id}`,
        status: 'CONNECTED',
        config: more.config ?? {},
        abilities: abilitiesOf(kind, more.config ?? {}),
        externalId: more.externalId ?? (kind === 'webchat' ? null : `account-${id}`),
        channelKey: kind === 'webchat' ? `wc_${id}` : null,
        hookSecret: 'hook-secret',
      }),
    )
    return id
  }
  const createTicket = async (
    tenant: Pick<Tenant, 'tenantId' | 'queues'>,
    more: {
      queue?: string
      userId?: string
      status?: 'open' | 'pending' | 'closed'
      contactId?: string
      connectionId?: string
      isGroup?: boolean
      chatFlowId?: string
      unreadMessages?: number
    } = {},
  ) => {
    const id = v7()
    const contactId = more.contactId ?? (await createContact(tenant))
    const connectionId = more.connectionId ?? (await createConnection(tenant))
    const status = more.status ?? (more.userId ? 'open' : 'pending')
    await withTenant(tenant.tenantId, (tx) =>
      tx.db.insert(schema.tickets).values({
        tenantId: tenant.tenantId,
        id,
        protocol: id.replaceAll('-', '').slice(-20),
        status,
        contactId,
        connectionId,
        queueId: more.queue ? tenant.queues[more.queue] : null,
        userId: more.userId ?? null,
        isGroup: more.isGroup ?? false,
        chatFlowId: more.chatFlowId ?? null,
        unreadMessages: more.unreadMessages ?? 0,
        closedAt: status === 'closed' ? new Date() : null,
      }),
    )
    return id
  }

  /** The application with its sockets on a real port, as `start.ts` opens it. Once per file. */
  const listen = async () => {
    const { startRealtime } = await import('../src/realtime/server.ts')
    const { startWebchatSockets } = await import('../src/realtime/visitor-sockets.ts')
    const { startWorkers } = await import('../src/kit/workers.ts')
    const realtime = await startRealtime(app)
    startWebchatSockets(realtime.io)
    const workers = startWorkers(realtime.workers)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const stop = async () => {
      await workers.stop()
      await realtime.stop()
    }
    afterAll(stop)
    return { url, io: realtime.io, stop }
  }

  return {
    app,
    listen,
    as,
    call,
    ownerUrl,
    schema,
    withTenant,
    withPlatform,
    statementCount,
    invalidateDirectory,
    seedTenant,
    createUser,
    createContact,
    createQuickMessage,
    createConnection,
    createTicket,
  }
}
export type Kit = Awaited<ReturnType<typeof startTestApp>>
