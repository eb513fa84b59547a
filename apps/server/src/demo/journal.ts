import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { journal } from '../db/schema/intake/journal.ts'
import { personOf } from './people.ts'
import type { Cast } from './seed.ts'

const minute = 60_000
const days = 6
const aDay = 9

/** What the providers told of in the last days: all handled but one that nobody understands and one that failed. */
export const seedJournal = async (tx: Tx, { channels }: Cast) => {
  const { tenantId } = tx
  const of = (kind: 'waba' | 'telegram') => channels.find((one) => one.kind === kind)?.id ?? ''
  const events = Array.from({ length: days * aDay }, (_, n) => {
    const at = new Date(Date.now() - (Math.floor(n / aDay) * 1_440 + (n % aDay) * 47 + 12) * minute)
    return n % 3 === 2
      ? { connectionId: of('telegram'), at, payload: toldByTelegram(n, at) }
      : { connectionId: of('waba'), at, payload: toldByMeta(n, at) }
  })
  const handled = events.map(({ connectionId, at, payload }, n) => ({
    ...{ tenantId, id: v7(), connectionId, payload, eventKey: `demo:${n}`, receivedAt: at },
    state: 'done' as const,
    processedAt: new Date(at.getTime() + 40),
  }))
  const at = new Date(Date.now() - 3 * 1_440 * minute)
  const shared = { tenantId, connectionId: of('waba'), receivedAt: at, processedAt: at }
  await tx.db.insert(journal).values([
    ...handled,
    {
      ...shared,
      eventKey: 'demo:unknown',
      state: 'unknown',
      payload: { field: 'business_capability_update', value: { max_daily_conversation_per_phone: 1_000 } },
    },
    {
      ...shared,
      eventKey: 'demo:failed',
      state: 'failed',
      attempts: 5,
      error: 'Não conseguimos processar este aviso (o banco de dados não respondeu a tempo).',
      receivedAt: new Date(at.getTime() - 95 * minute),
      payload: toldByMeta(0, at),
    },
  ])
}

const seconds = (at: Date) => String(Math.floor(at.getTime() / 1_000))

const toldByMeta = (n: number, at: Date) => {
  const id = `wamid.demo.${n}`
  if (n % 2)
    return { kind: 'status', status: { id, status: n % 4 === 1 ? 'delivered' : 'read', timestamp: seconds(at) } }
  const { name } = personOf(n + 1_000)
  const from = `55119800${10_000 + n}`
  return {
    kind: 'message',
    message: { from, id, timestamp: seconds(at), type: 'text', text: { body: 'Boa tarde, vocês entregam hoje?' } },
    contact: { wa_id: from, profile: { name } },
  }
}

const toldByTelegram = (n: number, at: Date) => {
  const chat = { id: 500_000 + n, type: 'private', first_name: personOf(n + 1_000).name }
  const told = { message_id: n, chat, from: { ...chat, is_bot: false, type: undefined }, date: Number(seconds(at)) }
  return n % 2
    ? { update_id: n, edited_message: { ...told, edit_date: told.date, text: 'Oi! Ainda tem o azul?' } }
    : { update_id: n, message: { ...told, text: 'Oi, ainda tem o azul?' } }
}
