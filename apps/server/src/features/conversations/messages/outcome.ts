import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { type Tx, withTenantAfter } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { unhurried } from '../../../db/unhurried.ts'
import { emitAll } from '../../../kit/outbox.ts'
import { createRest } from '../../../kit/rest.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { refreshLastMessages } from '../tickets/last-message.ts'
import { type TicketState, ticketAudience } from '../timeline/ticket-state.ts'
import {
  type Claimed,
  dropEcho,
  forgetRead,
  keepPollKey,
  linkIdentities,
  lockSending,
  releaseClaim,
  type Sending,
  takeEarlyStatuses,
} from './sender.queries.ts'
import { lockProviderIdsAsk, movedBy, type StatusChange, saveStatuses, type ToldStatus } from './statuses.ts'

/** About eight minutes in all: a provider that is away for a few loses nothing, and nobody has to send again. */
export const maxAttempts = 9
const firstRetryMs = 2_000
const longestRetryMs = 10 * 60_000

type Sent = { providerId: string; identities?: Identity[]; pollKey?: string }
type Waiting = Sent & { message: Claimed; claimer: string; resolve: () => void; reject: (error: unknown) => void }

const mostTogether = 100
/** What went to many is recorded with what follows it so soon. */
const gathersMs = 100
/** By connection: what is recorded next, while what came before is being recorded. */
const waiting = new Map<string, { some: Waiting[]; rest: ReturnType<typeof createRest> }>()

/**
 * The provider took the message: its id is recorded, with whatever states came before we knew the id. Those of one
 * connection that come while others are being recorded go together in the next transaction.
 */
export const recordSent = (message: Claimed, claimer: string, sent: Sent): Promise<void> =>
  new Promise((resolve, reject) => {
    const way = `${message.tenantId}:${message.connectionId}:${claimer}`
    const one = { ...sent, message, claimer, resolve, reject }
    const others = waiting.get(way)
    if (others) {
      others.some.push(one)
      if (!mayRest(others.some)) others.rest.end()
    } else {
      waiting.set(way, { some: [one], rest: createRest() })
      void recordWaiting(way)
    }
  })
const mayRest = (some: Waiting[]) => some.length < mostTogether && some.every(({ message }) => message.isOfMany)
const recordWaiting = async (way: string) => {
  const line = waiting.get(way)
  if (!line) return
  while (line.some.length) {
    const some = line.some.splice(0, mostTogether)
    try {
      await recordTogether(some)
      for (const { resolve } of some) resolve()
    } catch (error) {
      if (some.length === 1) some[0]?.reject(error)
      // A slip with one of them must not undo what is known of the others.
      else for (const one of some) await recordTogether([one]).then(one.resolve, one.reject)
    }
    if (some.every(({ message }) => message.isOfMany) && mayRest(line.some)) await line.rest.begin(gathersMs)
  }
  waiting.delete(way)
}

const recordTogether = (sent: Waiting[]): Promise<void> => {
  const [first] = sent
  if (!first) return Promise.resolve()
  const { tenantId } = first.message
  return withTenantAfter(tenantId, asksOf(first, sent), async (tx, [, locked, echoes, early]) => {
    const rows = new Map((locked as Sending[]).map((row) => [row.messageId, row]))
    const held = sent.flatMap((one) => {
      const row = rows.get(one.message.id)
      return row ? [{ ...one, row }] : []
    })
    for (const { row } of held)
      await hideEchoes(
        tx,
        row,
        (echoes as Echo[]).filter(({ messageId }) => messageId === row.messageId),
      )
    await saveStatuses(
      tx,
      held.map(({ row, providerId }) =>
        // What was told of its echo was told of it.
        [...(echoes as Echo[]), ...(early as Early[])]
          .filter(({ messageId }) => messageId === row.messageId)
          .reduce(movedBy, movedBy({ ...changeOf(row), providerId }, { status: 'sent' })),
      ),
    )
    if (held.length) tx.late(releaseClaim, [tx.tenantId, held.map(({ message }) => message.id), null])
    for (const { message, pollKey, identities = [] } of held) {
      if (pollKey) tx.late(keepPollKey, [tx.tenantId, message.id, pollKey])
      const learned = normalizeIdentities(identities).filter(
        ({ kind, value }) => !message.identities.some((one) => one.kind === kind && one.value === value),
      )
      if (learned.length) tx.late(linkIdentities, [tx.tenantId, message.id, JSON.stringify(learned)])
    }
  })
}

/** All that is asked of them at once: nothing of it happens where another holds the message now. */
const asksOf = ({ message: { tenantId, connectionId }, claimer }: Waiting, sent: Waiting[]): Ask[] => {
  const [ids, providerIds] = [sent.map(({ message }) => message.id), sent.map(({ providerId }) => providerId)]
  return [
    lockProviderIdsAsk(tenantId, connectionId, providerIds),
    [lockSending, [tenantId, ids, claimer]],
    [dropEcho, [tenantId, connectionId, providerIds, ids, claimer]],
    [takeEarlyStatuses, [tenantId, connectionId, providerIds, ids, claimer]],
    // Taken with the disk and lost here with the machine, it is asked for, told by its receipt, or "entrega incerta".
    ...(sent.every(({ message }) => message.isOfMany) ? [[unhurried, []] satisfies Ask] : []),
  ]
}

type Early = ToldStatus & { messageId: string }
type Echo = Early & { id: string; ticketId: string; contactId: string }
/** It leaves every screen, and what lists show of its conversation is put right. */
const hideEchoes = async (tx: Tx, ticket: TicketState, echoes: Echo[]) => {
  if (!echoes.length) return
  await emitAll(
    tx,
    echoes.map(({ id, ticketId, contactId }) => ({
      name: 'message.removed',
      payload: { id, ticketId, contactId },
      audience: ticketAudience(ticket, true),
    })),
  )
  await refreshLastMessages(tx, [...new Set(echoes.map(({ ticketId }) => ticketId))])
}

/** The provider did not take it, or nobody knows: again later, failed, or uncertain; told in Portuguese. */
export const recordFailure = (message: Claimed, claimer: string, error: ChannelError): Promise<void> =>
  withTenantAfter(
    message.tenantId,
    [[lockSending, [message.tenantId, [message.id], claimer]]],
    async (tx, [locked]) => {
      const [row] = locked as Sending[]
      if (!row) return
      // A status with our own id arrived meanwhile: it was accepted after all.
      if (row.messageStatus !== 'sending') return tx.late(releaseClaim, [tx.tenantId, [message.id], null])
      const isAgain = error.outcome === 'retry' && (error.isHeld || message.attempts < maxAttempts)
      const status = isAgain ? 'queued' : error.outcome === 'uncertain' ? 'uncertain' : 'failed'
      const isTried = error.outcome === 'retry' && !error.isHeld
      const said = isTried ? `${error.message} ${isAgain ? againText : givenUpText}` : error.message
      const { isUnreachable, isOptedOut } = error
      const change = { ...changeOf(row), version: row.messageVersion + 1, isChanged: true }
      await saveStatuses(tx, [{ ...change, status, error: said, isUnreachable, isOptedOut }])
      tx.late(forgetRead, [tx.tenantId, message.connectionId, message.id])
      const nextAttemptAt = isAgain ? new Date(Date.now() + retryDelayMs(message.attempts, error.retryAfterMs)) : null
      tx.late(releaseClaim, [tx.tenantId, [message.id], nextAttemptAt])
    },
  )

/** An adapter tells what happened; only here is known whether it will be tried again. */
const againText = 'Tentaremos de novo em instantes.'
const givenUpText = `Tentamos ${maxAttempts} vezes e paramos. Confira o canal e reenvie.`

/** Twice as long each time, a little different for each message, never sooner than the provider asked. */
export const retryDelayMs = (attempts: number, askedMs = 0) =>
  Math.max(askedMs, Math.min(longestRetryMs, firstRetryMs * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2))

const changeOf = (row: Sending): StatusChange => ({
  id: row.messageId,
  status: row.messageStatus,
  error: row.error,
  version: row.messageVersion,
  providerId: row.providerId,
  ticket: row,
  isChanged: false,
  isUnreachable: false,
})

export const uncertainText =
  'Entrega incerta: o envio foi interrompido antes da confirmação. Confira com o cliente antes de tentar de novo.'
export const uncertain = () => new ChannelError('uncertain', uncertainText)
