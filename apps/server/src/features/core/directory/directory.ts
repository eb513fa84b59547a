import type { BusinessDay } from '@balcao/contract/core/business-hours.ts'
import { defaultSettings, type TenantSettings } from '@balcao/contract/people/settings.ts'
import type { UserConfigs } from '@balcao/contract/people/users.ts'
import {
  grantedPermissions,
  type MenuVisibility,
  type Permission,
  type Profile,
  withoutOthersWork,
} from '@balcao/contract/permissions.ts'
import type { Distribution } from '@balcao/contract/service/queues.ts'
import { type Prepared, platformRows } from '../../../db/database.ts'

export type Person = {
  id: string
  name: string
  email: string
  profile: Profile
  isSupport: boolean
  isBlocked: boolean
  isOnline: boolean
  /** Away by their own word since then. */
  awaySince: string | null
  awayReason: string | null
  /** Conversations at a time that distribution may hand over. */
  capacity: number | null
  tokenVersion: number
  configs: Partial<UserConfigs>
  menuPermissions: MenuVisibility
  allowedHours: BusinessDay[]
  queueIds: string[]
  permissions: ReadonlySet<Permission>
  /** Where the same person has another profile: the platform (0) for somebody of a company, their company for there. */
  otherTenantId: number | null
}
export type QueueCard = {
  id: string
  name: string
  color: string
  isActive: boolean
  distribution: Distribution
  acceptWithin: number | null
  businessHours: BusinessDay[]
  absenceMessage: string
}
export type TagCard = { id: string; name: string; color: string }
export type ReasonCard = { id: string; name: string; isActive: boolean }

/** A company as every request needs it: who works there, its queues, tags, closing reasons and settings. */
export type Directory = {
  tenantId: number
  name: string
  status: 'active' | 'inactive'
  timezone: string
  settings: TenantSettings
  menuVisibility: MenuVisibility
  logoMediaId: string | null
  maxUsers: number
  maxConnections: number
  people: ReadonlyMap<string, Person>
  queues: ReadonlyMap<string, QueueCard>
  tags: ReadonlyMap<string, TagCard>
  reasons: ReadonlyMap<string, ReasonCard>
  /** Phones whose messages are not attended. */
  blockedNumbers: ReadonlySet<string>
  /** Sessions that were ended while an access token of theirs may still be good. */
  endedSessions: ReadonlySet<string>
}

/** Other processes' changes are seen after this long at the latest; a change of ours is seen at once. */
const freshMs = 2_000
const known = new Map<number, { readAt: number; loading: Promise<Directory | undefined> }>()

/** The company, from memory when fresh; undefined when there is none. */
export const findDirectory = (tenantId: number): Promise<Directory | undefined> => {
  const now = Date.now()
  const entry = known.get(tenantId)
  if (entry && now - entry.readAt < freshMs) return entry.loading
  const loading = load(tenantId)
  known.set(tenantId, { readAt: now, loading })
  loading.catch(() => known.delete(tenantId))
  return loading
}

export const getDirectory = async (tenantId: number): Promise<Directory> => {
  const directory = await findDirectory(tenantId)
  if (!directory) throw new Error(`No tenant ${tenantId}`)
  return directory
}

/** Call after committing a change of users, queues, members, tags, reasons, settings or the tenant itself. */
export const invalidateDirectory = (tenantId: number) => {
  known.delete(tenantId)
}

type Row = Omit<
  Directory,
  'people' | 'queues' | 'tags' | 'reasons' | 'settings' | 'tenantId' | 'endedSessions' | 'blockedNumbers'
> & {
  blockedNumbers: string[]
  settings: Partial<TenantSettings>
  people: Omit<Person, 'permissions'>[]
  queues: QueueCard[]
  tags: TagCard[]
  reasons: ReasonCard[]
  endedSessions: string[]
}
const statement: Prepared = {
  name: 'directory',
  text: `select t.name, t.status, t.timezone, t.settings, t.menu_visibility as "menuVisibility", t.logo_media_id as "logoMediaId",
      t.max_users as "maxUsers", t.max_connections as "maxConnections",
      coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'name', coalesce(h.name, u.name),
        'email', coalesce(h.email, u.email), 'profile', u.profile, 'isSupport', u.is_support,
        'isBlocked', u.is_blocked or coalesce(h.is_blocked, false), 'isOnline', u.is_online, 'awaySince', u.away_since,
        'awayReason', u.away_reason, 'capacity', u.capacity,
        'tokenVersion', u.token_version + coalesce(h.token_version, 0),
        'otherTenantId', case when exists (select from users p where p.tenant_id = 0 and p.id = u.id
          and p.home_tenant_id = u.tenant_id and p.deleted_at is null) then 0 else u.home_tenant_id end,
        'configs', u.configs, 'menuPermissions', u.menu_permissions, 'allowedHours', u.allowed_hours,
        'queueIds', coalesce((select jsonb_agg(m.queue_id) from queue_members m
          where m.tenant_id = u.tenant_id and m.user_id = u.id), '[]')))
        from users u left join users h on h.tenant_id = u.home_tenant_id and h.id = u.id
        where u.tenant_id = t.id and u.deleted_at is null and h.deleted_at is null), '[]') as people,
      coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color, 'isActive', q.is_active,
        'distribution', q.distribution, 'acceptWithin', q.accept_within,
        'businessHours', q.business_hours, 'absenceMessage', q.absence_message))
        from queues q where q.tenant_id = t.id), '[]') as queues,
      coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'color', g.color))
        from tags g where g.tenant_id = t.id), '[]') as tags,
      coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'isActive', r.is_active))
        from reasons r where r.tenant_id = t.id), '[]') as reasons,
      coalesce((select jsonb_agg(b.number) from blocked_numbers b where b.tenant_id = t.id), '[]') as "blockedNumbers",
      coalesce((select jsonb_agg(distinct r.family_id) from refresh_tokens r
        where r.tenant_id = t.id and r.revoked_at > now() - interval '20 minutes'), '[]') as "endedSessions"
    from tenants t where t.id = $1`,
}

/**
 * Over the platform's pool: a transaction that asks for its company would wait for a connection of the pool it holds
 * one of, and when all of them ask at once none would ever be given back.
 */
const load = async (tenantId: number): Promise<Directory | undefined> => {
  const [row] = await platformRows<Row>(statement, [tenantId])
  if (!row) return undefined
  const people = row.people.map((person): [string, Person] => {
    const hidden = { ...person.menuPermissions, ...onlyFalse(row.menuVisibility) }
    const granted = grantedPermissions(person.isSupport ? 'admin' : person.profile, hidden)
    const isAsUser = person.profile === 'super' && !person.isSupport && row.settings.supervisorAdmin === true
    return [person.id, { ...person, permissions: new Set(isAsUser ? withoutOthersWork(granted) : granted) }]
  })
  return {
    ...row,
    tenantId,
    settings: { ...defaultSettings, ...row.settings },
    people: new Map(people),
    queues: new Map(row.queues.map((queue) => [queue.id, queue])),
    tags: new Map(row.tags.map((tag) => [tag.id, tag])),
    reasons: new Map(row.reasons.map((reason) => [reason.id, reason])),
    blockedNumbers: new Set(row.blockedNumbers),
    endedSessions: new Set(row.endedSessions),
  }
}

/** What the company does not have, no user of it can have. */
const onlyFalse = (visibility: MenuVisibility): MenuVisibility =>
  Object.fromEntries(Object.entries(visibility).filter(([, shown]) => shown === false))
