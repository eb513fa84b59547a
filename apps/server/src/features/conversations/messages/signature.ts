import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import { filledSignature } from '@balcao/contract/conversations/mail-signature.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { TicketState } from '../timeline/ticket-state.ts'

type Signing = { abilities: Pick<Abilities, 'showsAuthor' | 'supports'>; name: string; isAsked: boolean }

/**
 * Under the writer's name where that is asked for; a channel whose window shows who writes would say it twice, and an
 * e-mail is signed below its text.
 */
export const signedText = (text: string, { abilities, name, isAsked }: Signing): string =>
  text && isAsked && !abilities.showsAuthor && !abilities.supports.includes('mail') ? `*${name}*:\n${text}` : text

export type Signers = Pick<Directory, 'name' | 'people' | 'queues' | 'connections' | 'settings'>

/** What this person, or the company by itself, puts below an e-mail: their own signature, the queue's, the channel's, their name. */
export const mailSignatureOf = (
  { name, people, queues, connections }: Signers,
  { queueId, connectionId }: Pick<TicketState, 'queueId' | 'connectionId'>,
  author: Pick<Author, 'kind' | 'id'>,
): string => {
  const person = author.kind === 'user' && author.id ? people.get(author.id) : undefined
  const queue = queueId ? queues.get(queueId) : undefined
  const text =
    person?.configs.mailSignature ||
    queue?.mailSignature ||
    connections.get(connectionId)?.mailSignature ||
    (person ? '{{atendente}}' : '')
  return filledSignature(text, { atendente: person?.name ?? '', fila: queue?.name ?? '', empresa: name })
}

/** Whether this person's messages are signed, where they do not say it of one. */
export const prefersSigned = ({ people, settings }: Signers, userId: string): boolean =>
  settings.signed || (people.get(userId)?.configs.signature ?? true)
