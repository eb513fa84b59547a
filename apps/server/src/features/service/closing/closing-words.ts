import type { Tx } from '../../../db/database.ts'
import { closeByContact } from '../../conversations/tickets/tickets.service.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** One of the company's words for "that is all": the whole message, accents and case aside. */
export const isClosingWord = ({ settings }: Directory, text: string): boolean => {
  if (!settings.closeKeywords.length || text.length > 60) return false
  const said = plain(text)
  return said !== '' && settings.closeKeywords.some((word) => plain(word) === said)
}

/** The conversations whose last message here is such a word of their customer. */
export const endedByCustomer = (directory: Directory, arrived: NewMessage[]): string[] => {
  if (!directory.settings.closeKeywords.length) return []
  const last = new Map(arrived.map(({ message, ticket }) => [ticket.id, { message, ticket }]))
  return [...last.values()]
    .filter(({ message, ticket }) => !message.fromMe && !ticket.isGroup && message.type === 'text')
    .filter(({ message }) => isClosingWord(directory, message.body))
    .map(({ ticket }) => ticket.id)
}

export const closeForCustomer = (tx: Tx, ticketId: string) =>
  closeByContact(tx, { ticketId, line: 'O cliente encerrou o atendimento.' })

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#*]+/gu, ' ')
    .trim()
