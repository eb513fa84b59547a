import { Readable } from 'node:stream'
import { longestNote } from '@balcao/contract/conversations/messages.ts'
import { v5 } from 'uuid'
import { platformRows, type Tx, withTenant } from '../../../db/database.ts'
import { ModelProblem, Unsent } from '../../../integrations/model-problem.ts'
import type { CallFacts } from '../../../integrations/voice-door.ts'
import { bySystem } from '../../../kit/actor.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import { type Audience, emit } from '../../../kit/outbox.ts'
import { foldPhone } from '../../../kit/phone-numbers.ts'
import type { Round } from '../../../kit/workers.ts'
import { findTicket, lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { writeLines } from '../../conversations/timeline/lines.ts'
import { factsOf } from '../../conversations/timeline/ticket-facts.ts'
import { type FileRow, storeFile } from '../../core/media/media.service.ts'
import { findVoiceAccount, noteProblem, type VoiceAccountOpen } from './accounts.ts'
import { resultText } from './voice-calls.present.ts'
import {
  applyFacts,
  askLater,
  type CallRow,
  giveUpCall,
  isDue,
  lookLater,
  markAsked,
  takeDueCalls,
  takeTelling,
  ticketOfPhone,
} from './voice-calls.rows.ts'

const batch = 20
/** Longer than placing a call, or fetching a recording, takes. */
const leaseS = 180
const atOnce = createLimit(8)
export const isVoiceCallDue = `select from voice_calls where ${isDue}`

const mostTries = 3
/** Without a word of its provider, a call is asked about so often, ever more seldom; then nobody will know. */
const mostLooks = 100
const pauseS = (looks: number) => Math.min(300, 15 * 2 ** Math.min(looks, 5))
/** The report comes a little after the end; then what is known is told. */
const reportPauseS = 20

/** Places calls, asks about those of which nothing is heard, and tells the results: each is done by one process at a time. */
export const lookAfterCalls = async (): Promise<Round> => {
  const taken = await platformRows<CallRow>(takeDueCalls, [batch, leaseS])
  await Promise.all(taken.map((one) => atOnce(() => attend(one))))
  return { did: taken.length, isMore: taken.length === batch }
}

const attend = async (one: CallRow) => {
  const { tenantId, id } = one
  try {
    const account = await withTenant(tenantId, (tx) => findVoiceAccount(tx, one.integrationId))
    if (one.status === 'ended' && one.isWhole) await tell(one, account)
    else if (!account) await giveUp(one, 'failed', 'a conta da Vapi foi excluída.')
    else if (one.providerId) await look(one, account, one.providerId)
    else await place(one, account)
  } catch (error) {
    // Its lease ends by itself.
    log.error({ err: error, tenantId, voiceCallId: id }, 'voice call not attended to')
  }
}

const place = async (one: CallRow, account: VoiceAccountOpen) => {
  const { tenantId, id, assistantId, phoneNumberId, number, name } = one
  // A process died while it asked: the phone may be ringing, and what is told of it still finds this row.
  if (one.askedAt || !(await withTenant(tenantId, (tx) => markAsked(tx, id)))) {
    await giveUp(one, 'uncertain', 'não sabemos se ela foi feita. Confira no painel da Vapi antes de ligar de novo.')
    return
  }
  const variables = await variablesOf(one)
  const order = { id, assistantId, phoneNumberId, number, name, variables }
  let facts: CallFacts
  try {
    facts = await account.door.place(order, account.context)
  } catch (error) {
    if (!(error instanceof ModelProblem)) throw error
    await noteProblem(account, error)
    const isSure = error instanceof Unsent || error.kind !== 'network'
    const mayPass = error instanceof Unsent || error.kind === 'speed'
    if (mayPass && one.attempts < mostTries) {
      await withTenant(tenantId, (tx) => askLater(tx, id, 5 * 3 ** one.attempts))
      return
    }
    await giveUp(
      one,
      isSure ? 'failed' : 'uncertain',
      isSure
        ? lowered(error.message)
        : 'a Vapi não confirmou, e o telefone pode ter tocado. Confira no painel dela antes de ligar de novo.',
    )
    return
  }
  await withTenant(tenantId, async (tx) => {
    const row = await applyFacts(tx, one.integrationId, { ...facts, ourId: id })
    await lookLater(tx, id, pauseS(0))
    await announceCall(tx, row ?? one)
  })
}

const look = async (one: CallRow, account: VoiceAccountOpen, providerId: string) => {
  const { tenantId, id, integrationId, attempts } = one
  let facts: CallFacts | undefined
  try {
    facts = await account.door.read(providerId, account.context)
  } catch (error) {
    if (!(error instanceof ModelProblem)) throw error
    await noteProblem(account, error)
    if (attempts < mostLooks) await withTenant(tenantId, (tx) => lookLater(tx, id, pauseS(attempts)))
    else await giveUp(one, 'uncertain', 'a Vapi não disse como terminou.')
    return
  }
  if (!facts || attempts >= mostLooks) {
    await giveUp(one, 'uncertain', 'a Vapi não conhece mais esta ligação.')
    return
  }
  const isLate = one.status === 'ended' && attempts >= mostTries
  const known = { ...facts, isWhole: facts.isWhole || (facts.status === 'ended' && isLate) }
  await withTenant(tenantId, async (tx) => {
    const row = await applyFacts(tx, integrationId, known)
    if (!known.isWhole || known.status !== 'ended')
      await lookLater(tx, id, known.status === 'ended' ? reportPauseS : pauseS(attempts))
    if (row) await announceCall(tx, row)
  })
}

/** The result goes into the conversation, with what was recorded, once; from then on nothing changes it. */
const tell = async (one: CallRow, account: VoiceAccountOpen | undefined) => {
  const { tenantId, id } = one
  const recording = await recordingOf(one, account)
  if (recording === 'later') {
    await withTenant(tenantId, (tx) => lookLater(tx, id, pauseS(one.attempts)))
    return
  }
  await withTenant(tenantId, async (tx) => {
    const ticketId = one.ticketId ?? (await ticketOf(tx, one.number))
    if (ticketId) await lockTicket(tx, ticketId)
    const row = await takeTelling(tx, id, { recordingId: recording?.id ?? null, ticketId })
    if (row) await writeResult(tx, row, recording)
  })
}

const recordingOf = async (
  one: CallRow,
  account: VoiceAccountOpen | undefined,
): Promise<FileRow | undefined | 'later'> => {
  if (!one.hasRecording || !one.providerId || !account) return undefined
  try {
    const found = await account.door.recording(one.providerId, account.context)
    if (!found) return one.attempts < mostTries ? 'later' : undefined
    const stream = Readable.from(found.body, { objectMode: false })
    return await storeFile({
      tenantId: one.tenantId,
      stream,
      name: 'ligacao.wav',
      declaredMime: found.mime,
      isOurs: true,
    })
  } catch (error) {
    log.warn({ err: error, tenantId: one.tenantId, voiceCallId: one.id }, 'recording not fetched')
    return one.attempts < mostTries ? 'later' : undefined
  }
}

const giveUp = (one: CallRow, status: 'failed' | 'uncertain', problem: string) =>
  withTenant(one.tenantId, async (tx) => {
    if (one.ticketId) await lockTicket(tx, one.ticketId)
    const row = await giveUpCall(tx, one, status, problem)
    if (row) await writeResult(tx, row, undefined)
  })

const writeResult = async (tx: Tx, row: CallRow, file: FileRow | undefined) => {
  const ticket = row.ticketId ? await findTicket(tx, row.ticketId) : undefined
  if (ticket) {
    const id = v5(`${row.problem ? 'problem' : 'result'}:${row.version}`, row.id)
    const line = { type: 'note' as const, id, body: resultText(row, longestNote), file }
    await writeLines(tx, bySystem, [{ ticket, lines: [line] }])
  }
  await announceCall(tx, row)
}

/** Whoever looks at the conversation, or at the list of calls, sees how it stands. */
export const announceCall = async (tx: Tx, { id, ticketId }: Pick<CallRow, 'id' | 'ticketId'>) => {
  const ticket = ticketId ? await findTicket(tx, ticketId) : undefined
  const audience: Audience = ticket
    ? { kind: 'ticket', facts: factsOf(ticket) }
    : { kind: 'permission', can: 'calls.read' }
  await emit(tx, 'voiceCall.changed', { id, ticketId: ticket?.id ?? null }, audience)
}

const ticketOf = async (tx: Tx, number: string): Promise<string | null> =>
  (await tx.rows<{ id: string }>(ticketOfPhone, [tx.tenantId, foldPhone(number.replace(/\D/g, ''))]))[0]?.id ?? null

/** domain names, as every bot is given them. */
const variablesOf = async ({ tenantId, ticketId, name, number }: CallRow): Promise<Record<string, string>> => {
  const ticket = ticketId ? await withTenant(tenantId, (tx) => findTicket(tx, ticketId)) : undefined
  return {
    nome: name,
    numero: number,
    ...(ticket && {
      ...{ atendimento: ticket.id, protocolo: ticket.protocol, status: ticket.status, canal: ticket.channel },
      grupo: String(ticket.isGroup),
    }),
  }
}
const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
