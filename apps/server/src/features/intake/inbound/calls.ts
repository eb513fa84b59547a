import { behaviourOf } from '@balcao/contract/channels/options.ts'
import { v5 } from 'uuid'
import { ChannelError, type InboundCall, type InboundEvent } from '../../../channels/adapter.ts'
import type { Tx } from '../../../db/database.ts'
import { bySystem } from '../../../kit/actor.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { Batch } from './arrivals.ts'
import { writeLineOnce } from './lines-once.ts'
import { sayByRule } from './say-by-rule.ts'

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

/** Turned down where the connection or its company says so; what rang long ago is over. */
export const rejectRinging = async (
  { adapter, context, options, tenantId }: OpenConnection,
  { providerId, from, fromMe, at }: InboundCall,
) => {
  if (fromMe || Date.now() - at.getTime() > ringsForMs) return
  if (!behaviourOf(options, (await getDirectory(tenantId)).settings).rejectCalls) return
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

/** Told to whoever called and was not answered, where the connection or its company has words for it. */
export const answerCalls = (tx: Tx, batch: Batch): Promise<NewMessage[]> =>
  sayByRule(tx, batch, {
    ticketIds: batch.arrived.flatMap(({ event, ticket }) => (event.content.call ? ticket.id : [])),
    name: 'Resposta a ligações',
    text: behaviourOf(batch.connection.options, batch.directory.settings).callAnswer,
  })
