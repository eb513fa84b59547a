import type { Message } from '@balcao/contract/conversations/messages.ts'
import { reactToMessage } from './api.ts'

export const quickReactions = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const

const key = 'reacao'
/** The one used last on this device, of those the channel takes: what one click gives. */
export const usualReaction = (taken?: readonly string[]): string => {
  const last = localStorage.getItem(key) ?? quickReactions[0]
  return taken && !taken.includes(last) ? (taken[0] ?? last) : last
}

/** The same reaction once more takes it back. */
export const reactWith = (message: Message, emoji: string): Promise<Message> => {
  const mine = message.reactions.find((reaction) => reaction.fromMe)?.emoji
  if (emoji !== mine) localStorage.setItem(key, emoji)
  return reactToMessage(message.id, emoji === mine ? '' : emoji)
}
