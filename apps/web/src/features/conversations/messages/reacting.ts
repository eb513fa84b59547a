import type { Message } from '@balcao/contract/conversations/messages.ts'
import { reactToMessage } from './api.ts'

export const quickReactions = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const

const key = 'reacao'
/** The one used last on this device: what one click gives. */
export const usualReaction = (): string => localStorage.getItem(key) ?? quickReactions[0]

/** The same reaction once more takes it back. */
export const reactWith = (message: Message, emoji: string): Promise<Message> => {
  const mine = message.reactions.find((reaction) => reaction.fromMe)?.emoji
  if (emoji !== mine) localStorage.setItem(key, emoji)
  return reactToMessage(message.id, emoji === mine ? '' : emoji)
}
