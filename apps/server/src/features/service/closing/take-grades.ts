import type { Author } from '@balcao/contract/conversations/authors.ts'
import { choiceOf, type Grade, readGrade } from '@balcao/contract/service/rating-scale.ts'
import type { RatingSettings } from '@balcao/contract/service/ratings.ts'
import type { InboundMessage } from '../../../channels/adapter.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { cleanText } from '../../../kit/text.ts'
import { lockConversation } from '../../conversations/messages/system-messages.ts'
import { composeOutgoing, unlessRefused } from '../../conversations/messages/write-outgoing.ts'
import { logTicket } from '../../conversations/tickets/ticket-history.ts'
import { newMessage } from '../../conversations/timeline/new-message.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import { factsOf } from '../../conversations/timeline/ticket-facts.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { tellRating } from '../ratings/ratings.present.ts'
import type { Afterwords } from './afterwords.ts'

type Asked = {
  id: string
  ticketId: string
  state: 'open' | 'answered' | 'late' | 'over'
  grade: number | null
  comment: string
  attempts: number
}

/**
 * The answers to the question after a closed conversation. A grade is kept and thanked; something else is asked again
 * while attempts are left; what comes after that is a conversation of its own, and so is whatever follows it. A bare
 * grade opens nothing even when it comes days late, nor when it corrects the one just given.
 */
export const takeGrades = async (
  tx: Tx,
  directory: Directory,
  {
    connectionId,
    contactId,
    events,
    now,
  }: { connectionId: string; contactId: string; events: InboundMessage[]; now: Date },
): Promise<Afterwords | undefined> => {
  const [asked] = await tx.rows<Asked>(lastAsked, [tx.tenantId, connectionId, contactId])
  if (!asked || asked.state === 'over') return undefined
  const { rating: settings } = directory.settings
  const verdict = judge(settings, asked, events)
  const conversation =
    verdict.isChanged || verdict.taken.length ? await lockConversation(tx, asked.ticketId) : undefined
  if (!conversation) return undefined

  const { grade, attempts, isOver, taken } = verdict
  if (verdict.isChanged) {
    await tx.rows(keepAnswer, [tx.tenantId, asked.id, grade?.value ?? null, grade?.comment ?? '', attempts, isOver])
    await tellRating(tx, directory, asked.id, factsOf(conversation))
  }
  const replies: NewMessage[] = []
  const say = async (body: string) => {
    if (!body) return
    const said = composeOutgoing(tx, {
      ticket: { ...conversation, windowFrom: now }, // they have just written
      directory,
      author: byRule('Avaliação'),
      cause: 'rating',
      purpose: 'service',
      drafts: [{ type: 'text', body }],
      effect: 'nothing',
      now,
    })
    replies.push(...(await unlessRefused(said, [])))
  }
  if (grade) {
    const option = settings.options.find(({ value }) => value === grade.value)
    const note = `${grade.value} – ${option?.label ?? ''}`
    const customer: Author = { kind: 'contact', id: contactId, name: conversation.contact.name }
    await logTicket(tx, customer, {
      ticketId: conversation.id,
      type: 'rating',
      note,
      to: { grade: grade.value },
    })
    const line = `O cliente avaliou o atendimento: ${note}.`
    const making = { tenantId: tx.tenantId, people: directory.people, now }
    replies.push(
      newMessage(making, {
        ticket: conversation,
        author: byRule('Avaliação'),
        fromMe: true,
        type: 'system',
        body: line,
        status: 'received',
      }),
    )
    if (asked.state !== 'answered') await say(option?.message || settings.thanks)
  } else if (taken.length && !isOver) await say(settings.retry)
  return { providerIds: new Set(taken), conversation, replies }
}

type Verdict = {
  taken: string[]
  grade: Grade | undefined
  attempts: number
  /** Too many answers that were no grade: the question is withdrawn. */
  isOver: boolean
  isChanged: boolean
}

/** In the order they were written: whatever comes after the first that is no answer is none either. */
const judge = ({ options, attempts: most }: RatingSettings, asked: Asked, events: InboundMessage[]): Verdict => {
  const verdict: Verdict = { taken: [], grade: undefined, attempts: asked.attempts, isOver: false, isChanged: false }
  for (const { providerId, fromMe, content } of events) {
    if (fromMe) break
    const grade = gradeIn(options, content)
    const isOpen = asked.state === 'open' && !verdict.grade
    if (grade && (isOpen || !grade.comment)) {
      verdict.taken.push(providerId)
      // The same again changes nothing; another one right after corrects it.
      const before = verdict.grade ?? (asked.state === 'answered' ? asked.grade : null)
      const isNews = (typeof before === 'object' ? before?.value : before) !== grade.value
      if (isNews) Object.assign(verdict, { grade: keepComment(grade, verdict.grade, asked), isChanged: true })
      continue
    }
    if (!isOpen) break
    verdict.attempts += 1
    verdict.isChanged = true
    if (verdict.attempts >= most) {
      verdict.isOver = true
      break
    }
    verdict.taken.push(providerId)
  }
  return verdict
}
const gradeIn = (options: RatingSettings['options'], { type, body, choice }: InboundMessage['content']) => {
  const pressed = choice === undefined ? undefined : options.find((option) => choiceOf(option) === choice)
  if (pressed) return { value: pressed.value, comment: '' }
  return type === 'text' ? readGrade(options, cleanText(body)) : undefined
}
const keepComment = (grade: Grade, before: Grade | undefined, asked: Asked): Grade => ({
  value: grade.value,
  comment: grade.comment || before?.comment || asked.comment,
})

/** A late grade counts for this long after the question ended; afterwards a number is a message like any other. */
const lastAsked: Prepared = {
  name: 'rating_last_asked',
  text: `select r.id, r.ticket_id as "ticketId", r.grade, r.comment, r.attempts,
      case when r.status = 'answered' then case when r.expires_at > now() then 'answered' else 'over' end
        when r.status = 'pending' and r.expires_at > now() then 'open'
        when r.expires_at > now() - interval '7 days' then 'late' else 'over' end as state
    from tickets t join ratings r on r.tenant_id = t.tenant_id and r.ticket_id = t.id
    where t.tenant_id = $1 and t.connection_id = $2 and t.contact_id = $3 and t.status = 'closed'
    order by r.created_at desc limit 1 for update of r`,
}
const keepAnswer: Prepared = {
  name: 'rating_answer',
  text: `update ratings set grade = coalesce($3::int, grade), comment = case when $3::int is null then comment else $4 end, attempts = $5,
      status = case when $3::int is not null then 'answered' when $6 then 'expired' else status end,
      answered_at = case when $3::int is null then answered_at else now() end
    where tenant_id = $1 and id = $2`,
}
