import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { InboundEvent, InboundMessage } from '../../../channels/adapter.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { storeFile } from '../../core/media/media.service.ts'
import type { Arrival } from './arrivals.ts'

/** Twice what any channel of ours lets a person write; a screen, a search and a page of paper bear it. */
const mostLetters = 8_000
const shownLetters = 1_000

/** What is longer than a conversation bears is kept whole as a text file; the message shows how it begins. */
export const keepLongTexts = async (connection: OpenConnection, arrivals: Arrival[]): Promise<Arrival[]> => {
  if (arrivals.every(({ event }) => event.content.body.length <= mostLetters)) return arrivals
  const kept = await Promise.all(arrivals.map((arrival) => keepLongText(connection, arrival)))
  return kept.flat()
}

const keepLongText = async ({ tenantId }: OpenConnection, arrival: Arrival): Promise<Arrival[]> => {
  const { event } = arrival
  const { content } = event
  if (content.body.length <= mostLetters) return [arrival]
  // As it was written, it is kept and shown whole.
  if (content.mail?.html)
    return [{ ...arrival, event: { ...event, content: { ...content, body: beginning(content.body, mostLetters) } } }]
  const file = await storeFile({
    tenantId,
    bytes: Buffer.from(content.body),
    name: 'mensagem.txt',
    declaredMime: 'text/plain',
  })
  const shown: InboundMessage['content'] = { ...content, body: beginning(content.body) }
  if (content.type === 'text')
    return [{ ...arrival, event: { ...event, content: { ...shown, type: 'document', mediaId: file.id } } }]
  // Beside the file it came with: a message of its own.
  const beside: InboundMessage = {
    ...event,
    providerId: `${event.providerId}:texto`,
    content: { type: 'document', body: '', mediaId: file.id },
  }
  return [
    { ...arrival, event: { ...event, content: shown } },
    { event: beside, journalId: null },
  ]
}

/** An edit has no place for a file; what was written before stays readable beside it. */
export const boundEdit = ({ body }: Extract<InboundEvent, { kind: 'edit' }>): string =>
  body.length <= mostLetters ? body : beginning(body, mostLetters)

const beginning = (text: string, letters = shownLetters) => `${cutText(text, letters)}…`
