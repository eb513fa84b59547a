import { AppError } from '../../../kit/errors.ts'
import { type Catalogue, doerOf } from '../tickets/action-catalogue.ts'
import { getTarget, planMove } from '../tickets/hand-over.ts'
import { planPause, planResume } from '../tickets/pause.ts'
import { planForcedClose, planRelease, planReturn, toCommit } from '../tickets/ticket-changes.ts'

export const addTags: Catalogue['addTags'] = {
  patch: ({ tagIds }, { tags }) => ({ tagIds: [...new Set([...tags.map((tag) => tag.id), ...tagIds])] }),
}
export const removeTags: Catalogue['removeTags'] = {
  patch: ({ tagIds }, { tags }) => ({ tagIds: tags.map((tag) => tag.id).filter((id) => !tagIds.includes(id)) }),
}

export const transfer: Catalogue['transfer'] = {
  patch: ({ queueId, userId }) => ({
    ...(queueId && { queueId }),
    ...(userId && { userId }),
    isTransference: true,
  }),
  // Whoever had it leaves.
  byItself: ({ userId }, ticket, { by, told }) => planRelease(ticket, userId, doerOf(by), told),
}
export const queue: Catalogue['queue'] = { patch: ({ queueId }) => ({ queueId }) }
export const channel: Catalogue['channel'] = {
  change: async ({ connectionId }, ticket, { tx, by }) =>
    planMove(tx, ticket, await getTarget(tx, connectionId), doerOf(by)),
  check: async ({ connectionId }, { tx }) => {
    try {
      await getTarget(tx, connectionId)
      return undefined
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { path: 'connectionId', message: 'Canal não encontrado.' }
    }
  },
}

export const priority: Catalogue['priority'] = { patch: ({ priority }) => ({ priority }) }
export const markRead: Catalogue['markRead'] = { patch: () => ({ unreadMessages: 0 }) }
export const pause: Catalogue['pause'] = {
  change: async ({ minutes }, ticket, { directory, by }) => {
    const until = minutes === null ? null : new Date(Date.now() + minutes * 60_000).toISOString()
    return planPause(ticket, { until, wakesOnReply: true }, doerOf(by), directory)
  },
}
export const resume: Catalogue['resume'] = {
  change: async (_, ticket, { by, told }) => planResume(ticket, doerOf(by), told),
}

export const reason: Catalogue['reason'] = {
  change: async ({ reasonId }, ticket, { by, directory }) => {
    if (ticket.status === 'closed' || ticket.reason?.id === reasonId) return undefined
    const body = `${by.author.name} definiu o motivo: ${directory.reasons.get(reasonId)?.name}.`
    return { before: ticket, set: { reasonId }, lines: [{ type: 'system', body }] }
  },
}
export const close: Catalogue['close'] = {
  patch: ({ reasonId }) => ({ status: 'closed', ...(reasonId && { reasonId }) }),
}
export const forceClose: Catalogue['forceClose'] = {
  change: async (_, ticket, { by, told }) => toCommit(ticket, planForcedClose(ticket, doerOf(by), told)),
}
export const reopen: Catalogue['reopen'] = {
  patch: ({ status }) => ({ status }),
  // A group speaks, a customer answers what we began.
  byItself: ({ status }, ticket, { by, told }) => toCommit(ticket, planReturn(ticket, status, doerOf(by), told)),
}
