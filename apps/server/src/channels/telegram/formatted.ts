import { mentionsIn } from '@balcao/contract/conversations/mentions.ts'
import { parseUserText, type TextPart } from '@balcao/contract/conversations/user-text.ts'
import type { Outbound } from '../adapter.ts'

type Entity = { type: string; offset: number; length: number; user?: { id: number } }

/** Words as Telegram takes them: signs of formatting become entities, and members are called by their number there. */
export const formatted = (body: string, mentions: Outbound['mentions'] = []): { text: string; entities: Entity[] } => {
  const entities: Entity[] = []
  let text = ''
  const write = (part: TextPart) => {
    const type = typeOf(part)
    const entity = { type: type ?? '', offset: text.length, length: 0 }
    if (type) entities.push(entity)
    if ('parts' in part) for (const inner of part.parts) write(inner)
    else text += part.text
    entity.length = text.length - entity.offset
  }
  for (const part of parseUserText(body)) write(part)
  for (const { start, end, of } of mentionsIn(text, mentions))
    for (const who of of.slice(0, 1))
      entities.push({ type: 'text_mention', offset: start, length: end - start, user: { id: Number(who.id) } })
  return { text, entities }
}

const typeOf = (part: TextPart): string | undefined => {
  if (part.kind === 'mono') return part.text.includes('\n') ? 'pre' : 'code'
  return { bold: 'bold', italic: 'italic', strike: 'strikethrough', text: undefined, link: undefined }[part.kind]
}

export const textOf = ({ body, mentions }: Pick<Outbound, 'body' | 'mentions'>) => {
  const { text, entities } = formatted(body, mentions)
  return { text, ...(entities.length && { entities }) }
}
export const captionOf = ({ body, mentions }: Pick<Outbound, 'body' | 'mentions'>) => {
  const { text: caption, entities } = formatted(body, mentions)
  return { caption, ...(entities.length && { caption_entities: entities }) }
}
