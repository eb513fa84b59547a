import { setTimeout as sleep } from 'node:timers/promises'
import type { WAMessage } from '@whiskeysockets/baileys'
import type { HistoryWish, JournalPiece } from '../adapter.ts'
import { isGroup } from '../whatsapp/jids.ts'
import { timeOf } from './parse.ts'
import { historyPieces } from './pieces.ts'
import type { BaileysEvents } from './port.ts'

type Store = (pieces: JournalPiece[], forgets: ReadonlySet<string>) => Promise<void>
/** More than half of the time is left to those who write now. */
const rest = { times: 1.2, shortestMs: 10, longestMs: 500 }

/**
 * Old conversations, one stretch after the other: each is asked for by a message of its own, which is forgotten when all
 * of the stretch is stored. Until then it brings the stretch again, whoever has the session by then.
 */
export const createHistory = (wish: HistoryWish | undefined, store: Store, signal: AbortSignal) => {
  const waiting: { piece: JournalPiece; forgets: string[] }[] = []
  const asking: { id: string; order: string }[] = []
  let isRunning = false

  const run = async () => {
    if (isRunning) return
    isRunning = true
    for (let one = waiting.shift(); one && !signal.aborted; one = waiting.shift()) {
      const startedAt = Date.now()
      await store([one.piece], new Set(one.forgets))
      const restMs = (Date.now() - startedAt) * rest.times
      await sleep(Math.min(Math.max(restMs, rest.shortestMs), rest.longestMs), undefined, { signal }).catch(() => {})
    }
    isRunning = false
  }

  return {
    take: (events: BaileysEvents) => {
      for (const message of events['messages.upsert']?.messages ?? []) {
        const order = wish && orderOf(message)
        if (order && message.key.id) asking.push({ id: message.key.id, order })
      }
      const told = events['messaging-history.set']
      if (!told || !wish) return
      const { messages, progress, syncType, chunkOrder } = told
      const pieces = historyPieces(messages.filter(isWanted(wish)), progress ?? 100)
      const at = asking.findIndex(({ order }) => order === `${syncType} ${chunkOrder}`)
      const forgets = asking.splice(0, at + 1).map(({ id }) => id)
      waiting.push(...pieces.map((piece, n) => ({ piece, forgets: n === pieces.length - 1 ? forgets : [] })))
      void run()
    },
    /** It is kept until what it asks for is stored. */
    isAwaited: (id: string) =>
      asking.some((one) => one.id === id) || waiting.some(({ forgets }) => forgets.includes(id)),
  }
}

/** Which stretch a message of the phone's announces. */
const orderOf = ({ message, key }: WAMessage): string | undefined => {
  const announced = key.fromMe ? message?.protocolMessage?.historySyncNotification : undefined
  return announced ? `${announced.syncType} ${announced.chunkOrder}` : undefined
}

const isWanted =
  ({ since, until, hasGroups }: HistoryWish) =>
  ({ key, messageTimestamp }: WAMessage): boolean => {
    const at = timeOf(messageTimestamp)
    return at >= since.getTime() && at < until.getTime() && (hasGroups || !isGroup(key.remoteJid ?? ''))
  }
