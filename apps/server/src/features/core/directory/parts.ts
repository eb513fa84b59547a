import type { FlowSettings } from '@balcao/contract/automation/flows/graph.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Part as AnswerPart } from '@balcao/contract/conversations/parts.ts'
import type { BotName } from '@balcao/contract/conversations/tickets.ts'
import type { BusinessDay } from '@balcao/contract/core/business-hours.ts'
import type { TenantStatus } from '@balcao/contract/core/tenant-status.ts'
import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import type { UserConfigs } from '@balcao/contract/people/users.ts'
import type { MenuVisibility, Permission, Profile } from '@balcao/contract/permissions.ts'
import type { Rule as AutoReplyRule } from '@balcao/contract/service/auto-reply-match.ts'
import type { Distribution } from '@balcao/contract/service/queues.ts'
import { type Prepared, platformRows } from '../../../db/database.ts'

export type Person = {
  id: string
  name: string
  email: string
  profile: Profile
  /** A role of the company's own that stands for the profile. */
  roleId: string | null
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
export type RoleCard = { id: string; name: string; permissions: Permission[] }
export type QueueCard = {
  id: string
  name: string
  color: string
  isActive: boolean
  distribution: Distribution
  acceptWithin: number | null
  businessHours: BusinessDay[]
  absenceMessage: string
  mailSignature: string
  chatFlowId: string | null
}
export type TagCard = { id: string; name: string; color: string }
export type ConnectionCard = { id: string; name: string; chatFlowId: string | null; mailSignature: string | null }
export type ReasonCard = { id: string; name: string; isActive: boolean }

/** A flow as it is published: where it starts, and what holds before it does. */
export type FlowCard = {
  id: string
  name: string
  isActive: boolean
  publishedId: string | null
  celularTeste: string | null
  keywords: FlowSettings['keywords']
  outOfHours: FlowSettings['outOfHours']['does']
}

/** An assistant as it is published: where it works, and when. */
export type AssistantCard = {
  id: string
  name: string
  isActive: boolean
  publishedId: string | null
  /** Which flag of a ticket stands for it. */
  bot: BotName | null
  allTickets: boolean
  connectionIds: string[]
  queueIds: string[]
  hours: 'always' | 'open' | 'closed'
  /** Seconds of silence before it answers. */
  waitSeconds: number
}

/** A rule with its answer. */
export type AutoReplyCard = Omit<AutoReplyRule, 'parts'> & { parts: AnswerPart[] }

/** What of a company is read together, and again only when its number in `directory_versions` is another. */
export type Parts = {
  company: {
    name: string
    status: TenantStatus
    timezone: string
    settings: Partial<TenantSettings>
    menuVisibility: MenuVisibility
    logoMediaId: string | null
    maxUsers: number
    maxConnections: number
    allowedChannels: ChannelKind[] | null
  }
  people: Omit<Person, 'permissions'>[]
  roles: RoleCard[]
  queues: QueueCard[]
  tags: TagCard[]
  reasons: ReasonCard[]
  connections: ConnectionCard[]
  flows: FlowCard[]
  /** In the order they were made. */
  assistants: AssistantCard[]
  blockedNumbers: string[]
  /** Active ones, in their order. */
  autoReplies: AutoReplyCard[]
  /** Connections by which campaigns were sent whose answers still count as such. */
  campaignWays: string[]
  /** Sessions that were ended while an access token of theirs may still be good. */
  sessions: string[]
}
export type Part = keyof Parts
export const allParts: readonly Part[] = [
  'company',
  'people',
  'roles',
  'queues',
  'tags',
  'reasons',
  'connections',
  'flows',
  'assistants',
  'blockedNumbers',
  'autoReplies',
  'campaignWays',
  'sessions',
]
export type Versions = Partial<Record<Part, number>>

/**
 * Over the platform's pool: a transaction that asks for its company would wait for a connection of the pool it holds
 * one of, and when all of them ask at once none would ever be given back.
 */
export const readParts = async (tenantId: number, parts: readonly Part[]) => {
  const [row] = await platformRows<Partial<Parts> & { versions: Versions | null }>(partsOf, [tenantId, parts])
  return row
}

/** How often each part of these companies has changed, in one statement for all of them. */
export const readVersions = async (tenantIds: number[]): Promise<ReadonlyMap<number, Versions>> => {
  const rows = await platformRows<{ tenantId: number; versions: Versions }>(versionsOf, [tenantIds])
  return new Map(rows.map(({ tenantId, versions }) => [tenantId, versions]))
}

const versionsOf: Prepared = {
  name: 'directory_versions',
  text: `select tenant_id as "tenantId", jsonb_object_agg(part, version) as versions
    from directory_versions where tenant_id = any($1::int[]) group by tenant_id`,
}

const partsOf: Prepared = {
  name: 'directory_parts',
  text: `select (select jsonb_object_agg(v.part, v.version) from directory_versions v where v.tenant_id = t.id) as versions,
      case when 'company' = any($2) then jsonb_build_object('name', t.name, 'status', t.status, 'timezone', t.timezone,
        'settings', t.settings, 'menuVisibility', t.menu_visibility, 'logoMediaId', t.logo_media_id,
        'maxUsers', t.max_users, 'maxConnections', t.max_connections, 'allowedChannels', t.allowed_channels) end as company,
      case when 'people' = any($2) then coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'name', coalesce(h.name, u.name),
        'email', coalesce(h.email, u.email), 'profile', u.profile, 'roleId', u.role_id, 'isSupport', u.is_support,
        'isBlocked', u.is_blocked or coalesce(h.is_blocked, false), 'isOnline', u.is_online, 'awaySince', u.away_since,
        'awayReason', u.away_reason, 'capacity', u.capacity,
        'tokenVersion', u.token_version + coalesce(h.token_version, 0),
        'otherTenantId', case when exists (select from users p where p.tenant_id = 0 and p.id = u.id
          and p.home_tenant_id = u.tenant_id and p.deleted_at is null) then 0 else u.home_tenant_id end,
        'configs', u.configs, 'menuPermissions', u.menu_permissions, 'allowedHours', u.allowed_hours,
        'queueIds', coalesce((select jsonb_agg(m.queue_id) from queue_members m
          where m.tenant_id = u.tenant_id and m.user_id = u.id), '[]')))
        from users u left join users h on h.tenant_id = u.home_tenant_id and h.id = u.id
        where u.tenant_id = t.id and u.deleted_at is null and h.deleted_at is null), '[]') end as people,
      case when 'roles' = any($2) then coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name,
        'permissions', o.permissions)) from roles o where o.tenant_id = t.id), '[]') end as roles,
      case when 'queues' = any($2) then coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color,
        'isActive', q.is_active, 'distribution', q.distribution, 'acceptWithin', q.accept_within,
        'businessHours', q.business_hours, 'absenceMessage', q.absence_message, 'mailSignature', q.mail_signature, 'chatFlowId', q.chat_flow_id))
        from queues q where q.tenant_id = t.id), '[]') end as queues,
      case when 'tags' = any($2) then coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'color', g.color))
        from tags g where g.tenant_id = t.id), '[]') end as tags,
      case when 'reasons' = any($2) then coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name,
        'isActive', r.is_active)) from reasons r where r.tenant_id = t.id), '[]') end as reasons,
      case when 'connections' = any($2) then coalesce((select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name,
        'chatFlowId', x.options ->> 'chatFlowId', 'mailSignature', x.options ->> 'mailSignature'))
        from connections x where x.tenant_id = t.id), '[]') end as connections,
      case when 'flows' = any($2) then coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'isActive', f.is_active,
        'publishedId', f.published_id, 'celularTeste', f.celular_teste, 'keywords', coalesce(v.settings -> 'keywords', '[]'),
        'outOfHours', coalesce(v.settings -> 'outOfHours' ->> 'does', 'absence')) order by f.created_at, f.id)
        from chat_flows f left join chat_flow_versions v on v.tenant_id = f.tenant_id and v.id = f.published_id
        where f.tenant_id = t.id), '[]') end as flows,
      case when 'assistants' = any($2) then coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name,
        'isActive', a.is_active, 'publishedId', a.published_id, 'bot', a.bot, 'allTickets', a.all_tickets,
        'connectionIds', a.connection_ids, 'queueIds', a.queue_ids, 'hours', a.hours,
        'waitSeconds', coalesce((v.config ->> 'waitSeconds')::int, 0)) order by a.created_at, a.id)
        from assistants a left join assistant_versions v on v.tenant_id = a.tenant_id and v.id = a.published_id
        where a.tenant_id = t.id), '[]') end as assistants,
      case when 'blockedNumbers' = any($2) then coalesce((select jsonb_agg(b.number) from blocked_numbers b
        where b.tenant_id = t.id), '[]') end as "blockedNumbers",
      case when 'autoReplies' = any($2) then coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name,
        'isActive', a.is_active, 'starts', a.starts, 'keywords', a.keywords, 'isFirstOnly', a.is_first_only, 'afterId', a.after_id,
        'nextId', a.next_id, 'connectionIds', a.connection_ids, 'hours', a.hours, 'actions', a.actions,
        'cooldownSeconds', a.cooldown_seconds, 'celularTeste', a.celular_teste, 'parts', coalesce((select jsonb_agg(jsonb_build_object(
          'kind', p.kind, 'body', p.body, 'mediaId', p.media_id, 'interactive', p.interactive) order by p.position)
          from auto_reply_parts p where p.tenant_id = a.tenant_id and p.auto_reply_id = a.id), '[]')) order by a.position, a.id)
        from auto_replies a where a.tenant_id = t.id and a.is_active), '[]') end as "autoReplies",
      case when 'campaignWays' = any($2) then coalesce((select jsonb_agg(distinct w.id) from campaigns k
        cross join unnest(k.connection_ids) as w(id) where k.tenant_id = t.id and k.started_at is not null
          and k.state in ('running', 'paused', 'finished', 'canceled') and coalesce(k.finished_at > now() - interval '30 days', true)), '[]') end as "campaignWays",
      case when 'sessions' = any($2) then coalesce((select jsonb_agg(distinct s.family_id) from refresh_tokens s
        where s.tenant_id = t.id and s.revoked_at > now() - interval '20 minutes'), '[]') end as sessions
    from tenants t where t.id = $1`,
}
