import { isOpenAt } from '@balcao/contract/core/business-hours.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { autoReplyActions, type KeywordMode } from '@balcao/contract/service/auto-replies.ts'
import { matchAutoReply, type Situation } from '@balcao/contract/service/auto-reply-match.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { runActions } from '../../conversations/actions/run-actions.ts'
import { calendarOf } from '../../conversations/deadlines/targets.ts'
import { asCarried } from '../../conversations/messages/send-message.ts'
import { type Conversation, filledFor, lockConversation } from '../../conversations/messages/system-messages.ts'
import { writeOutgoing } from '../../conversations/messages/write-outgoing.ts'
import { storedFiles, wayTo } from '../../conversations/parts/parts.ts'
import type { TicketState } from '../../conversations/timeline/ticket-state.ts'
import { noteAutoReply } from '../../conversations/turns/last-auto-reply.ts'
import type { Heard, OwnerWork } from '../../conversations/turns/owners.ts'
import type { AutoReplyCard, Directory } from '../../core/directory/directory.ts'

/** So much is answered by itself to one contact, over all conversations: then the other side is a machine too. */
const mostInARow = 12
const inARowMinutes = 10
/** How far one answer goes on with the next by itself. */
const longestChain = 5

/** What the company set up to be answered to certain words. Nothing, once somebody of the team has the conversation. */
export const autoReply: OwnerWork = {
  claims: (heard) => {
    if (isAttended(heard.ticket) || heard.ticket.isBotBlocked || !heard.directory.autoReplies.prepared.length)
      return undefined
    const match = matchAutoReply(heard.directory.autoReplies, situationOf(heard))
    if (!match || match.isResting) return undefined
    const { rule, keyword } = match
    const said = cutText(heard.message.body, 200)
    return { ownerId: rule.id, payload: { said, keyword: keyword?.text ?? null, mode: keyword?.mode ?? null } }
  },
  run: async (tx, { ticketId, ownerId, payload }, directory) => {
    // It may have been switched off, or somebody may have taken the conversation, since the customer wrote.
    const rule = directory.autoReplies.byId.get(ownerId ?? '')
    const conversation = await lockConversation(tx, ticketId)
    if (!rule || !conversation || conversation.status === 'closed' || isAttended(conversation)) return
    const [{ count } = { count: 0 }] = await tx.rows<{ count: number }>(lately, [tx.tenantId, conversation.contactId])
    if (count > mostInARow) return
    const given = { rule, conversation, payload }
    if (count === mostInARow) {
      await keepChoice(
        tx,
        given,
        `Parou depois de ${mostInARow} respostas em ${inARowMinutes} minutos: pode ser outro robô.`,
      )
      return
    }
    const problems: string[] = []
    let last = rule
    for (const one of chainOf(rule, directory)) {
      problems.push(...(await answer(tx, one, conversation, directory)))
      last = one
    }
    await noteAutoReply(tx, ticketId, last.id)
    await keepChoice(tx, given, problems.join(' ') || null)
  },
}

const isAttended = ({ status, userId }: Pick<TicketState, 'status' | 'userId'>) => status === 'open' && userId !== null

const situationOf = ({ directory, ticket, message, phones, now }: Heard): Situation => {
  const { queueId, connectionId, firstAnsweredAt, autoReplyId, autoRepliedAt } = ticket
  const { hours, holidays, timeZone } = calendarOf(directory, { queueId, userId: null })
  return {
    text: message.body,
    type: message.type,
    connectionId,
    isOpen: isOpenAt(hours, holidays, now, timeZone),
    isFirst: firstAnsweredAt === null && autoReplyId === null,
    last: autoReplyId && autoRepliedAt ? { ruleId: autoReplyId, at: autoRepliedAt } : null,
    phones,
    now,
  }
}

/** The rule, and those it goes on with by itself; none twice. */
const chainOf = (rule: AutoReplyCard, { autoReplies }: Directory): AutoReplyCard[] => {
  const chain: AutoReplyCard[] = []
  for (let one: AutoReplyCard | undefined = rule; one && !chain.includes(one) && chain.length < longestChain; ) {
    chain.push(one)
    one = autoReplies.byId.get(one.nextId ?? '')
  }
  return chain
}

/** Says and does it; what was not possible, in words. What one part meets leaves the others as they are. */
const answer = async (
  tx: Tx,
  { id, name, parts, actions }: AutoReplyCard,
  conversation: Conversation,
  directory: Directory,
): Promise<string[]> => {
  const author = { kind: 'rule' as const, id, name: `Resposta automática: ${name}` }
  const problems: string[] = []
  const files = await storedFiles(tx, parts)
  for (const part of parts) {
    const file = files.get(part.mediaId ?? '')
    const body = part.body && filledFor(conversation, directory, part.body, null)
    try {
      const draft = {
        type: wayTo(conversation, part, file),
        body,
        file,
        payload: part.interactive && { interactive: asCarried(conversation.abilities, part.interactive, body) },
      }
      // Who waits for a person goes on waiting, with their own words in the list.
      const how = { author, cause: 'bot', purpose: 'service', effect: 'nothing' } as const
      await writeOutgoing(tx, { ...how, ticket: conversation, directory, drafts: [draft] })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      problems.push(sentenceOf(error))
    }
  }
  if (!actions.length) return problems
  const by = { author, actor: null, grants: new Set(autoReplyActions) }
  const cause = { kind: 'autoReply' as const, id }
  const done = await runActions(tx, { directory, by, ticketId: conversation.id, actions, cause, runId: v7() })
  return done.refused ? [...problems, `Passo ${done.refused.step}: ${done.refused.message}`] : problems
}

type Given = { rule: AutoReplyCard; conversation: Conversation; payload: Record<string, unknown> }
const keepChoice = (tx: Tx, { rule, conversation, payload }: Given, problem: string | null) =>
  tx.rows(keep, [
    ...[tx.tenantId, v7(), rule.id, conversation.id, conversation.connectionId],
    ...[String(payload.said ?? ''), payload.keyword ?? null, (payload.mode ?? null) as KeywordMode | null, problem],
  ])

const lately: Prepared = {
  name: 'auto_replies_lately',
  text: `select count(*)::int as count from tickets t join auto_reply_choices c on c.tenant_id = t.tenant_id and c.ticket_id = t.id
    where t.tenant_id = $1 and t.contact_id = $2 and c.created_at > now() - interval '${inARowMinutes} minutes'`,
}
const keep: Prepared = {
  name: 'auto_reply_choice_keep',
  text: `insert into auto_reply_choices (tenant_id, id, auto_reply_id, ticket_id, connection_id, said, keyword, mode, problem)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}
