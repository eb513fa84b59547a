import { streamsOf } from '@balcao/contract/channels/define.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import { v5 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import {
  beginMessageStream,
  findMessageStream,
  growMessageStream,
} from '../../conversations/messages/message-streams.ts'
import { type Conversation, lockConversation } from '../../conversations/messages/system-messages.ts'
import type { AssistantCard, Directory } from '../../core/directory/directory.ts'
import { authorOf } from './give.ts'
import { findActiveRun } from './runs.rows.ts'

/** So many letters before anything is shown, and never the newest ones: what they turn into is not known yet. */
const [firstLetters, heldBack] = [60, 48]
/** A call or markup that a model writes as text. */
const looksLikeCall = /^\s*[<{[`]|<\/?(tool|function)|```/

/** What of an unfinished text may be shown; undefined: nothing yet. */
export const visiblePart = (soFar: string, most: number): string | undefined => {
  if (looksLikeCall.test(soFar)) return undefined
  const upTo = soFar.slice(0, Math.min(most, Math.max(0, soFar.length - heldBack)))
  const whole = upTo.slice(0, Math.max(upTo.lastIndexOf(' '), upTo.lastIndexOf('\n'))).trim()
  return whole.length < firstLetters ? undefined : whole
}

type Streaming = {
  inTenant: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  run: { id: string; ticketId: string }
  conversation: Conversation
  directory: Directory
  card: AssistantCard
}
export type AnswerStream = { onText: (soFar: string, isFit: () => boolean) => void; stop: () => Promise<void> }

/**
 * Shows an answer while it is written: a message of ours that grows, at the pace its channel takes. Only what the customer has
 * seen is stored here; whoever gives the answer ends it. Undefined: this channel gets answers whole.
 */
export const streamAnswer = (about: Streaming): AnswerStream | undefined => {
  const { conversation, run } = about
  const everyMs = streamsOf(channels[conversation.kind])?.everyMs
  if (!everyMs) return undefined
  const most = Math.max(200, Math.min(conversation.abilities.textLimits.text || 4_000, 4_000))
  let latest: { soFar: string; isFit: () => boolean } | undefined
  let shown = ''
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let showing: Promise<void> | undefined

  const show = async () => {
    const text = latest && visiblePart(latest.soFar, most)
    // What begins anew waits until it is as long as what can be read already.
    if (!latest || !text || text.length <= shown.length) return
    isOver ||= !latest.isFit()
    if (isOver) return
    shown = text
    isOver = !(await about.inTenant((tx) => showSoFar(tx, about, text)))
  }
  const onText: AnswerStream['onText'] = (soFar, isFit) => {
    latest = { soFar, isFit }
    if (isOver || timer || showing || !visiblePart(soFar, most)) return
    showing = show()
      .catch((error) => {
        // A courtesy: the answer comes all the same.
        isOver = true
        log.warn({ err: error, ticketId: run.ticketId }, 'answer not shown while written')
      })
      .finally(() => {
        showing = undefined
        timer = setTimeout(() => {
          timer = undefined
          if (latest) onText(latest.soFar, latest.isFit)
        }, everyMs)
        timer.unref()
      })
  }
  const stop = async () => {
    isOver = true
    await showing
    clearTimeout(timer)
  }
  return { onText, stop }
}

/** Whether the customer may go on reading: nobody of the team came, and no other answer is made. */
const showSoFar = async (tx: Tx, { run, card, directory }: Streaming, body: string): Promise<boolean> => {
  const conversation = await lockConversation(tx, run.ticketId)
  const active = await findActiveRun(tx, run.ticketId)
  const isMine = active?.id === run.id && active.state === 'thinking'
  if (!conversation?.bot || conversation.status === 'closed' || conversation.userId || !isMine) return false
  const stream = await findMessageStream(tx, run.ticketId)
  if (stream) {
    await growMessageStream(tx, directory.people, stream, body)
    return true
  }
  try {
    await beginMessageStream(tx, {
      ...{ id: v5('stream', run.id), body, ticket: conversation, directory, author: authorOf(card) },
      ...{ cause: 'bot', purpose: 'service' },
    })
    return true
  } catch (error) {
    // Whoever gives the answer is refused the same, and says so.
    if (error instanceof AppError) return false
    throw error
  }
}
