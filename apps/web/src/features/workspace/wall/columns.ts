import {
  type WallAgent,
  type WallCard,
  type WallColumn,
  type WallGroup,
  type WallHeads,
  wallStates,
} from '@balcao/contract/conversations/wall.ts'
import { wallColumnOf } from '@balcao/contract/conversations/wall-column.ts'

type Queue = { id: string; name: string; color: string; isActive: boolean }
/** A column of the wall, with or without cards. */
export type Column = WallColumn & {
  title: string
  color: string | null
  agent: WallAgent | null
  /** A card may be brought here. */
  takes: boolean
}

export const stateLabels: Record<(typeof wallStates)[number], string> = {
  pending: 'Aguardando',
  open: 'Em atendimento',
  paused: 'Em pausa',
  bot: 'Com o robô',
}

/** The columns in reading order: what nobody has, then who works now, then who is away from it but holds something. */
export const columnsOf = (heads: WallHeads, group: WallGroup, queues: readonly Queue[]): Column[] => {
  const figures = new Map(heads.columns.map((column) => [column.key, column]))
  const column = (key: string, more: Partial<Column> & { title: string }): Column => ({
    ...(figures.get(key) ?? { key, open: 0, pending: 0, late: 0, waitingSince: null }),
    color: null,
    agent: null,
    takes: true,
    ...more,
  })
  if (group === 'status')
    return wallStates.map((state) =>
      column(`status:${state}`, { title: stateLabels[state], takes: state === 'pending' || state === 'open' }),
    )
  const isUsed = (key: string) => group === 'queue' || figures.has(key)
  const byQueue = [
    ...queues
      .filter((queue) => (queue.isActive ? isUsed(`queue:${queue.id}`) : figures.has(`queue:${queue.id}`)))
      .map((queue) => column(`queue:${queue.id}`, { title: queue.name, color: queue.color, takes: queue.isActive })),
    ...(figures.has('queue:none') ? [column('queue:none', { title: 'Sem fila' })] : []),
  ]
  if (group === 'queue') return byQueue
  const known = new Set(heads.agents.map((agent) => `user:${agent.id}`))
  const gone = heads.columns
    .filter(({ key }) => key.startsWith('user:') && !known.has(key))
    .map(({ key }) => column(key, { title: 'Sem acesso aos atendimentos', takes: false }))
  const agents = heads.agents.map((agent) => column(`user:${agent.id}`, { title: agent.name, agent }))
  return [
    ...byQueue,
    ...agents.toSorted((a, b) => rankOf(a) - rankOf(b) || a.title.localeCompare(b.title, 'pt-BR')),
    ...gone,
  ]
}

export const isIdle = ({ agent, open, pending }: Column) => agent !== null && !agent.isOnline && open + pending === 0

const rankOf = (column: Column) => {
  if (isIdle(column)) return 3
  if (!column.agent?.isOnline) return 2
  return column.agent.awaySince ? 1 : 0
}

type Patch = { status?: 'open' | 'pending'; userId?: string | null; queueId?: string | null; isTransference?: boolean }
/** What to ask of the server so that a card stands in that column; undefined when it does already, or cannot. */
export const patchFor = (card: WallCard, column: string, group: WallGroup, selfId: string): Patch | undefined => {
  if (wallColumnOf(card, group) === column) return undefined
  const [kind, value = ''] = column.split(':')
  if (kind === 'user') return { isTransference: true, userId: value }
  if (kind === 'status') {
    if (value === 'open') return { isTransference: true, userId: selfId }
    return value === 'pending' ? { status: 'pending', userId: null } : undefined
  }
  if (value !== 'none') return group === 'user' ? { isTransference: true, queueId: value } : { queueId: value }
  return group === 'user' && card.userId ? { status: 'pending', userId: null, queueId: null } : { queueId: null }
}

/** The card as it will stand if the server agrees. */
export const expectedCard = (card: WallCard, patch: Patch, columns: readonly Column[]): WallCard => {
  const isReturned = patch.status === 'pending' || (patch.isTransference && !patch.userId)
  const userId = isReturned ? null : (patch.userId ?? card.userId)
  const queueId = patch.queueId === undefined ? card.queueId : patch.queueId
  const queue = columns.find((one) => one.key === `queue:${queueId}`)
  const agent = columns.find((one) => one.key === `user:${userId}`)
  return {
    ...card,
    status: isReturned ? 'pending' : patch.userId ? 'open' : card.status,
    userId,
    username: userId === card.userId ? card.username : (agent?.title ?? null),
    queueId,
    queue:
      queueId && queue ? { id: queueId, name: queue.title, color: queue.color ?? '' } : queueId ? card.queue : null,
    ...(patch.userId && { pausedAt: null, bot: null, chatFlowId: null }),
  }
}
