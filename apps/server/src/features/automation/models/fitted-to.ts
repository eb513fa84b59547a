import type { ModelConfig } from '@balcao/contract/core/integrations/models.ts'
import type { ModelMessage } from 'ai'

type Sight = Pick<ModelConfig, 'seesImages' | 'readsFiles'>
type UserPart = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number]

/** A message as this account's model takes it: a document it does not read is its text, a picture it does not see is named. */
export const fittedTo = (sight: Sight, message: ModelMessage, isMasked: boolean): ModelMessage => {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  return { ...message, content: message.content.map((part) => fitted(sight, part, isMasked)) }
}

const fitted = (sight: Sight, part: UserPart, isMasked: boolean): UserPart => {
  if (part.type === 'image') return sight.seesImages ? part : { type: 'text', text: '[uma imagem, que você não vê]' }
  if (part.type !== 'file') return part
  const { text, ...file } = part as typeof part & { text?: string } // whoever sends a document sends its text with it
  const isTaken = sight.readsFiles && part.mediaType === 'application/pdf' && !isMasked
  if (isTaken) return file
  return { type: 'text', text: `[documento ${part.filename ?? ''}]\n${text ?? '[você não pode lê-lo]'}` }
}
