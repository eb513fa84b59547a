import type { Ticket } from '@balcao/contract/conversations/tickets.ts'

/** "Você: " or "Ana: " before the last words of somebody of the team; the customer and what is sent by itself have none. */
export const authorMark = ({ lastAuthor }: Pick<Ticket, 'lastAuthor'>, userId: string): string => {
  if (!lastAuthor) return ''
  return lastAuthor.id === userId ? 'Você: ' : `${lastAuthor.name.split(' ', 1)[0]}: `
}

/** The signature and the marks of WhatsApp tell nothing in one line. */
export const plainPreview = (text: string) =>
  text
    .replace(/^\*[^*\n]+\*:\s*/, '')
    .replace(/[*_~`]{1,3}(\S[^*_~`]*)[*_~`]{1,3}/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
