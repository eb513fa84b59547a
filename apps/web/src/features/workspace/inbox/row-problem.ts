import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useMemo } from 'react'
import { useOutgoing } from '../../conversations/messages/outbox-entries.ts'
import type { Outgoing } from '../../conversations/messages/outbox-state.ts'

/** What stands still in a conversation, the worst first. */
const problems = {
  failed: 'Não enviada',
  uncertain: 'Entrega incerta',
  held: 'Resposta retida',
  waiting: 'Aguardando a rede',
} as const
export type Problem = keyof typeof problems
const order = Object.keys(problems) as Problem[]
export const problemText = (problem: Problem): string => problems[problem]
/** It goes on by itself; the others wait for a person. */
export const isPassing = (problem: Problem) => problem === 'waiting'

const worse = (one: Problem | undefined, other: Problem): Problem =>
  one && order.indexOf(one) < order.indexOf(other) ? one : other

/** By conversation, what this browser could not hand over. */
export const problemsHere = (entries: readonly Outgoing[]): ReadonlyMap<string, Problem> => {
  const found = new Map<string, Problem>()
  for (const { state, message } of entries)
    if (state === 'failed' || state === 'held' || state === 'waiting')
      found.set(message.ticketId, worse(found.get(message.ticketId), state))
  return found
}
export const useProblemsHere = () => {
  const entries = useOutgoing()
  return useMemo(() => problemsHere(entries), [entries])
}

export const problemOf = ({ notSent }: Pick<Ticket, 'notSent'>, here: Problem | undefined): Problem | undefined =>
  notSent ? worse(here, notSent) : here
