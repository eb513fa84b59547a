import { startBaileysSimulator } from '@balcao/simulators/baileys.ts'
import { v7 } from 'uuid'
import { createEgress } from '../../kit/egress.ts'
import type { HistoryWish, InboundEvent, JournalPiece, Outbound, Session, SessionHost, Standing } from '../adapter.ts'
import { baileys } from './adapter.ts'
import type { Context } from './session.ts'

/** A phone, WhatsApp and one process of ours around them; what the database would keep is kept here. For tests. */
export const startBaileys = async (more: Parameters<typeof startBaileysSimulator>[0] = {}) => {
  const simulator = await startBaileysSimulator(more)
  const kept = new Map<string, string>()
  const journal = new Map<string, JournalPiece>()
  const told: Standing[] = []
  const heard = { keep: (_pieces: JournalPiece[]) => {} }
  const context: Context = {
    tenantId: 1,
    connectionId: v7(),
    config: { deviceName: 'Balcão', server: simulator.address },
    hookSecret: 'segredo',
    webhookUrl: '',
    egress: createEgress({ allow: ['127.0.0.1'] }),
    http: createEgress({ allow: ['127.0.0.1'] }).http,
  }
  const open = async (history?: HistoryWish) => {
    const losing = new AbortController()
    const host: SessionHost = {
      signal: losing.signal,
      history,
      receive: async (pieces, changes = {}) => {
        losing.signal.throwIfAborted()
        heard.keep(pieces)
        for (const piece of pieces)
          if (!journal.has(piece.key)) journal.set(piece.key, JSON.parse(JSON.stringify(piece)))
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) kept.delete(name)
          else kept.set(name, value)
        }
      },
      recall: async (key) => journal.get(key)?.payload,
      state: async (names = '') =>
        new Map(
          [...kept].filter(([name]) => (typeof names === 'string' ? name.startsWith(names) : names.includes(name))),
        ),
      forget: async () => {
        losing.signal.throwIfAborted()
        kept.clear()
      },
      tell: async (standing) => void told.push(standing),
    }
    const session = await baileys.session?.open(context, host)
    if (!session) throw new Error('No session')
    return { session, host, lose: () => losing.abort() }
  }
  const outbound = (given: Partial<Outbound>): Outbound => ({
    id: v7(),
    to: [{ kind: 'phone', value: '5511987654321' }],
    type: 'text',
    body: '',
    media: null,
    location: null,
    contacts: [],
    quotedProviderId: null,
    ...given,
  })
  const events = (): InboundEvent[] => [...journal.values()].flatMap(({ payload }) => baileys.parse(payload))
  return {
    simulator,
    context,
    kept,
    journal,
    told,
    heard,
    open,
    outbound,
    events,
    messages: () => events().flatMap((event) => (event.kind === 'message' ? [event] : [])),
    send: (session: Session, given: Partial<Outbound>) =>
      session.calls.send?.(outbound(given)) as Promise<{ providerId: string }>,
  }
}
