import { type MessageStatus, statusRank } from '@balcao/contract/conversations/messages.ts'

/**
 * Where a message stands after one more notice of the provider: states only move forward, `failed` is the end
 * (until a person resends), and nothing fails that was already delivered.
 */
export const nextStatus = (now: MessageStatus, told: MessageStatus): MessageStatus => {
  if (now === 'received' || now === 'failed') return now
  if (told === 'failed') return statusRank[now] < statusRank.delivered ? 'failed' : now
  return statusRank[told] > statusRank[now] ? told : now
}
