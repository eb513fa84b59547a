import type { Offer } from '../protocol.ts'
import type { NewMessage } from './api.ts'
import { newClientId } from './sending.ts'
import { type ThreadMessage, UNSENT_SEQ } from './thread.ts'
import { language } from './words.ts'

/** `key` becomes its clientId once the server has it; `answeredBy`: the visitor's message that takes it there. */
export type TakenOffer = Offer & { key: string; at: string; answeredBy?: string }

export const takeUp = ({ id, text }: Offer): TakenOffer => ({
  id,
  text,
  key: newClientId(),
  at: new Date().toISOString(),
})

export const toAnswer = ({ id, key }: TakenOffer): NewMessage['offer'] => ({ id, key, language: language() })

/** Before the message that answers it, or last; the server's own takes its place. */
export const withOffer = (thread: ThreadMessage[], offer: TakenOffer | undefined): ThreadMessage[] => {
  if (!offer || thread.some(({ clientId }) => clientId === offer.key)) return thread
  const answer = offer.answeredBy ? thread.findIndex(({ clientId }) => clientId === offer.answeredBy) : -1
  const at = answer < 0 ? thread.length : answer
  const shown: ThreadMessage = {
    id: 'offer',
    seq: UNSENT_SEQ,
    clientId: offer.key,
    from: 'bot',
    type: 'text',
    text: offer.text,
    status: 'read',
    isDeleted: false,
    createdAt: offer.at,
    delivery: 'offered',
  }
  return [...thread.slice(0, at), shown, ...thread.slice(at)]
}
