import type { InboundEvent } from '../../../channels/adapter.ts'

/**
 * What is handled some time after it came: a state or a vote whose provider gives no time is of that moment, not of today, and
 * nobody is typing any more.
 */
export const asOf = (cameAt: Date, event: InboundEvent): InboundEvent[] => {
  if (event.kind === 'typing') return []
  return [event.kind === 'connection' || event.kind === 'vote' ? { ...event, at: event.at ?? cameAt } : event]
}
