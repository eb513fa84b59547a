import { v5 } from 'uuid'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import type { Transcript } from '../../../integrations/adapter.ts'
import { ModelProblem } from '../../../integrations/model-problem.ts'
import { AppError } from '../../../kit/errors.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import { leased, takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { writeTranscript } from '../../conversations/messages/write-transcript.ts'
import { hastenTurn, leaveOwnTurn } from '../../conversations/timeline/leave-turn.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { readFileBytes } from '../../core/media/media.service.ts'
import { type Account, modelAccounts, modelsOf, reportBroken, reportWorking, workingFirst } from '../models/accounts.ts'
import { openCall, settleCall } from '../models/usage.ts'

const batch = 8
/** Longer than the longest attempt. */
const leaseS = 180
const attemptMs = 90_000
const maxAttempts = 4
/** What providers take at most. */
const mostBytes = 24 * 1024 * 1024
const atOnce = createLimit(4)

const dueNow = `state = 'waiting' and due_at <= now()`
export const isTranscriptDue = `select from audio_transcripts where ${dueNow}`

type Taken = { tenantId: number; id: string; ticketId: string; attempts: number }

/** Writes down what is said in audios: each is taken by one process, paid once and written once. */
export const transcribeDue = async (): Promise<Round> => {
  const taken = await platformRows<Taken>(take, [batch, leaseS])
  await Promise.all(taken.map((one) => atOnce(() => attempt(one))))
  return { did: taken.length, isMore: taken.length === batch }
}

/** `again`: the same may work later. */
type Outcome = { text: string; integrationId: string } | { error: string; isAgain: boolean }

const attempt = async (one: Taken) => {
  const { tenantId, id, attempts } = one
  try {
    const outcome = await transcribeOne(one)
    if ('error' in outcome && outcome.isAgain && attempts < maxAttempts) {
      await withTenant(tenantId, (tx) => tx.rows(postpone, [tenantId, id, outcome.error, 5 * 4 ** (attempts - 1)]))
      return
    }
    await settle(one, outcome)
  } catch (error) {
    // Its lease ends by itself.
    log.error({ err: error, tenantId, messageId: id }, 'audio not transcribed')
  }
}

const settle = async ({ tenantId, id, ticketId }: Taken, outcome: Outcome) => {
  const directory = await getDirectory(tenantId)
  const error = 'error' in outcome ? outcome.error : null
  await withTenant(tenantId, async (tx) => {
    await tx.rows(lockTicket, [tenantId, ticketId])
    const account = 'integrationId' in outcome ? outcome.integrationId : null
    const [settled] = await tx.rows(end, [tenantId, id, error === null ? 'done' : 'failed', error, account])
    if (!settled) return // somebody else has
    await writeTranscript(
      tx,
      directory,
      id,
      'text' in outcome ? { text: outcome.text, state: 'done' } : { state: 'failed', error: outcome.error },
    )
    // A flow that leads the conversation has waited to hear it.
    const [run] = await tx.rows<{ flowId: string }>(leading, [tenantId, ticketId])
    await hastenTurn(tx, ticketId, 'assistant')
    if (run) await leaveOwnTurn(tx, ticketId, { owner: 'flow', ownerId: run.flowId })
  })
}

const transcribeOne = async ({ tenantId, id, ticketId }: Taken): Promise<Outcome> => {
  const [accounts, file] = await Promise.all([transcribers(tenantId), fileOf(tenantId, id)])
  if (!file) return { error: 'O arquivo deste áudio não existe mais.', isAgain: false }
  if (!accounts.length) return { error: 'Nenhuma conta transcreve áudios. Ligue uma em Assistentes.', isAgain: false }
  if (file.bytes.length > mostBytes) return { error: 'Este áudio é grande demais para ser transcrito.', isAgain: false }
  let last: Outcome = { error: 'Ninguém transcreveu este áudio.', isAgain: false }
  for (const account of accounts) {
    last = await askAccount(account, { id, ticketId, file })
    if ('text' in last) return last
  }
  return last
}

type File = NonNullable<Awaited<ReturnType<typeof fileOf>>>
const askAccount = async (account: Account, about: { id: string; ticketId: string; file: File }): Promise<Outcome> => {
  const { tenantId, kind, config } = account
  const { file, ticketId } = about
  const model = config.audioModel
  const costOf = (seconds: number) => Math.ceil((seconds / 60) * config.audioPrice * 1_000_000)
  const seconds = file.durationMs ? file.durationMs / 1_000 : secondsIn(file.bytes.length)
  // The same audio at the same account is the same call, whoever makes it.
  const call = {
    id: v5(`${account.id}:${model}`, about.id),
    tenantId,
    integrationId: account.id,
    kind,
    model,
    ticketId,
  }
  const began = performance.now()
  try {
    const { kept } = await openCall({ ...call, purpose: 'transcription', mostMicros: costOf(seconds) })
    if (kept) return { text: (kept as Transcript).text, integrationId: account.id } // what settled this very call
    const { transcribe } = await modelsOf(kind)
    const { name, mime, bytes } = file
    const heard = await transcribe(account.context, { bytes, name: nameFor(name, mime), mime, timeoutMs: attemptMs })
    const costMicros = costOf(heard.seconds ?? seconds)
    await settleCall(call, { state: 'done', costMicros, ms: performance.now() - began, result: heard })
    await reportWorking(account)
    return { text: heard.text, integrationId: account.id }
  } catch (error) {
    if (error instanceof AppError) return { error: error.message, isAgain: false }
    if (!(error instanceof ModelProblem)) throw error
    await settleCall(call, { state: 'failed', problem: error.kind, costMicros: 0, ms: performance.now() - began })
    if (error.isOfAccount) await reportBroken(account, error)
    return { error: error.message, isAgain: error.kind === 'speed' || error.kind === 'network' }
  }
}

/** Accounts that write down speech, those known to be broken last. */
export const transcribers = async (tenantId: number): Promise<Account[]> =>
  workingFirst((await modelAccounts(tenantId)).filter(({ config }) => config.audioModel !== ''))

/** Voice notes have about 4 kB a second. */
const secondsIn = (bytes: number) => bytes / 4_000

/** Providers judge a file by its ending. */
const nameFor = (name: string, mime: string) => {
  if (/\.(flac|mp3|mp4|mpeg|mpga|m4a|ogg|opus|wav|webm)$/i.test(name)) return name
  const ending = /ogg|opus/.test(mime)
    ? 'ogg'
    : /mpeg|mp3/.test(mime)
      ? 'mp3'
      : /wav/.test(mime)
        ? 'wav'
        : /webm/.test(mime)
          ? 'webm'
          : 'm4a'
  return `audio.${ending}`
}

const fileOf = async (tenantId: number, messageId: string) => {
  const [row] = await withTenant(tenantId, (tx) => tx.rows<{ mediaId: string | null }>(mediaOf, [tenantId, messageId]))
  if (!row?.mediaId) return undefined
  return readFileBytes(tenantId, row.mediaId).catch((error) => {
    if (error instanceof AppError) return undefined
    throw error
  })
}

const take: Prepared = {
  name: 'transcripts_take',
  text: takeDue({
    table: 'audio_transcripts',
    key: ['tenant_id', 'id'],
    where: dueNow,
    order: 'due_at',
    set: leased('due_at'),
    returning: 'q.tenant_id as "tenantId", q.id, q.ticket_id as "ticketId", q.attempts',
  }),
}
const mediaOf: Prepared = {
  name: 'transcript_media',
  text: `select media_id as "mediaId" from messages where tenant_id = $1 and id = $2 and not is_deleted`,
}
const lockTicket: Prepared = {
  name: 'transcript_lock_ticket',
  text: 'select from tickets where tenant_id = $1 and id = $2 for no key update',
}
const end: Prepared = {
  name: 'transcript_end',
  text: `update audio_transcripts set state = $3, error = $4, integration_id = $5, done_at = now()
    where tenant_id = $1 and id = $2 and state = 'waiting' returning id`,
}
const postpone: Prepared = {
  name: 'transcript_postpone',
  text: `update audio_transcripts set error = $3, due_at = now() + make_interval(secs => $4) where tenant_id = $1 and id = $2`,
}
const leading: Prepared = {
  name: 'transcript_flow_run',
  text: 'select flow_id as "flowId" from chat_flow_runs where tenant_id = $1 and ticket_id = $2 and ended_at is null',
}
