import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { MessageStatus } from '@balcao/contract/conversations/messages.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { type Tx, withTenant } from '../../../db/database.ts'
import { emitAll } from '../../../kit/outbox.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { refreshLastMessages } from '../tickets/last-message.ts'
import { type TicketState, ticketAudience } from '../timeline/ticket-state.ts'
import { nextStatus } from './message-status.ts'
import {
  type Claimed,
  dropEcho,
  keepPollKey,
  linkIdentities,
  lockSending,
  releaseClaim,
  type Sending,
  takeEarlyStatuses,
} from './sender.queries.ts'
import { lockProviderIds, saveStatuses } from './statuses.ts'

/** About eight minutes in all: a provider that is away for a few loses nothing, and nobody has to send again. */
export const maxAttempts = 9
const firstRetryMs = 2_000
const longestRetryMs = 10 * 60_000

/** The provider took the message: its id is recorded, with whatever states came before we knew the id. */
export const recordSent = (
  message: Claimed,
  claimer: string,
  { providerId, identities = [], pollKey }: { providerId: string; identities?: Identity[]; pollKey?: string },
): Promise<void> =>
  withTenant(message.tenantId, async (tx) => {
    await lockProviderIds(tx, message.connectionId, [providerId])
    const [row] = await tx.rows<Sending>(lockSending, [tx.tenantId, message.id, claimer])
    if (!row) return
    await hideEchoes(
      tx,
      row,
      await tx.rows<Echo>(dropEcho, [tx.tenantId, message.connectionId, providerId, message.id]),
    )
    const early = await tx.rows<{ status: MessageStatus; error: string | null }>(takeEarlyStatuses, [
      tx.tenantId,
      message.connectionId,
      providerId,
    ])
    let status = nextStatus(row.messageStatus, 'sent')
    let error: string | null = null
    for (const told of early) {
      const next = nextStatus(status, told.status)
      if (next === 'failed' && status !== 'failed')
        error = told.error ?? 'O provedor não conseguiu entregar a mensagem.'
      status = next
    }
    await saveStatuses(tx, [{ ...changeOf(row), providerId, status, error }])
    await tx.rows(releaseClaim, [tx.tenantId, message.id, null])
    if (pollKey) await tx.rows(keepPollKey, [tx.tenantId, message.id, pollKey])
    const learned = normalizeIdentities(identities).filter(
      ({ kind, value }) => !message.identities.some((one) => one.kind === kind && one.value === value),
    )
    if (learned.length) await tx.rows(linkIdentities, [tx.tenantId, message.id, JSON.stringify(learned)])
  })

type Echo = { id: string; ticketId: string; contactId: string }
/** It leaves every screen, and what lists show of its conversation is put right. */
const hideEchoes = async (tx: Tx, ticket: TicketState, echoes: Echo[]) => {
  if (!echoes.length) return
  await emitAll(
    tx,
    echoes.map((payload) => ({ name: 'message.removed', payload, audience: ticketAudience(ticket, true) })),
  )
  await refreshLastMessages(tx, [...new Set(echoes.map(({ ticketId }) => ticketId))])
}

/** The provider did not take it, or nobody knows: again later, failed, or uncertain; told in Portuguese. */
export const recordFailure = (message: Claimed, claimer: string, error: ChannelError): Promise<void> =>
  withTenant(message.tenantId, async (tx) => {
    const [row] = await tx.rows<Sending>(lockSending, [tx.tenantId, message.id, claimer])
    if (!row) return
    // A status with our own id arrived meanwhile: it was accepted after all.
    if (row.messageStatus !== 'sending') return void (await tx.rows(releaseClaim, [tx.tenantId, message.id, null]))
    const isAgain = error.outcome === 'retry' && (error.isHeld || message.attempts < maxAttempts)
    const status = isAgain ? 'queued' : error.outcome === 'uncertain' ? 'uncertain' : 'failed'
    const isTried = error.outcome === 'retry' && !error.isHeld
    const said = isTried ? `${error.message} ${isAgain ? againText : givenUpText}` : error.message
    await saveStatuses(tx, [{ ...changeOf(row), status, error: said, isUnreachable: error.isUnreachable }])
    const nextAttemptAt = isAgain ? new Date(Date.now() + retryDelayMs(message.attempts, error.retryAfterMs)) : null
    await tx.rows(releaseClaim, [tx.tenantId, message.id, nextAttemptAt])
  })

/** An adapter tells what happened; only here is known whether it will be tried again. */
const againText = 'Tentaremos de novo em instantes.'
const givenUpText = `Tentamos ${maxAttempts} vezes e paramos. Confira o canal e reenvie.`

/** Twice as long each time, a little different for each message, never sooner than the provider asked. */
export const retryDelayMs = (attempts: number, askedMs = 0) =>
  Math.max(askedMs, Math.min(longestRetryMs, firstRetryMs * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2))

const changeOf = (row: Sending) => ({
  id: row.messageId,
  status: row.messageStatus,
  error: row.error,
  version: row.messageVersion + 1,
  providerId: row.providerId,
  ticket: row,
  isChanged: true,
  isUnreachable: false,
})

export const uncertainText =
  'Entrega incerta: o envio foi interrompido antes da confirmação. Confira com o cliente antes de tentar de novo.'
export const uncertain = () => new ChannelError('uncertain', uncertainText)
