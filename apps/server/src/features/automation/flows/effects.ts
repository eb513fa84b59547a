import { flowActions } from '@balcao/contract/automation/flows/graph.ts'
import type { FlowEffect, FlowState } from '@balcao/contract/automation/flows/run.ts'
import { blankPart, type Part } from '@balcao/contract/conversations/parts.ts'
import { v5, v7 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { saveAnswer } from '../../contacts/contacts/save-answer.ts'
import { runActions } from '../../conversations/actions/run-actions.ts'
import { asCarried } from '../../conversations/messages/send-message.ts'
import { type Conversation, filledFor, lockConversation } from '../../conversations/messages/system-messages.ts'
import { unlessRefused, writeOutgoing } from '../../conversations/messages/write-outgoing.ts'
import { storedFiles, wayTo } from '../../conversations/parts/parts.ts'
import { commitTicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { type Directory, isForOwner } from '../../core/directory/directory.ts'
import { askCalendar, askCall, askPicture } from './calls.ts'
import { flowHooks } from './hooks.ts'
import { askLoan } from './loans.ts'
import { pixCode } from './pix.ts'
import type { Run } from './runs.rows.ts'

export type Doing = { tx: Tx; directory: Directory; run: Run; conversation: Conversation }
/** What of it could not be done, by the step that asked for it. */
export type Done = { conversation: Conversation; problems: Map<string, string>; failed: boolean }

/** Does what a run asked for, in order. What is refused is noted, and leaves the rest as it is. */
export const doEffects = async (doing: Doing, effects: readonly FlowEffect[]): Promise<Done> => {
  const problems = new Map<string, string>()
  let { conversation } = doing
  let failed = false
  for (const effect of effects) {
    try {
      conversation = await doEffect({ ...doing, conversation }, effect)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      problems.set(mainStep(effect.stepId), sentenceOf(error))
      if (effect.kind === 'do') {
        failed = true
        conversation = (await lockConversation(doing.tx, conversation.id)) ?? conversation
      }
    }
  }
  return { conversation, problems, failed }
}
/** A step that says several things names each of them. */
export const mainStep = (stepId: string) => stepId.split('.')[0] ?? stepId

const doEffect = async (doing: Doing, effect: FlowEffect): Promise<Conversation> => {
  const { tx, directory, run, conversation } = doing
  switch (effect.kind) {
    case 'say':
      return sayPart(doing, effect.part, effect)
    case 'draw':
      await askPicture(doing, effect, chargeCode(doing, effect))
      return conversation
    case 'pix': {
      const { charge, vars, pictureId } = effect
      const code = chargeCode(doing, effect)
      const said = charge.body
        ? await sayPart(doing, { ...blankPart('text'), body: charge.body }, effect)
        : conversation
      const shown = pictureId
        ? await unlessRefused(
            sayPart(
              { ...doing, conversation: said },
              { ...blankPart('file'), mediaId: pictureId },
              { stepId: `${effect.stepId}.picture`, vars },
            ),
            said,
          )
        : said
      // Alone in its message, so that it can be copied whole.
      const codeStep = { stepId: `${effect.stepId}.code`, vars: { ...vars, pix: code } }
      return sayPart({ ...doing, conversation: shown }, { ...blankPart('text'), body: '{{var.pix}}' }, codeStep)
    }
    case 'do': {
      const outcome = await runActions(tx, {
        directory,
        by: { author: authorOf(directory, run), actor: null, grants: new Set(flowActions) },
        ticketId: conversation.id,
        actions: effect.actions,
        cause: { kind: 'flow', id: run.flowId },
        runId: v5(effect.stepId, run.id),
        vars: effect.vars,
      })
      if (outcome.refused)
        throw new AppError('ERR_INVALID_TRANSITION', {
          message: `Ação ${outcome.refused.step}: ${outcome.refused.message}`,
        })
      return (await lockConversation(tx, conversation.id)) ?? conversation
    }
    case 'save':
      await saveAnswer(tx, conversation.contactId, { field: effect.field, value: effect.value })
      return (await lockConversation(tx, conversation.id)) ?? conversation
    case 'rate':
      await flowHooks().rate(tx, directory, { ticketId: conversation.id, grade: effect.grade })
      return conversation
    case 'call':
      await askCall(doing, effect)
      return conversation
    case 'calendar':
      await askCalendar(doing, effect)
      return conversation
    case 'lend':
      return lend(doing, effect)
  }
}

/** The flag of the assistant beside the flow that leads: what the customer says is the assistant's, and comes back to the flow. */
const lend = async (
  doing: Doing,
  { loan, vars, stepId }: Extract<FlowEffect, { kind: 'lend' }>,
): Promise<Conversation> => {
  const { tx, directory, run, conversation } = doing
  const card = directory.assistants.get(loan.assistantId)
  const isAway = isForOwner(directory, conversation)
  const isWorking = !isAway && card?.isActive && card.publishedId && card.bot
  const refused = isAway
    ? 'O contato tem carteira, e os assistentes ficam fora dela.'
    : 'Este assistente não está publicado ou foi desligado.'
  await askLoan(tx, run, { loan, stepId, refused: isWorking ? null : refused })
  const before = isWorking ? await lockTicket(tx, conversation.id) : undefined
  if (!isWorking || !before) return conversation
  const author = authorOf(directory, run)
  const change = {
    ...{
      before,
      set: { bot: card.bot, assistantAt: 'now' as const },
      cause: { kind: 'flow' as const, id: run.flowId },
    },
    logs: [{ type: 'bot' as const, userId: null, queueId: before.queueId, note: card.name }],
    lines: [{ type: 'system' as const, body: `O fluxo ${author.name} chamou o assistente ${card.name}.` }],
  }
  await commitTicketChange(tx, change, author)
  const heardSeq = loan.now ? run.heardSeq - 1 : run.heardSeq
  await flowHooks().lend(tx, { ticketId: conversation.id, assistantId: card.id, heardSeq, vars })
  return (await lockConversation(tx, conversation.id)) ?? conversation
}

type Charge = Extract<FlowEffect, { kind: 'draw' | 'pix' }>
const chargeCode = ({ conversation, directory }: Doing, { charge, amount, vars }: Charge) =>
  pixCode({ ...charge, description: filledFor(conversation, directory, charge.description, null, vars) }, amount)

export const authorOf = ({ flows }: Directory, { flowId }: Pick<Run, 'flowId'>) => ({
  kind: 'flow' as const,
  id: flowId,
  name: flows.get(flowId)?.name ?? 'Fluxo',
})

/** One message, with what is known filled in; nothing where nothing is left of it. */
export const sayPart = async (
  { tx, directory, run, conversation }: Doing,
  part: Part,
  { stepId, vars }: { stepId: string; vars: FlowState['vars'] },
): Promise<Conversation> => {
  const body = part.body && filledFor(conversation, directory, part.body, null, vars)
  const interactive = part.interactive?.url
    ? { ...part.interactive, url: filledFor(conversation, directory, part.interactive.url, null, vars) }
    : part.interactive
  const file = part.mediaId ? (await storedFiles(tx, [part])).get(part.mediaId) : undefined
  if (part.mediaId && !file) throw new AppError('ERR_NOT_FOUND', { message: 'O arquivo não existe mais.' })
  if (!body && !file) return conversation
  const id = stepId ? v5(stepId, run.id) : v7()
  const { ticket } = await writeOutgoing(tx, {
    ticket: conversation,
    directory,
    author: authorOf(directory, run),
    cause: 'bot',
    purpose: 'service',
    drafts: [
      {
        id,
        type: wayTo(conversation, part, file),
        body,
        file,
        payload: interactive && { interactive: asCarried(conversation.abilities, interactive, body) },
      },
    ],
  })
  return { ...conversation, ...ticket }
}
