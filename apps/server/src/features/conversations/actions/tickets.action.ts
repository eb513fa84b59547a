import { AppError } from '../../../kit/errors.ts'
import { getTarget, planMove } from '../tickets/hand-over.ts'
import { planPause, planResume } from '../tickets/pause.ts'
import { planForcedClose, toCommit } from '../tickets/ticket-changes.ts'
import type { Catalogue } from './action.ts'
import { doerOf } from './run-actions.ts'

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
export const resume: Catalogue['resume'] = { change: async (_, ticket, { by }) => planResume(ticket, doerOf(by)) }

export const close: Catalogue['close'] = {
  patch: ({ reasonId }) => ({ status: 'closed', ...(reasonId && { reasonId }) }),
}
export const forceClose: Catalogue['forceClose'] = {
  change: async (_, ticket, { by, told }) => toCommit(ticket, planForcedClose(ticket, doerOf(by), told)),
}
export const reopen: Catalogue['reopen'] = { patch: ({ status }) => ({ status }) }
