import { setTimeout as sleep } from 'node:timers/promises'
import { ChannelError } from '../adapter.ts'

const againMs = 500

/** Tries until it is written, for WhatsApp will not say it again; false when another process has the session now. */
export const untilStored = async (write: () => Promise<void>, signal: AbortSignal): Promise<boolean> => {
  while (!signal.aborted) {
    try {
      await write()
      return true
    } catch (error) {
      if (error instanceof ChannelError || signal.aborted) return false
      await sleep(againMs, undefined, { signal }).catch(() => {}) // the database is away
    }
  }
  return false
}
