import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { ChannelError, type Session, type SessionHost } from '../adapter.ts'
import { type Context, call } from './bot-api.ts'
import { allowedUpdates, split } from './parse.ts'

/** How long Telegram holds a question nobody has written for. */
const holdS = 25
const pauseMs = 3_000
/** Where nothing comes for a week, the next id is a random one, perhaps below what we saw: what was seen counts no more. */
const offsetLifeMs = 6 * 24 * 3_600_000

const updates = z.array(z.looseObject({ update_id: z.int() }))
const seen = z.object({ offset: z.int(), at: z.number() })

/** Asks Telegram for what is new, one question at a time; what was answered is confirmed by the next question. */
export const openPolling = async (context: Context, host: SessionHost): Promise<Session> => {
  await call(context, 'deleteWebhook', {}, true)
  const stopping = new AbortController()
  const signal = AbortSignal.any([host.signal, stopping.signal])
  const ended = poll(context, host, signal)
  ended.catch(() => {}) // whoever opened it hears of it
  return {
    ended,
    close: async () => {
      stopping.abort()
      await ended.catch(() => {})
    },
    calls: {},
  }
}

const poll = async (context: Context, host: SessionHost, signal: AbortSignal) => {
  let last = await lastSeen(host)
  let isTold = false
  while (!signal.aborted) {
    try {
      const timeout = isTold ? holdS : 0
      const found = updates.parse(await ask(context, { offset: offsetOf(last), timeout }, signal))
      const newest = found.at(-1)
      if (newest) {
        last = { offset: newest.update_id + 1, at: Date.now() }
        await host.receive(found.flatMap(split), { seen: JSON.stringify(last) })
      }
      if (!isTold)
        await host.tell({ status: 'CONNECTED', text: 'Conectado. As mensagens são consultadas no Telegram.' })
      isTold = true
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ChannelError) || error.outcome !== 'retry') throw error
      await sleep(error.retryAfterMs ?? pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}

const ask = (context: Context, question: { offset: number; timeout: number }, signal: AbortSignal) => {
  const fields = { ...question, allowed_updates: allowedUpdates }
  const http: Context['http'] = (url, request) =>
    context.http(url, { ...request, signal, timeoutMs: (holdS + 10) * 1_000 })
  return call({ ...context, http }, 'getUpdates', fields, true)
}

type Seen = z.output<typeof seen>
const offsetOf = (last: Seen | undefined) => (last && Date.now() - last.at < offsetLifeMs ? last.offset : 0)
const lastSeen = async (host: SessionHost): Promise<Seen | undefined> => {
  const stored = (await host.state('seen')).get('seen')
  return stored ? seen.safeParse(JSON.parse(stored)).data : undefined
}
