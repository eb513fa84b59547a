import type { BotName } from '@balcao/contract/conversations/tickets.ts'
import type { TenantStatus } from '@balcao/contract/core/tenant-status.ts'
import { botLabels, defaultSettings, type TenantSettings } from '@balcao/contract/people/settings.ts'
import {
  type MenuVisibility,
  type Permission,
  rightsOf,
  whileSuspended,
  withoutHidden,
  withoutOthersWork,
} from '@balcao/contract/permissions.ts'
import {
  type AutoReplyBook,
  type Rule as AutoReplyRule,
  autoReplyBook,
} from '@balcao/contract/service/auto-reply-match.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { announce, onSignal } from '../../../kit/signals/signals.ts'
import { type Known, knownCompanies } from './known.ts'
import type {
  AssistantCard,
  AutoReplyCard,
  ConnectionCard,
  FlowCard,
  Parts,
  Person,
  QueueCard,
  ReasonCard,
  RoleCard,
  TagCard,
} from './parts.ts'

export type { AssistantCard, AutoReplyCard, FlowCard, Person, QueueCard, ReasonCard, TagCard }

/** A company as every request needs it: who works there, its queues, tags, closing reasons, channels and settings. */
export type Directory = Omit<Parts['company'], 'settings'> & {
  tenantId: number
  settings: TenantSettings
  people: ReadonlyMap<string, Person>
  roles: ReadonlyMap<string, RoleCard>
  queues: ReadonlyMap<string, QueueCard>
  tags: ReadonlyMap<string, TagCard>
  reasons: ReadonlyMap<string, ReasonCard>
  connections: ReadonlyMap<string, ConnectionCard>
  /** In the order they were made. */
  flows: ReadonlyMap<string, FlowCard>
  /** In the order they were made. */
  assistants: ReadonlyMap<string, AssistantCard>
  /** Which flows begin with a word, ready to be asked about what customers write. */
  flowWords: AutoReplyBook
  /** Phones whose messages are not attended. */
  blockedNumbers: ReadonlySet<string>
  /** What answers by itself, ready to be asked about what customers write. */
  autoReplies: AutoReplyBook<AutoReplyCard>
  /** Connections by which campaigns were sent whose answers still count as such. */
  campaignWays: ReadonlySet<string>
  endedSessions: ReadonlySet<string>
}

const companies = knownCompanies(({ tenantId, parts, changed, before }: Known<Directory>): Directory => {
  const byId = <Card extends { id: string }>(cards: Card[]): ReadonlyMap<string, Card> =>
    new Map(cards.map((card) => [card.id, card]))
  const isAny = (...names: (keyof Parts)[]) => !before || names.some((name) => changed.has(name))
  const settings = { ...defaultSettings, ...parts.company.settings }
  const roles = isAny('roles') ? byId(parts.roles) : before?.roles
  return {
    ...parts.company,
    tenantId,
    settings,
    roles: roles ?? new Map(),
    people:
      before && !isAny('people', 'roles', 'company')
        ? before.people
        : byId(parts.people.map((person) => ({ ...person, permissions: permissionsIn(parts, person, roles) }))),
    queues: before && !isAny('queues') ? before.queues : byId(parts.queues),
    tags: before && !isAny('tags') ? before.tags : byId(parts.tags),
    reasons: before && !isAny('reasons') ? before.reasons : byId(parts.reasons),
    connections: before && !isAny('connections') ? before.connections : byId(parts.connections),
    flows: before && !isAny('flows') ? before.flows : byId(parts.flows),
    assistants: before && !isAny('assistants') ? before.assistants : byId(parts.assistants),
    flowWords: before && !isAny('flows') ? before.flowWords : autoReplyBook(parts.flows.flatMap(wordsOf)),
    blockedNumbers: before && !isAny('blockedNumbers') ? before.blockedNumbers : new Set(parts.blockedNumbers),
    autoReplies: before && !isAny('autoReplies') ? before.autoReplies : autoReplyBook(parts.autoReplies),
    campaignWays: before && !isAny('campaignWays') ? before.campaignWays : new Set(parts.campaignWays),
    endedSessions: before && !isAny('sessions') ? before.endedSessions : new Set(parts.sessions),
  }
})

/** A flow that runs, as a rule for its keywords: what matters besides is asked where it begins. */
const wordsOf = ({ id, name, isActive, publishedId, keywords, celularTeste }: FlowCard): AutoReplyRule[] =>
  isActive && publishedId && keywords.length
    ? [
        {
          ...{
            id,
            name,
            isActive,
            keywords,
            celularTeste,
            starts: 'words',
            isFirstOnly: false,
            afterId: null,
            nextId: null,
          },
          ...{ connectionIds: [], hours: 'always', actions: [], parts: [{ interactive: null }], cooldownSeconds: 0 },
        },
      ]
    : []

/** The company, from memory when fresh; undefined when there is none. */
export const findDirectory = (tenantId: number): Promise<Directory | undefined> => companies.find(tenantId)

export const getDirectory = async (tenantId: number): Promise<Directory> => {
  const directory = await findDirectory(tenantId)
  if (!directory) throw new Error(`No tenant ${tenantId}`)
  return directory
}

/** Call after committing a change of users, queues, members, roles, tags, reasons, settings or the tenant itself. */
export const invalidateDirectory = (tenantId: number) => {
  companies.doubt(tenantId)
  announce('directory.changed', { tenantId })
}
onSignal('directory.changed', ({ tenantId }) => companies.doubt(tenantId))

/** Throws unless the flow that is named is there. */
export const requireFlow = (
  { flows }: Pick<Directory, 'flows'>,
  id: string | null | undefined,
  path = 'chatFlowId',
) => {
  if (id && !flows.has(id)) throw fieldErrors({ path, message: 'Fluxo não encontrado.' })
}

type Attended = { connectionId: string; queueId: string | null; wallets: readonly string[] }
type Assisting = Pick<Directory, 'assistants' | 'settings'>
/** The company keeps assistants away from contacts that somebody looks after. */
export const isForOwner = ({ settings }: Pick<Directory, 'settings'>, { wallets }: Pick<Attended, 'wallets'>) =>
  settings.carteiraExterna && wallets.length > 0

/** The published assistants that work in this conversation, those made for its channel or queue first. */
export const assistantsFor = (directory: Assisting, attended: Attended): AssistantCard[] => {
  if (isForOwner(directory, attended)) return []
  const { connectionId, queueId } = attended
  return [...directory.assistants.values()]
    .filter(
      (one) =>
        one.isActive &&
        one.publishedId !== null &&
        one.bot !== null &&
        (!one.connectionIds.length || one.connectionIds.includes(connectionId)) &&
        (!one.queueIds.length || (queueId !== null && one.queueIds.includes(queueId))),
    )
    .sort((a, b) => narrowness(b) - narrowness(a))
}
const narrowness = ({ connectionIds, queueIds }: AssistantCard) =>
  (connectionIds.length ? 2 : 0) + (queueIds.length ? 1 : 0)

type Wanted = Attended & { bot: BotName; assistantId?: string | null }
/** Throws unless an assistant of this kind works in the conversation: nobody would answer in its stead. */
export const requireAssistant = (directory: Assisting, wanted: Wanted, path: string): AssistantCard => {
  const { bot, assistantId = null } = wanted
  if (isForOwner(directory, wanted))
    throw fieldErrors({
      path,
      message: 'Este contato tem carteira, e a empresa deixa os assistentes desligados para quem tem.',
    })
  const those = assistantsFor(directory, wanted).filter((one) => one.bot === bot)
  const found = assistantId ? those.find(({ id }) => id === assistantId) : those[0]
  if (found) return found
  throw fieldErrors({ path, message: `Nenhum assistente ${botLabels[bot]} publicado atende neste canal e nesta fila.` })
}

/** What a person was given, whatever is hidden from them or taken away for now. */
export const rightsIn = (directory: Directory, person: Pick<Person, 'profile' | 'isSupport' | 'roleId'>) =>
  givenTo(person, directory.roles)

/** Whether somebody may work in, or at least enter, their company now. */
export const mayEnter = (status: TenantStatus, person: Pick<Person, 'permissions'> | undefined) =>
  status === 'active' || (status === 'suspended' && (person?.permissions.size ?? 0) > 0)

type Given = Pick<Person, 'profile' | 'isSupport' | 'roleId'>
/** A role that is gone grants what everybody needs, and nothing else. */
const givenTo = (person: Given, roles: ReadonlyMap<string, RoleCard> | undefined) =>
  rightsOf({ ...person, role: person.roleId === null ? null : (roles?.get(person.roleId)?.permissions ?? []) })

const permissionsIn = (
  { company }: Parts,
  person: Parts['people'][number],
  roles: ReadonlyMap<string, RoleCard> | undefined,
): ReadonlySet<Permission> => {
  if (company.status === 'closed') return new Set()
  const hidden = { ...person.menuPermissions, ...onlyFalse(company.menuVisibility) }
  const given = givenTo(person, roles)
  const granted = withoutHidden(given, hidden)
  const isOwnRole = person.isSupport || person.roleId !== null
  const isAsUser = !isOwnRole && company.settings.supervisorAdmin === true && !given.includes('users.write')
  const here = isAsUser ? withoutOthersWork(granted) : granted
  return new Set(company.status === 'suspended' ? whileSuspended(here) : here)
}

/** What the company does not have, no user of it can have. */
const onlyFalse = (visibility: MenuVisibility): MenuVisibility =>
  Object.fromEntries(Object.entries(visibility).filter(([, shown]) => shown === false))
