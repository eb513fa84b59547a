import type { InboundEvent } from '../../../channels/adapter.ts'

/**
 * What is handled some time after it came: a state or a vote whose provider gives no time is of that moment, not of today, and
 * nobody is typing any more.
 */
export const asOf = (cameAt: Date, event: InboundEvent): InboundEvent[] => {
  if (event.kind === 'typing') return []
  return [event.kind === 'connection' || event.kind === 'vote' ? { ...event, at: event.at ?? cameAt } : event]
}

/** Clocks may differ by so much. */
const skewMs = 60 * 60_000
const earliest = Date.UTC(2000)
/** What claims to be of later than it came, or of before there was any of this, is of when it came. */
export const inOurTime = (cameAt: Date, event: InboundEvent): InboundEvent => {
  const isOurs = (at: Date) => at.getTime() >= earliest && at.getTime() <= cameAt.getTime() + skewMs
  if (event.kind === 'message') return isOurs(event.timestamp) ? event : { ...event, timestamp: cameAt }
  return 'at' in event && event.at && !isOurs(event.at) ? { ...event, at: cameAt } : event
}
