import type { IncomingMessage } from 'node:http'
import { log } from './log.ts'

/** Of bodies that are still arriving, in one process. Whatever one call may hold, thousands that never end hold no more. */
const mostHeld = 128 * 1024 * 1024
/** Only a file may take its time on a slow line. */
const longestMs = 300_000

/** Bytes of each, the one that began first before the others. */
const arriving = new Map<IncomingMessage, number>()
let total = 0

/**
 * Counts what of a body has come before its end. When all of them together hold too much, whoever takes the longest is hung
 * up on: who sends at an honest pace is done long before that.
 */
export const countBody = (request: IncomingMessage) => {
  const late = setTimeout(() => request.complete || request.socket.destroy(), longestMs).unref()
  const end = () => {
    clearTimeout(late)
    total -= arriving.get(request) ?? 0
    arriving.delete(request)
    request.off('data', count)
  }
  const count = ({ length }: Buffer) => {
    total += length
    arriving.set(request, (arriving.get(request) ?? 0) + length)
    for (const [oldest] of arriving) {
      if (total <= mostHeld) break
      hangUp(oldest)
    }
  }
  request.on('data', count).once('end', end).once('close', end)
}

const hangUp = (request: IncomingMessage) => {
  const bytes = arriving.get(request) ?? 0
  total -= bytes
  arriving.delete(request)
  log.warn({ bytes, address: request.socket.remoteAddress }, 'slow body cut off: too much is held')
  request.socket.destroy()
}
