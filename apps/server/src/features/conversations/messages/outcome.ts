import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { MessageStatus } from '@balcao/contract/conversations/messages.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { type Tx, withTenantAfter } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
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
import { lockProviderIdsAsk, saveStatuses } from './statuses.ts'

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
  withTenantAfter(message.tenantId, asksOf(message, claimer, providerId), async (tx, [, locked, echoes, early]) => {
    const [row] = locked as Sending[]
    if (!row) return
    await hideEchoes(tx, row, echoes as Echo[])
    let status = nextStatus(row.messageStatus, 'sent')
    let error: string | null = null
    for (const told of early as { status: MessageStatus; error: string | null }[]) {
      const next = nextStatus(status, told.status)
      if (next === 'failed' && status !== 'failed')
        error = told.error ?? 'O provedor não conseguiu entregar a mensagem.'
      status = next
    }
    await saveStatuses(tx, [{ ...changeOf(row), providerId, status, error }])
    tx.late(releaseClaim, [tx.tenantId, message.id, null])
    if (pollKey) tx.late(keepPollKey, [tx.tenantId, message.id, pollKey])
    const learned = normalizeIdentities(identities).filter(
      ({ kind, value }) => !message.identities.some((one) => one.kind === kind && one.value === value),
    )
    if (learned.length) tx.late(linkIdentities, [tx.tenantId, message.id, JSON.stringify(learned)])
  })

/** All that is asked of it at once: nothing of it happens where another holds the message now. */
const asksOf = ({ tenantId, id, connectionId }: Claimed, claimer: string, providerId: string): Ask[] => [
  lockProviderIdsAsk(tenantId, connectionId, [providerId]),
  [lockSending, [tenantId, id, claimer]],
  [dropEcho, [tenantId, connectionId, providerId, id, claimer]],
  [takeEarlyStatuses, [tenantId, connectionId, providerId, id, claimer]],
]

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
  withTenantAfter(message.tenantId, [[lockSending, [message.tenantId, message.id, claimer]]], async (tx, [locked]) => {
    const [row] = locked as Sending[]
    if (!row) return
    // A status with our own id arrived meanwhile: it was accepted after all.
    if (row.messageStatus !== 'sending') return tx.late(releaseClaim, [tx.tenantId, message.id, null])
    const isAgain = error.outcome === 'retry' && (error.isHeld || message.attempts < maxAttempts)
    const status = isAgain ? 'queued' : error.outcome === 'uncertain' ? 'uncertain' : 'failed'
    const isTried = error.outcome === 'retry' && !error.isHeld
    const said = isTried ? `${error.message} ${isAgain ? againText : givenUpText}` : error.message
    const { isUnreachable, isOptedOut } = error
    await saveStatuses(tx, [{ ...changeOf(row), status, error: said, isUnreachable, isOptedOut }])
    const nextAttemptAt = isAgain ? new Date(Date.now() + retryDelayMs(message.attempts, error.retryAfterMs)) : null
    tx.late(releaseClaim, [tx.tenantId, message.id, nextAttemptAt])
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
