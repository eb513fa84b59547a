import {
  type AssistantConfig,
  type HandOverReason,
  handOverReasonLabels,
} from '@balcao/contract/automation/assistants/config.ts'
import type { ActionKind } from '@balcao/contract/conversations/actions/index.ts'
import { type Part, part } from '@balcao/contract/conversations/parts.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { v5 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { runActions } from '../../conversations/actions/run-actions.ts'
import {
  endMessageStream,
  findMessageStream,
  type MessageStream,
} from '../../conversations/messages/message-streams.ts'
import { asCarried } from '../../conversations/messages/send-message.ts'
import { type Conversation, filledFor, lockConversation } from '../../conversations/messages/system-messages.ts'
import { type OutgoingDraft, writeOutgoing } from '../../conversations/messages/write-outgoing.ts'
import { storedFiles, wayTo } from '../../conversations/parts/parts.ts'
import { commitTicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { wakeDistribution } from '../../conversations/tickets/wake-distribution.ts'
import type { ChatLine } from '../../conversations/timeline/lines.ts'
import type { Alarm } from '../../conversations/turns/owners.ts'
import type { AssistantCard, Directory } from '../../core/directory/directory.ts'
import { findLoan } from '../flows/loans.ts'
import { pixCode } from '../flows/pix.ts'
import { noteGap } from '../knowledge/note-gap.ts'
import { giveBack, noteOf, portOf } from './lent.ts'
import { type ActiveRun, endRun, openSession, readForGiving, readTalk, type Session, saveSession } from './runs.rows.ts'
import { actionsOf, type Effect } from './tools.ts'

export const authorOf = ({ id, name }: Pick<AssistantCard, 'id' | 'name'>) => ({ kind: 'assistant' as const, id, name })
const namedIn = ({ assistants }: Directory, id: string) => authorOf(assistants.get(id) ?? { id, name: 'Assistente' })

type Giving = {
  tx: Tx
  run: ActiveRun
  conversation: Conversation
  directory: Directory
  config: AssistantConfig
  /** What the customer reads of it already. */
  stream: MessageStream | undefined
}

/**
 * Gives what was thought, in the transaction that holds conversation and turn: the words, then what tools planned, then the
 * hand-over. A person who came first keeps it from being given. Words not heard yet are answered next.
 */
export const give = async (
  tx: Tx,
  {
    run,
    conversation,
    directory,
    ...known
  }: Pick<Giving, 'run' | 'conversation' | 'directory'> & { session?: Session },
): Promise<Alarm | undefined> => {
  const session = known.session ?? (await openSession(tx, conversation.id))
  const isAttended = conversation.status === 'open' && conversation.userId !== null
  const { stream, config, isMoreSaid } = await readForGiving(tx, conversation.id, run)
  if (isAttended || !conversation.bot || !run.plan) {
    // What was shown of it stays as it is.
    if (stream) await endMessageStream(tx, directory.people, stream, null)
    endRun(tx, run.id, 'overtaken')
    return undefined
  }
  if (!config) {
    if (stream) await endMessageStream(tx, directory.people, stream, null)
    endRun(tx, run.id, 'failed', { problem: 'Esta versão não existe mais.' })
    await letGo(tx, conversation.id, 'O assistente foi excluído.')
    return undefined
  }
  const { plan } = run
  const giving: Giving = { tx, run, conversation, directory, config, stream }
  const refused = await sayAll(giving)
  let reason = refused ? 'refused' : run.handOver
  const problems = refused ? [refused] : []
  if (!refused) problems.push(...(await doEffects(giving, plan.effects)))
  if (problems.length && !reason) reason = 'refused'
  const base = plan.isRestarted
    ? { ...session, turns: 0, vars: {}, botSession: null, fromSeq: session.heardSeq }
    : session
  saveSession(tx, conversation.id, {
    ...base,
    heardSeq: run.heardSeq,
    turns: base.turns + 1,
    pending: reason ? null : plan.pending,
    ...(plan.bot && { botSession: plan.bot.session, vars: { ...base.vars, ...plan.bot.vars } }),
  })
  if (plan.gap) await noteGap(tx, { assistantId: run.assistantId, ticketId: conversation.id, question: plan.gap })
  endRun(tx, run.id, reason ? 'handedOver' : plan.text || plan.bot?.parts.length ? 'answered' : 'silent', {
    problem: problems.join(' ') || run.problem,
    handOver: reason,
  })
  // It is held since before: only what tools did to it is to be read anew.
  const now = plan.effects.length ? await lockConversation(tx, conversation.id) : conversation
  if (!now || now.status === 'closed') return undefined
  if (reason) {
    await handOverTo(tx, {
      ...{ conversation: now, directory, assistantId: run.assistantId, reason },
      queueId: plan.bot?.queueId ?? config.handOver.queueId,
      config,
      summary: plan.summary,
    })
    return undefined
  }
  if (plan.bot?.done) {
    await letGo(tx, conversation.id, null)
    return undefined
  }
  const loan = now.chatFlowId ? await findLoan(tx, conversation.id) : undefined
  if (loan?.loan.answers && base.turns + 1 >= loan.loan.answers) {
    await giveBack(tx, conversation.id, loan, {
      author: namedIn(directory, run.assistantId),
      port: 'next',
      note: 'Respondeu',
    })
    return undefined
  }
  // A tool moved it to a queue or a person: from there on it is theirs.
  if (!now.bot || (now.status === 'open' && now.userId)) return undefined
  return isMoreSaid ? { dueAt: new Date(), payload: {} } : undefined
}

/** The words, each message with an id that follows from the run; why they could not be said. */
const sayAll = async (giving: Giving): Promise<string | null> => {
  const { tx, run, conversation } = giving
  const parts = run.plan?.bot?.parts.length
    ? part.array().parse(run.plan.bot.parts)
    : pieces(run.plan?.text ?? '', conversation.abilities.textLimits.text).map(asText)
  if (!parts.length) return null
  try {
    const spoken = await voiceOf(giving)
    if (spoken) {
      await write(giving, [spoken])
      return null
    }
    const files = await storedFiles(tx, parts)
    const drafts = parts.map((one, at): OutgoingDraft => {
      const file = one.mediaId ? files.get(one.mediaId) : undefined
      return {
        id: v5(`answer:${at}`, run.id),
        type: wayTo(conversation, one, file),
        body: one.body,
        file,
        afterMs: run.plan?.bot?.afterMs?.[at],
        payload: one.interactive && { interactive: asCarried(conversation.abilities, one.interactive, one.body) },
      }
    })
    const { stream, directory } = giving
    const [begun] = stream ? drafts : []
    if (!stream || begun?.type !== 'text') await write(giving, drafts)
    else {
      await write(giving, drafts.slice(1))
      await endMessageStream(tx, directory.people, stream, begun.body)
    }
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return sentenceOf(error)
  }
}
/** The answer as a voice note, with its words beside it for whoever reads the conversation. */
const voiceOf = async ({ tx, run, conversation, stream }: Giving): Promise<OutgoingDraft | undefined> => {
  const { voice: mediaId, text } = run.plan ?? {}
  if (!mediaId || !text || stream || !conversation.abilities.supports.includes('audio')) return undefined
  const file = (await storedFiles(tx, [{ mediaId }])).get(mediaId)
  const payload = { transcript: { state: 'done' as const } }
  return file && { id: v5('answer:0', run.id), type: 'audio', body: text, file, payload }
}
const asText = (body: string): Part => ({ kind: 'text', body, mediaId: null, interactive: null })
const write = ({ tx, run, conversation, directory }: Giving, drafts: OutgoingDraft[]) =>
  writeOutgoing(tx, {
    ...{ ticket: conversation, directory, author: namedIn(directory, run.assistantId), drafts },
    ...{ cause: 'bot', purpose: 'service' },
  })

/** A long answer in as many messages as the channel needs, broken where a reader would breathe. */
const pieces = (text: string, limit: number): string[] => {
  const most = Math.max(200, Math.min(limit || 4_000, 4_000))
  const found: string[] = []
  let rest = text.trim()
  while (rest.length > most) {
    const at = Math.max(rest.lastIndexOf('\n\n', most), rest.lastIndexOf('. ', most) + 1, rest.lastIndexOf(' ', most))
    const piece = cutText(rest, at > most / 3 ? at : most)
    found.push(piece.trim())
    rest = rest.slice(piece.length).trim()
  }
  return rest ? [...found, rest].slice(0, 10) : found
}

/** What a bot elsewhere may do to a conversation besides leading it. */
const botActions: ReadonlySet<ActionKind> = new Set(['addTags'])

/** What tools planned, with nothing beyond the grants of the version that thought; what could not be done, in words. */
const doEffects = async (giving: Giving, effects: readonly Effect[]): Promise<string[]> => {
  const { tx, run, conversation, directory, config } = giving
  const author = namedIn(directory, run.assistantId)
  const problems: string[] = []
  for (const [at, effect] of effects.entries()) {
    try {
      if (effect.do === 'action') {
        const outcome = await runActions(tx, {
          ...{ directory, ticketId: conversation.id, actions: [effect.action], runId: v5(`effect:${at}`, run.id) },
          by: { author, actor: null, grants: run.plan?.bot ? botActions : actionsOf(config.grants) },
          cause: { kind: 'assistant', id: run.assistantId },
        })
        if (outcome.refused) problems.push(`${effect.label}: ${outcome.refused.message}`)
      } else if (!config.grants.some(({ kind }) => kind === effect.do)) {
        problems.push(`${effect.label}: não permitido.`)
      } else await sayPix(giving, at, effect)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      problems.push(`${effect.label}: ${sentenceOf(error)}`)
    }
  }
  return problems
}

const sayPix = (
  giving: Giving,
  at: number,
  { cents, description, key, name, city }: Extract<Effect, { do: 'pix' }>,
) => {
  const code = pixCode({ key, name, city, description, body: '' } as Parameters<typeof pixCode>[0], cents / 100)
  const reais = (cents / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' })
  return write(giving, [
    {
      id: v5(`pix:${at}:words`, giving.run.id),
      type: 'text',
      body: `Pix de ${reais}, ${description}. Copie o código:`,
    },
    // Alone in its message, so that it can be copied whole.
    { id: v5(`pix:${at}:code`, giving.run.id), type: 'text', body: code },
  ])
}

type Handing = {
  conversation: Conversation
  directory: Directory
  assistantId: string
  reason: HandOverReason
  queueId: string | null
  config?: AssistantConfig
  summary?: string
}
/** The team goes on: it waits in the queue that was chosen, with the reason and a summary for whoever takes it. */
export const handOverTo = async (tx: Tx, given: Handing) => {
  const { conversation, directory, assistantId, reason, config, summary } = given
  const author = namedIn(directory, assistantId)
  const loan = conversation.chatFlowId ? await findLoan(tx, conversation.id) : undefined
  const port = portOf(reason)
  if (loan && !(port === 'handOver' && loan.loan.handsOver))
    return giveBack(tx, conversation.id, loan, { author, port, note: noteOf(reason) })
  const message = config && filledFor(conversation, directory, config.handOver.message, null)
  // Whatever was begun to be said is not said.
  const stream = await findMessageStream(tx, conversation.id)
  if (stream) await endMessageStream(tx, directory.people, stream, message || null)
  else if (message)
    await writeOutgoing(tx, {
      ...{ ticket: conversation, directory, author, cause: 'bot', purpose: 'service' },
      drafts: [{ type: 'text', body: message }],
    }).catch((error) => {
      // The team goes on all the same.
      if (!(error instanceof AppError)) throw error
    })
  const before = await lockTicket(tx, conversation.id)
  if (!before || before.status === 'closed') return
  const queue = given.queueId ? directory.queues.get(given.queueId) : undefined
  const why = handOverReasonLabels[reason]
  const notes: ChatLine[] =
    !config || config.handOver.summary
      ? [{ type: 'note', body: await summaryOf(tx, conversation.id, { why, name: author.name, summary }) }]
      : []
  if (loan) {
    const queueId = queue?.isActive ? queue.id : undefined
    return giveBack(tx, conversation.id, loan, { author, port, note: noteOf(reason), queueId, lines: notes })
  }
  const lines: ChatLine[] = [
    {
      type: 'system',
      body: `O assistente ${author.name} passou o atendimento para ${queue?.isActive ? `a fila ${queue.name}` : 'a equipe'}: ${lowered(why)}.`,
    },
    ...notes,
  ]
  await commitTicketChange(
    tx,
    {
      before,
      set: { bot: null, status: 'pending', userId: null, ...(queue?.isActive && { queueId: queue.id }) },
      logs: [{ type: 'bot', userId: null, queueId: queue?.id ?? before.queueId, note: why }],
      lines,
      cause: { kind: 'assistant', id: assistantId || undefined },
    },
    author,
  )
  wakeDistribution(tx)
}
const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const summaryOf = async (tx: Tx, ticketId: string, told: { why: string; name: string; summary?: string }) => {
  const head = `Resumo do assistente ${told.name}: ${told.why}.`
  if (told.summary) return `${head}\n${told.summary}`
  const talk = (await readTalk(tx, ticketId, 0)).slice(-8)
  const lines = talk.map(
    ({ fromMe, body, type }) => `${fromMe ? 'Assistente' : 'Cliente'}: ${oneLine(body || `[${type}]`)}`,
  )
  return cutText([head, ...lines].join('\n'), 4_000)
}
const oneLine = (text: string) => cutText(text.replace(/\s+/g, ' ').trim(), 300)

/** Nothing answers by itself any more, and the team is told why. */
export const letGo = async (tx: Tx, ticketId: string, line: string | null) => {
  const before = await lockTicket(tx, ticketId)
  if (!before?.bot) return
  const loan = before.chatFlowId ? await findLoan(tx, ticketId) : undefined
  if (loan) {
    const author = { id: '', name: 'Assistente' }
    return giveBack(tx, ticketId, loan, { author, port: line ? 'failed' : 'next', note: line ?? 'Terminou' })
  }
  await commitTicketChange(
    tx,
    { before, set: { bot: null }, lines: line ? [{ type: 'system', body: line }] : [] },
    { kind: 'system', id: null, name: 'Balcão' },
  )
  wakeDistribution(tx)
}
