import { closeByContact } from '../../conversations/actions/close-by-itself.ts'
import type { OwnerWork } from '../../conversations/turns/owners.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** One of the company's words for "that is all": the whole message, accents and case aside. */
export const isClosingWord = ({ settings }: Directory, text: string): boolean => {
  if (!settings.closeKeywords.length || text.length > 60) return false
  const said = plain(text)
  return said !== '' && settings.closeKeywords.some((word) => plain(word) === said)
}

/** The customer ends the conversation themself, whoever has it. */
export const endedByCustomer: OwnerWork = {
  claims: ({ directory, message }) =>
    message.type === 'text' && isClosingWord(directory, message.body) ? {} : undefined,
  run: (tx, { ticketId }) => closeByContact(tx, { ticketId, line: 'O cliente encerrou o atendimento.' }),
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#*]+/gu, ' ')
    .trim()
