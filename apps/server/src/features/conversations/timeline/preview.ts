import type { Author } from '@balcao/contract/conversations/authors.ts'
import { lineOf } from '@balcao/contract/conversations/message-labels.ts'
import type { MessageType } from '@balcao/contract/conversations/messages.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'

/** The line a ticket shows of its last message; of a group, with who wrote it. */
export const previewOf = (message: {
  type: MessageType
  body: string
  mediaName?: string | null
  author?: Author | null
}) => {
  const body = message.body || (message.type === 'document' && message.mediaName) || ''
  const words = lineOf({ type: message.type, body })
  const name = message.author?.kind === 'contact' ? message.author.name : ''
  return cutText(name && words ? `${name}: ${words}` : words, 300)
}
