import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import { AppError } from '../../../kit/errors.ts'
import type { TicketFacts } from '../../../kit/outbox.ts'
import type { Bind } from '../../../kit/sql.ts'
import type { Directory, Person } from '../../core/directory/directory.ts'

/** Whoever looks, as far as the rules of visibility ask. */
export type Viewer = {
  userId: string
  /** May use "show all", and is bound to no queue. */
  seesAll: boolean
  queueIds: string[]
  settings: TenantSettings
  timezone: string
  /** The company has registered queues (filasCadastradas). */
  hasQueues: boolean
  /** Who of the company can attend: a wallet whose owners cannot is nobody's. */
  ableIds: ReadonlySet<string>
}
export type Decision = { isVisible: boolean; rule: string; text: string }
/** `showAll` is the filter of the list. Rights are asked with true: it changes nothing for those who may not use it. */
export type Scope = { showAll: boolean }

export const viewerOf = (directory: Directory, userId: string): Viewer => {
  const person = directory.people.get(userId)
  if (!person) throw new AppError('ERR_NO_USER_FOUND')
  return asViewer(directory, person)
}

const asViewer = (directory: Directory, person: Person): Viewer => ({
  userId: person.id,
  seesAll: person.permissions.has('tickets.showAll'),
  queueIds: person.queueIds,
  settings: directory.settings,
  timezone: directory.timezone,
  hasQueues: directory.queues.size > 0,
  ableIds: ableIn(directory),
})

const able = new WeakMap<Directory, ReadonlySet<string>>()
const ableIn = (directory: Directory): ReadonlySet<string> => {
  const known = able.get(directory)
  if (known) return known
  const ids = new Set([...directory.people.values()].filter(isAble).map(({ id }) => id))
  able.set(directory, ids)
  return ids
}
const isAble = ({ isBlocked, permissions }: Person) => !isBlocked && permissions.has('tickets.read')

/** Sees only the own queues, where the company has any. */
const isBoundToQueues = (viewer: Viewer) => !viewer.seesAll && viewer.hasQueues

const sees = (rule: string, text: string): Decision => ({ isVisible: true, rule, text })
const misses = (rule: string, text: string): Decision => ({ isVisible: false, rule, text })

const showAll = sees('showAll', 'Administradores e supervisores veem todos os atendimentos com "Ver todos".')
const closedForAll = sees('mostrarFechadoParaTodos', 'A empresa mostra os atendimentos fechados para todos.')
const closedOwnQueue = sees('mostrarFechadoParaTodos', 'O atendimento está fechado e é de uma das filas do usuário.')
const group = sees('mostrarGruposParaTodos', 'A empresa mostra as conversas de grupo para todos.')
const chatBot = misses(
  'NotViewTicketsChatBot',
  'O atendimento está só com o robô, e a empresa oculta esses atendimentos.',
)
const mine = sees('assignedToMe', 'O atendimento está atribuído ao usuário.')
const shared = sees('shared', 'O atendimento foi compartilhado com o usuário.')
const ownWallet = sees('DirectTicketsToWallets', 'O contato é da carteira do usuário.')
const wallet = misses('DirectTicketsToWallets', 'O contato é da carteira de outras pessoas.')
const assigned = misses(
  'NotViewAssignedTickets',
  'O atendimento está com outra pessoa, e a empresa oculta os atendimentos já atribuídos.',
)
const noQueueShown = sees(
  'nullticket',
  'O atendimento não tem fila nem atendente, e a empresa mostra esses atendimentos para todos.',
)
const noQueueHidden = misses('nullticket', 'O atendimento não tem fila, e o usuário vê apenas as suas filas.')
const ownQueue = sees('queues', 'O atendimento é de uma das filas do usuário.')
const otherQueue = misses('queues', 'O atendimento é de uma fila da qual o usuário não participa.')
const noRule = sees('default', 'Nenhuma regra da empresa oculta este atendimento do usuário.')

/**
 * Who sees what: the first rule that decides. `visibleTickets` below says the same in SQL; a test holds the
 * two together, so change both.
 */
export const decide = (viewer: Viewer, ticket: TicketFacts, scope: Scope): Decision => {
  const { settings, userId } = viewer
  const isMine = ticket.userId === userId
  const isOwnQueue = ticket.queueId !== null && viewer.queueIds.includes(ticket.queueId)

  if (scope.showAll && viewer.seesAll) return showAll
  if (ticket.sharedWith.includes(userId)) return shared
  if (ticket.status === 'closed' && settings.mostrarFechadoParaTodos) {
    // It shows more and takes nothing away: what is of no queue of theirs goes on to the other rules.
    if (!isBoundToQueues(viewer)) return closedForAll
    if (isOwnQueue) return closedOwnQueue
  }
  if (ticket.isGroup && settings.mostrarGruposParaTodos) return group
  if (settings.NotViewTicketsChatBot && !ticket.userId && !ticket.queueId && ticket.chatFlowId) return chatBot
  if (isMine) return mine
  if (settings.DirectTicketsToWallets) {
    const owners = ticket.wallets.filter((id) => viewer.ableIds.has(id))
    // Whatever queue it stands in: nobody else sees it.
    if (owners.includes(userId)) return ownWallet
    // With the overflow on, what waits without an agent is the queue's: its owner was not there to take it.
    const isOverflow = settings.transbordo && ticket.status === 'pending' && !ticket.userId
    if (owners.length && !isOverflow) return wallet
  }
  if (settings.NotViewAssignedTickets && ticket.userId) return assigned
  if (isBoundToQueues(viewer)) {
    if (!ticket.queueId) return settings.nullticket && !ticket.userId ? noQueueShown : noQueueHidden
    return isOwnQueue ? ownQueue : otherQueue
  }
  return noRule
}

/** The right to see, whatever the list is filtered by. */
export const canSee = (viewer: Viewer, ticket: TicketFacts): boolean =>
  decide(viewer, ticket, { showAll: true }).isVisible

/**
 * The same rules as a condition over `tickets t`. Rules that are off for this viewer leave no trace in the text, so
 * the planner sees only what decides.
 */
export const visibleTickets = (viewer: Viewer, scope: Scope, bind: Bind): string => {
  const { settings } = viewer
  if (scope.showAll && viewer.seesAll) return 'true'
  const isBound = isBoundToQueues(viewer)
  const me = bind(viewer.userId)
  const ownQueues = isBound ? `t.queue_id = any(${bind(viewer.queueIds)}::uuid[])` : 'false'

  const rules: string[] = [`when ${me} = any(t.shared_with) then true`]
  if (settings.mostrarFechadoParaTodos) {
    rules.push(`when t.status = 'closed'${isBound ? ` and ${ownQueues}` : ''} then true`)
  }
  if (settings.mostrarGruposParaTodos) rules.push('when t.is_group then true')
  if (settings.NotViewTicketsChatBot) {
    rules.push('when t.user_id is null and t.queue_id is null and t.chat_flow_id is not null then false')
  }
  rules.push(`when t.user_id = ${me} then true`)
  if (settings.DirectTicketsToWallets) {
    const owners = 'select from contact_wallets w where w.tenant_id = t.tenant_id and w.contact_id = t.contact_id'
    const isKept = settings.transbordo ? `(t.status <> 'pending' or t.user_id is not null) and ` : ''
    if (viewer.ableIds.has(viewer.userId)) rules.push(`when exists (${owners} and w.user_id = ${me}) then true`)
    rules.push(`when ${isKept}exists (${owners} and w.user_id = any(${bind([...viewer.ableIds])}::uuid[])) then false`)
  }
  if (settings.NotViewAssignedTickets) rules.push('when t.user_id is not null then false')
  if (isBound)
    rules.push(
      `when t.queue_id is null then ${settings.nullticket ? 't.user_id is null' : 'false'}`,
      `else ${ownQueues}`,
    )
  else rules.push('else true')
  return `case ${rules.join(' ')} end`
}

/** Over `tickets t`: one that somebody works on; what was sent to many and nobody answered is in no list, count or report. */
export const isWorked = 'not t.is_hidden'

/** The people who may see a ticket now: the rooms of its events. */
export const viewersOf = (directory: Directory, ticket: TicketFacts): string[] => {
  const ids: string[] = []
  for (const person of directory.people.values()) {
    if (isAble(person) && canSee(asViewer(directory, person), ticket)) ids.push(person.id)
  }
  return ids
}
