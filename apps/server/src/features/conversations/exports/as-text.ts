import type { Conversation, ExportedMessage } from './conversation.ts'
import { sizeText } from './size-text.ts'

/**
 * One line per message, as WhatsApp exports it. What follows within a message is indented, so that no message can look
 * like another's.
 */
export async function* asText({ company, title, facts, messages }: Conversation): AsyncGenerator<string> {
  yield `\uFEFF${title}\r\n${company}\r\n\r\n${facts.map(({ label, value }) => `${label}: ${indented(value)}\r\n`).join('')}\r\n`
  for await (const message of messages) yield lineOf(message)
}

const lineOf = ({ day, time, who, side, marks, quoted, body, place, cards, file, reactions }: ExportedMessage) => {
  const parts = [
    quoted && `> ${quoted}`,
    body,
    file && `[Arquivo: ${file.name}, ${sizeText(file.size)}]`,
    place && `[Localização: ${place.text}] ${place.url}`,
    ...cards.map((card) => `[Contato: ${card}]`),
    reactions && `[Reações: ${reactions}]`,
  ]
  const told = marks.length ? ` (${marks.join(', ')})` : ''
  const author = side === 'system' ? '' : ` ${oneLine(who)}${told}:`
  return `[${day} ${time}]${author} ${indented(parts.filter(Boolean).join('\n'))}\r\n`
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')
const indented = (text: string) => text.replace(/[\n\u0085\u2028\u2029]+/g, '\r\n    ')
