import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { log } from '../log.ts'
import type { Carrier, Hearer } from './signals.ts'

const channel = 'balcao'
const firstRetryMs = 500
const maxRetryMs = 15_000
/** A connection that died in silence is noticed by then. */
const checkEveryMs = 30_000
const answerWithinMs = 5_000

/**
 * NOTIFY on a connection of its own, outside transactions: inside one, all that commit would wait for each other. Where a
 * pooler in between swallows it, nothing is heard and everybody looks by the clock.
 */
export const signalsByPostgres =
  (connectionString: string) =>
  ({ hear, opened }: Hearer): Carrier => {
    let client: pg.Client | undefined
    let isStopped = false
    let retryMs = firstRetryMs
    const stopping = new AbortController()

    const listen = async () => {
      const fresh = new pg.Client({
        connectionString,
        keepAlive: true,
        connectionTimeoutMillis: 10_000,
        query_timeout: answerWithinMs,
        application_name: 'balcao: signals',
      })
      const ended = new Promise<void>((resolve) => {
        fresh.once('end', resolve)
        fresh.on('error', () => resolve())
      })
      fresh.on('notification', ({ payload }) => payload && hear(payload))
      try {
        await fresh.connect()
        await fresh.query(`listen ${channel}`)
        if (isStopped) return // meanwhile: nobody else would end it
        client = fresh
        retryMs = firstRetryMs
        opened()
        await ended
      } finally {
        client = undefined
        await fresh.end().catch(() => {})
      }
    }
    const keepListening = async () => {
      while (!isStopped) {
        await listen().catch((error) => log.debug({ err: error }, 'signals: no way through the database'))
        if (isStopped) return
        await sleep(retryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
        retryMs = Math.min(maxRetryMs, retryMs * 2)
      }
    }
    const listening = keepListening()
    const checking = setInterval(() => {
      const checked = client
      checked?.query('select 1').catch(() => checked.end().catch(() => {}))
    }, checkEveryMs).unref()

    return {
      send: async (texts) => {
        await client?.query({
          name: 'signals_send',
          text: `select pg_notify('${channel}', text) from unnest($1::text[]) text`,
          values: [texts],
        })
      },
      stop: async () => {
        isStopped = true
        clearInterval(checking)
        stopping.abort()
        await client?.end().catch(() => {})
        await listening
      },
    }
  }
