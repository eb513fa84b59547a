import type { Prepared, Tx } from '../db/database.ts'
import { journal } from '../db/schema/intake/journal.ts'
import type { Cast } from './seed.ts'

type Told = {
  connectionId: string
  providerId: string
  seq: number
  fromMe: boolean
  body: string
  timestamp: Date
  name: string
  number: string | null
}

/** What the providers told of the last days: all handled but one that nobody understands and one that failed. */
export const seedJournal = async (tx: Tx, { channels }: Cast) => {
  const { tenantId } = tx
  const of = (kind: 'waba' | 'telegram') => channels.find((one) => one.kind === kind)?.id ?? ''
  const told = await tx.rows<Told>(giveIds, [tenantId, of('waba'), of('telegram')])
  const handled = told.map((one) => ({
    ...{ tenantId, connectionId: one.connectionId, eventKey: `demo:${one.seq}`, receivedAt: one.timestamp },
    state: 'done' as const,
    processedAt: new Date(one.timestamp.getTime() + 40),
    payload: one.connectionId === of('waba') ? toldByMeta(one) : toldByTelegram(one),
  }))
  const at = new Date(Date.now() - 3 * 86_400_000)
  const shared = { tenantId, connectionId: of('waba'), receivedAt: at, processedAt: at }
  const lost = { providerId: 'wamid.demo.0', fromMe: false, body: 'Oi, alguém viu meu pedido?', timestamp: at }
  await tx.db.insert(journal).values([
    ...handled,
    {
      ...shared,
      eventKey: 'demo:unknown',
      state: 'unknown',
      payload: { field: 'partner_solutions', value: { event: 'SOLUTION_UPDATED', solution_status: 'INITIATED' } },
    },
    {
      ...shared,
      eventKey: 'demo:failed',
      state: 'failed',
      attempts: 5,
      error: 'Não conseguimos processar este aviso (o banco de dados não respondeu a tempo).',
      payload: toldByMeta({ ...lost, name: 'Teresa Nunes', number: '5511980010000' }),
    },
  ])
}

const giveIds: Prepared = {
  name: 'demo_provider_ids',
  text: `update messages m set provider_id = case m.connection_id when $2 then 'wamid.demo.' else '500:' end || m.seq
    from contacts c where c.tenant_id = $1 and c.id = m.contact_id and m.tenant_id = $1 and m.type = 'text'
      and m.connection_id in ($2, $3) and m.timestamp > now() - interval '6 days' and (not m.from_me or m.connection_id = $2)
    returning m.connection_id as "connectionId", m.provider_id as "providerId", m.seq::int, m.from_me as "fromMe", m.body,
      m.timestamp, c.name, c.number`,
}

const toldByMeta = ({ providerId: id, fromMe, body, timestamp, name, number }: Omit<Told, 'connectionId' | 'seq'>) => {
  const at = String(Math.floor(timestamp.getTime() / 1_000))
  if (fromMe) return { kind: 'status', status: { id, status: 'read', timestamp: at } }
  return {
    kind: 'message',
    message: { from: number ?? '5511980010001', id, timestamp: at, type: 'text', text: { body } },
    contact: { wa_id: number ?? '5511980010001', profile: { name } },
  }
}

const toldByTelegram = ({ seq, body, timestamp, name }: Told) => {
  const person = { id: 500, first_name: name }
  const date = Math.floor(timestamp.getTime() / 1_000)
  const message = { message_id: seq, date, chat: { ...person, type: 'private' }, from: { ...person, is_bot: false } }
  return { update_id: seq, message: { ...message, text: body } }
}
