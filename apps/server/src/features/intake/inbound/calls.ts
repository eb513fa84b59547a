import { behaviourOf } from '@balcao/contract/channels/options.ts'
import { v5 } from 'uuid'
import { ChannelError, type InboundCall, type InboundEvent } from '../../../channels/adapter.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { bySystem } from '../../../kit/actor.ts'
import { log } from '../../../kit/log.ts'
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

/**
 * Turned down where the connection or its company says so; what rang long ago is over. Nobody's message waits for it, and of
 * those who ring without end only a few at a time are turned down: the others ring out.
 */
export const rejectRinging = async (connection: OpenConnection, { providerId, from, fromMe, at }: InboundCall) => {
  const { id, adapter, context, options, tenantId } = connection
  if (fromMe || Date.now() - at.getTime() > ringsForMs) return
  if (!behaviourOf(options, (await getDirectory(tenantId)).settings).rejectCalls) return
  const under = (turningDown.get(id) ?? 0) + 1
  if (!adapter.rejectCall || under > mostTurnedDown) return
  turningDown.set(id, under)
  adapter
    .rejectCall({ providerId, to: normalizeIdentities(from.identities) }, context)
    .catch((error) => {
      // Too late, or not theirs any more: it ends by itself.
      if (!(error instanceof ChannelError)) log.warn({ err: error, tenantId, connectionId: id }, 'call not turned down')
    })
    .finally(() => {
      const left = (turningDown.get(id) ?? 1) - 1
      if (left) turningDown.set(id, left)
      else turningDown.delete(id)
    })
}
const ringsForMs = 120_000
const mostTurnedDown = 10
/** How many are being turned down, by connection. */
const turningDown = new Map<string, number>()

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

/**
 * Told to whoever called and was not answered, where the connection or its company has words for it; who calls again and
 * again reads it once in a while.
 */
export const answerCalls = async (tx: Tx, batch: Batch): Promise<NewMessage[]> => {
  const text = behaviourOf(batch.connection.options, batch.directory.settings).callAnswer
  const called = batch.arrived.flatMap(({ event, ticket }) => (event.content.call ? ticket.id : []))
  if (!text || !called.length) return []
  const turn = Math.floor(batch.now.getTime() / answeredEveryMs)
  const idOf = (ticketId: string) => v5(`ligacoes:${turn}`, ticketId)
  const said = new Set(
    (await tx.rows<{ id: string }>(saidAlready, [tx.tenantId, called.map(idOf)])).map(({ id }) => id),
  )
  const ticketIds = called.filter((ticketId) => !said.has(idOf(ticketId)))
  return sayByRule(tx, batch, { ticketIds, name: 'Resposta a ligações', text, idOf })
}
const answeredEveryMs = 10 * 60_000
const saidAlready: Prepared = {
  name: 'calls_said_already',
  text: 'select id from messages where tenant_id = $1 and id = any($2::uuid[])',
}
