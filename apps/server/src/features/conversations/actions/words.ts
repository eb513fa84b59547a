import { messageSend } from '@balcao/contract/conversations/messages.ts'
import { blankPart, type Part } from '@balcao/contract/conversations/parts.ts'
import { fillVariables } from '@balcao/contract/variables.ts'
import { v5 } from 'uuid'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { countQuickUse } from '../messages/quick-uses.ts'
import { asCarried, sendIn } from '../messages/send-message.ts'
import { lockConversation } from '../messages/system-messages.ts'
import { readVariables } from '../messages/variable-context.ts'
import { emptyText, writeOutgoing } from '../messages/write-outgoing.ts'
import { storedFiles, wayTo } from '../parts/parts.ts'
import type { Here } from '../tickets/action-catalogue.ts'

/** One message of words. */
export const say = (here: Here, { body }: { body: string }) => sayParts(here, [{ ...blankPart('text'), body }])

/**
 * Messages one after the other, each as its channel carries it: written as by hand where a person does it; else through
 * the door, as what answers by itself.
 */
export const sayParts = async (
  here: Here,
  parts: readonly Part[],
  { quickMessageId }: { quickMessageId?: string } = {},
): Promise<void> => {
  const { tx, by, ticket, directory, vars } = here
  const conversation = await lockConversation(tx, ticket.id)
  if (!conversation) throw new AppError('ERR_NO_TICKET_FOUND')
  const context = { ...(await readVariables(tx, whoOf(by), directory, ticket.id)), vars }
  const files = await storedFiles(tx, parts)
  const messages = parts.map((one, at) => {
    const file = one.mediaId ? files.get(one.mediaId) : undefined
    const body = fillVariables(one.body, context).trim()
    if (!body && one.body) throw fieldErrors({ path: 'body', message: emptyText })
    return { id: idOf(here, at), type: wayTo(conversation, one, file), body, file, interactive: one.interactive }
  })
  if (!by.actor) {
    if (ticket.status === 'closed') throw new AppError('ERR_TICKET_CLOSED')
    await writeOutgoing(tx, {
      ticket: conversation,
      directory,
      author: by.author,
      cause: 'chat',
      purpose: 'service',
      drafts: messages.map(({ interactive, ...draft }) => ({
        ...draft,
        payload: interactive && { interactive: asCarried(conversation.abilities, interactive, draft.body) },
      })),
    })
    if (quickMessageId) await countQuickUse(tx, { quickMessageId, userId: null })
    return
  }
  const signedAt = messages.findIndex(({ body }) => body)
  for (const [at, { file, ...message }] of messages.entries()) {
    const sign = at === signedAt ? 'preferred' : false
    const from = at === 0 ? { quickMessageId } : {}
    const input = parsed({ ...message, ...from, sign, mediaId: file?.id ?? null })
    await sendIn(tx, directory, by.actor, ticket.id, input)
  }
}
/** Of each message its own, the same however often the step is tried. */
const idOf = ({ stepId }: Here, at: number) => (at ? v5(`part:${at}`, stepId) : stepId)
const whoOf = (by: Here['by']) => by.actor ?? { name: by.author.name, email: '' }

/** A text with what is known of the conversation in it; maybe nothing is left. */
export const fillText = async ({ tx, by, ticket, directory, vars }: Here, body: string): Promise<string> =>
  fillVariables(body, { ...(await readVariables(tx, whoOf(by), directory, ticket.id)), vars }).trim()
/** The same of a text that has to say something. */
export const filled = async (here: Here, body: string): Promise<string> => {
  const text = await fillText(here, body)
  if (!text) throw fieldErrors({ path: 'body', message: emptyText })
  return text
}

/** A message as somebody would have sent it. */
export const parsed = (given: Record<string, unknown>) => {
  const input = messageSend.safeParse(given)
  if (!input.success)
    throw fieldErrors({ path: 'body', message: 'O texto ficou longo demais com os dados do contato.' })
  return input.data
}
