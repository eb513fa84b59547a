import { advance, dueOf, isListening, mostAutomatic } from '@balcao/contract/automation/flows/engine.ts'
import type { FlowEnd, FlowEvent } from '@balcao/contract/automation/flows/run.ts'
import type { Tx } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { type Conversation, conversationsAsk } from '../../conversations/messages/system-messages.ts'
import type { Alarm } from '../../conversations/turns/owners.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { answerOf } from './calls.ts'
import { doEffects, mainStep } from './effects.ts'
import { endRun } from './ending.ts'
import { findLoan } from './loans.ts'
import {
  type Run,
  readUnheard,
  runsAsk,
  saveRun,
  type Traced,
  type Unheard,
  unheardAsk,
  unheardFrom,
} from './runs.rows.ts'
import { loadVersions, readWorld } from './world.ts'

/** One word may take it through all its automatic steps, with as many looks at what they changed. */
const mostEvents = mostAutomatic * 2

/**
 * Takes a run as far as it goes now, in a transaction that holds its conversation: what the customer wrote, what a system
 * answered, moments that have come. Answers when it has to be looked at again.
 */
export const drive = async (
  tx: Tx,
  { run: before, conversation: at, directory, unheard }: Led & { run: Run; directory: Directory },
  first?: FlowEvent,
): Promise<Alarm | undefined> => {
  let run = before
  let conversation = at
  const steps: Traced[] = []
  let event: FlowEvent | undefined = first
  // Whoever writes waits for the conversation we hold: what is there to be heard is there once.
  let hasHeard = false
  for (let n = 0; n < mostEvents; n += 1) {
    if (!event) {
      const next = await nextEvent(tx, { run, conversation }, hasHeard ? [] : unheard)
      hasHeard ||= isListening(run.state)
      if (!next) break
      run = next.run
      event = next.event
    }
    const startedAt = performance.now()
    const versions = await loadVersions(tx, run)
    const world = await readWorld(tx, { run, conversation, directory, versions })
    const isHere = versions.has(run.state.versionId)
    const advanced = isHere
      ? advance(run.state, event, world)
      : { state: run.state, effects: [], steps: [], ...lost(run) }
    const isStill = advanced.state === run.state && event.kind === 'due'
    run = { ...run, state: advanced.state }
    const done = await doEffects({ tx, directory, run, conversation }, advanced.effects)
    conversation = done.conversation
    const { end } = advanced
    const problem = end
      ? await endRun({ tx, directory, run, conversation }, end, versions.get(run.state.versionId))
      : null
    const ms = performance.now() - startedAt
    for (const [index, step] of advanced.steps.entries()) {
      const isLast = index === advanced.steps.length - 1
      steps.push({
        ...step,
        flowId: versions.get(step.versionId)?.flowId ?? run.flowId,
        problem: done.problems.get(mainStep(step.stepId)) ?? (isLast ? problem : null),
        ms: isLast ? ms : 0,
        ...(isLast && end && { endedTo: end.to, endedWhy: end.why }),
      })
    }
    if (end) {
      saveRun(tx, run, steps, end)
      return undefined
    }
    // An action of its own may have ended it.
    if (conversation.status === 'closed' || conversation.chatFlowId !== run.flowId) {
      saveRun(tx, run, steps, { why: 'step', to: conversation.status === 'closed' ? 'closed' : 'person' })
      return undefined
    }
    event = advanced.status === 'more' ? { kind: 'on', failed: done.failed } : undefined
    if (isStill) break
  }
  saveRun(tx, run, steps, null)
  const dueAt = event ? new Date().toISOString() : dueOf(run.state)
  return dueAt ? { dueAt: new Date(dueAt), payload: {} } : undefined
}

/** Its version is gone: a person goes on. */
const lost = ({ state }: Run) => ({
  status: 'ended' as const,
  end: {
    nodeId: state.nodeId,
    why: 'broken',
    to: 'person',
    queueId: null,
    userId: null,
    body: '',
    summary: true,
  } as FlowEnd,
})

/** What has come for it: the answer of a system, words it listens for, its moment. */
const nextEvent = async (
  tx: Tx,
  { run, conversation }: { run: Run; conversation: Conversation },
  unheard: Unheard[] | undefined,
): Promise<{ run: Run; event: FlowEvent } | undefined> => {
  const { wait } = run.state
  if (wait?.for === 'call') {
    const answer = (await answerOf(tx, run, wait.id)) ?? (await takenBack(tx, conversation))
    if (answer) return { run, event: { kind: 'called', id: wait.id, ...answer } }
  }
  if (isListening(run.state)) {
    const heard = unheard ?? (await readUnheard(tx, run.ticketId, run.heardSeq))
    const last = heard.at(-1)
    if (last)
      return { run: { ...run, heardSeq: last.seq }, event: { kind: 'said', said: heard.map(({ said }) => said) } }
  }
  const due = dueOf(run.state)
  return due && Date.parse(due) <= Date.now() ? { run, event: { kind: 'due' } } : undefined
}

/** Somebody took the flag from the assistant it was lent to. */
const takenBack = async (tx: Tx, { bot, id }: Conversation) => {
  if (bot || !(await findLoan(tx, id))) return undefined
  return { ok: false, vars: {}, port: 'failed', note: 'O assistente foi desligado nesta conversa.' }
}

/** A conversation that may be led, and what its run has not heard; undefined: nobody has looked yet. */
type Led = { conversation: Conversation; unheard?: Unheard[] | undefined }
/** What leads these conversations, as parts of a trip that holds them; `ledFrom` reads the answers. */
export const ledAsks = (tenantId: number, ticketIds: readonly string[]): Ask[] => [
  conversationsAsk(tenantId, ticketIds),
  runsAsk(tenantId, ticketIds),
  unheardAsk(tenantId, ticketIds),
]
/** A conversation, while it is there to be led, with the run that leads it. */
export const ledFrom = ([conversations = [], runs = [], words = []]: object[][], ticketId: string) => {
  const conversation = (conversations as Conversation[]).find(({ id }) => id === ticketId)
  const run = (runs as Run[]).find((one) => one.ticketId === ticketId)
  const isAttended = conversation?.status === 'open' && conversation.userId !== null
  if (!conversation || conversation.status === 'closed' || isAttended) return undefined
  return { conversation, run, unheard: unheardFrom(words, ticketId) }
}
/** The same of one that nobody holds yet. */
export const lockLed = async (tx: Tx, ticketId: string) =>
  ledFrom(await tx.trip(...ledAsks(tx.tenantId, [ticketId])), ticketId)
