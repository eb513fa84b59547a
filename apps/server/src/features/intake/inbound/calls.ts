import { v5 } from 'uuid'
import { ChannelError, type InboundCall, type InboundEvent } from '../../../channels/adapter.ts'
import type { Tx } from '../../../db/database.ts'
import { byRule, bySystem } from '../../../kit/actor.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { filledFor, lockConversation } from '../../conversations/messages/system-messages.ts'
import { composeOutgoing, unlessRefused } from '../../conversations/messages/write-outgoing.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import type { Batch } from './arrivals.ts'
import { writeLineOnce } from './lines-once.ts'

/** Whoever called and reached nobody waits for an answer, like whoever wrote. */
export const asMessage = (event: InboundEvent): InboundEvent => {
  if (event.kind !== 'call' || event.state !== 'missed' || event.fromMe) return event
  const { providerId, from, isVideo, at } = event
  const body = `Ligação ${isVideo ? 'de vídeo' : 'de voz'} não atendida.`
  return {
    kind: 'message',
    providerId: `call:${providerId}`,
    from,
    fromMe: false,
    timestamp: at,
    content: { type: 'text', body, call: { isVideo } },
  }
}

/** Turned down where the connection says so; what rang long ago is over. */
export const rejectRinging = async (
  { adapter, context, options }: OpenConnection,
  { providerId, from, fromMe, at }: InboundCall,
) => {
  if (!options.rejectCalls || fromMe || Date.now() - at.getTime() > ringsForMs) return
  const to = normalizeIdentities(from.identities)
  await adapter.rejectCall?.({ providerId, to }, context).catch((error) => {
    if (!(error instanceof ChannelError)) throw error // too late, or not theirs any more: it ends by itself
  })
}
const ringsForMs = 120_000

/** A call that was held, or that nobody took when we rang, is a line of the conversation. */
export const receiveCall = async (tx: Tx, connection: OpenConnection, event: InboundCall) => {
  const { providerId, from, state, isVideo, seconds } = event
  const what = `Ligação ${isVideo ? 'de vídeo' : 'de voz'}`
  const how = state === 'missed' ? 'não atendida pelo contato' : seconds === undefined ? 'encerrada' : lasting(seconds)
  await writeLineOnce(tx, connection, from, {
    id: v5(`ligacao:${providerId}`, connection.id),
    body: `${what}: ${how}.`,
    author: bySystem,
  })
}
const lasting = (seconds: number) => {
  const minutes = Math.floor(seconds / 60)
  return `durou ${[minutes ? `${minutes} min` : '', seconds % 60 || !minutes ? `${seconds % 60} s` : ''].filter(Boolean).join(' ')}`
}

/** Told to whoever called and was not answered, where the connection has words for it. */
export const answerCalls = async (tx: Tx, { connection, directory, arrived, tickets, now }: Batch) => {
  const { callAnswer } = connection.options
  const called = callAnswer ? arrived.filter(({ event }) => event.content.call) : []
  const answers: NewMessage[] = []
  for (const ticketId of new Set(called.map(({ ticket }) => ticket.id))) {
    const ticket = tickets.get(ticketId)
    const conversation = ticket && (await lockConversation(tx, ticketId))
    if (!callAnswer || !conversation) continue
    const words = composeOutgoing(tx, {
      ticket: { ...ticket, windowFrom: ticket.lastInboundAt },
      directory,
      author: byRule('Resposta a ligações'),
      cause: 'chat',
      purpose: 'service',
      drafts: [{ type: 'text', body: filledFor(conversation, directory, callAnswer, null) }],
      effect: 'nothing',
      now,
    })
    answers.push(...(await unlessRefused(words, [])))
  }
  return answers
}
