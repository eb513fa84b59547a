import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { mentionsIn } from '@balcao/contract/conversations/mentions.ts'

/**
 * A member of a group, as `participants` names them and a message calls them: the digits of a phone, or the whole
 * address of an id that hides one.
 */
export const memberId = ({ kind, value }: Identity): string => (kind === 'lid' ? `${value}@lid` : value)

type Called = { id: string; name: string }
/** A text with each `@name` as its provider writes it. */
export const asCalled = (body: string, mentions: readonly Called[], written: (who: Called) => string): string => {
  let text = ''
  let done = 0
  for (const { start, end, of } of mentionsIn(body, mentions)) {
    const [who] = of
    if (!who) continue
    text += body.slice(done, start) + written(who)
    done = end
  }
  return text + body.slice(done)
}
