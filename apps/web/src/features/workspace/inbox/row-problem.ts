import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useMemo } from 'react'
import { useOutgoing } from '../../conversations/messages/outbox-entries.ts'
import type { Outgoing } from '../../conversations/messages/outbox-state.ts'
import { previewText } from '../../conversations/messages/preview.ts'
import { plainPreview } from '../../conversations/tickets/preview.ts'

/** What stands still in a conversation, the worst first. */
const problems = {
  failed: 'Não enviada',
  uncertain: 'Entrega incerta',
  held: 'Resposta retida',
  waiting: 'Aguardando a rede',
} as const
type State = keyof typeof problems
/** What stands still, with what it says in one line. */
export type Problem = { state: State; message: string; type: string }
const order = Object.keys(problems) as State[]
export const problemText = ({ state }: Problem): string => problems[state]
/** It goes on by itself; the others wait for a person. */
export const isPassing = ({ state }: Problem) => state === 'waiting'

const worse = (one: Problem | undefined, other: Problem): Problem =>
  one && order.indexOf(one.state) < order.indexOf(other.state) ? one : other

/** By conversation, what this browser could not hand over. */
export const problemsHere = (entries: readonly Outgoing[]): ReadonlyMap<string, Problem> => {
  const found = new Map<string, Problem>()
  for (const { state, message } of entries)
    if (state === 'failed' || state === 'held' || state === 'waiting') {
      const one = { state, message: previewText(message), type: message.type }
      found.set(message.ticketId, worse(found.get(message.ticketId), one))
    }
  return found
}
export const useProblemsHere = () => {
  const entries = useOutgoing()
  return useMemo(() => problemsHere(entries), [entries])
}

type Told = Pick<Ticket, 'notSent' | 'notSentMessage' | 'notSentMessageType'>
export const problemOf = (
  { notSent: state, notSentMessage, notSentMessageType }: Told,
  here: Problem | undefined,
): Problem | undefined =>
  state ? worse(here, { state, message: plainPreview(notSentMessage ?? ''), type: notSentMessageType ?? 'text' }) : here
