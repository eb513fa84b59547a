import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { paceOf } from '@balcao/contract/channels/define.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { carriedAs, numberedText } from '@balcao/contract/conversations/interactive.ts'
import { mayGoTogether } from '@balcao/contract/conversations/messages.ts'
import { ChannelError, type Outbound } from '../../../channels/adapter.ts'
import { platformRows, withTenant } from '../../../db/database.ts'
import { isDatabaseAway } from '../../../db/database-away.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { processId } from '../../../kit/process-id.ts'
import { announce } from '../../../kit/signals/signals.ts'
import type { Round } from '../../../kit/workers.ts'
import { markConnection } from '../../channels/connections/connections.service.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { providerAddress } from '../../core/media/media.present.ts'
import { readFileBytes, readFileStream } from '../../core/media/media.service.ts'
import { recordFailure, recordSent, uncertain } from './outcome.ts'
import { oneByOne, paces } from './pace.ts'
import {
  type Claimed,
  claimAbandoned,
  claimAlbum,
  claimQueued,
  keepClaims,
  nameChosen,
  senders,
  type Taken,
} from './sender.queries.ts'

const keepEveryMs = 10_000
/** A claim nobody renewed for so long has lost its process. */
const abandonedAfterS = 30
const deadlineMs = 150_000
const atOnce = 400
/** Messages of one connection in one process's hands: as many as it may send in a second, and a few where that is little. */
const atOnceOf = (kind: ChannelKind) => Math.min(Math.max(20, paceOf(channels[kind]).perSecond), 80)

const keyOf = ({ tenantId, id }: Claimed) => `${tenantId} ${id}`

/** Something new is waiting: called after the commit that queued it. */
export const wakeSender = () => announce('messages.queued')

/**
 * Sends what is queued. The rows are the queue: first in, first out per conversation, conversations side by side, each
 * connection at its own pace.
 */
export const createSender = ({ onlySessions = false } = {}) => {
  const claimer = `${hostname()}:${process.pid}:${randomUUID()}`
  /** By company and id: who writes a message names it, and two companies may give one name. */
  const inHand = new Map<string, Claimed>()
  const sending = new Set<Promise<void>>()

  /** Connections that have enough in hand. */
  const busy = () =>
    [...Map.groupBy(inHand.values(), ({ connectionId }) => connectionId)].flatMap(([id, held]) =>
      held[0] && held.length >= atOnceOf(held[0].kind) ? [id] : [],
    )
  const isFull = ({ connectionId }: Claimed) => inHand.size >= atOnce || busy().includes(connectionId)
  const claim = async (again: () => void): Promise<Round> => {
    const room = atOnce - inHand.size
    if (room <= 0) return { did: 0 }
    const claimed = await platformRows<Taken>(claimQueued, [claimer, busy(), room, paces, processId, onlySessions])
    for (const [message, inMs] of oneByOne(claimed))
      take(message, inMs ? () => sleep(inMs).then(() => send(message)) : send, again)
    const rests = claimed.map(({ restsForMs }) => restsForMs)
    return {
      did: claimed.length,
      isMore: claimed.length === room,
      againInMs: rests.length ? Math.min(...rests) : undefined,
    }
  }
  const take = (message: Claimed, work: (message: Claimed) => Promise<void>, then: () => void) => {
    inHand.set(keyOf(message), message)
    const done = work(message)
      .catch((error) =>
        log.error({ err: error, tenantId: message.tenantId, messageId: message.id }, 'outcome not recorded'),
      )
      .finally(() => {
        // The next of what goes to many is due by the clock; only where its connection had enough in hand nobody rings.
        const isAwaited = !message.isOfMany || isFull(message)
        inHand.delete(keyOf(message))
        sending.delete(done)
        if (isAwaited) then()
      })
    sending.add(done)
  }

  const send = async (message: Claimed) => {
    const isOfGroup = message.payload?.album && mayGoTogether(message.abilities.supports, message.type)
    const others = isOfGroup ? await platformRows<Claimed>(claimAlbum, [claimer, message.tenantId, message.id]) : []
    if (!others.length) return sendOne(message)
    for (const one of others) inHand.set(keyOf(one), one)
    try {
      await sendTogether(message, others)
    } finally {
      for (const one of others) inHand.delete(keyOf(one))
    }
  }
  /** Refused for one of its files, it was refused whole: each goes alone then, so that only that one is told as not sent. */
  const sendTogether = async (first: Claimed, others: Claimed[]) => {
    const album = [first, ...others]
    try {
      const { providerIds, identities } = await withDeadline(deliverAlbum(album, claimer))
      for (const [at, one] of album.entries()) {
        const providerId = providerIds[at]
        await untilRecorded(() =>
          providerId ? recordSent(one, claimer, { providerId, identities }) : recordFailure(one, claimer, uncertain()),
        )
      }
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error
      if (error.outcome === 'final' && !error.isConnectionBroken && !error.isUnreachable) {
        for (const one of album) await sendOne(one)
        return
      }
      for (const one of album) await untilRecorded(() => recordFailure(one, claimer, error))
      if (error.isConnectionBroken)
        await markConnection(first.tenantId, first.connectionId, 'ERROR', error.forAdmin.text)
    }
  }
  const sendOne = async (message: Claimed) => {
    try {
      const sent = await withDeadline(deliver(message, claimer))
      await untilRecorded(() => recordSent(message, claimer, sent))
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error
      await untilRecorded(() => recordFailure(message, claimer, error))
      if (error.isConnectionBroken)
        await markConnection(message.tenantId, message.connectionId, 'ERROR', error.forAdmin.text)
    }
  }

  /** The process that held it died between the provider and the record: ask the provider, else say so. Never send again. */
  const resolve = async (message: Claimed) => {
    const connection = await channelOf(message).catch(onlyRefused)
    const found = await connection?.adapter.find?.(message.id, connection.context).catch(() => undefined)
    if (typeof found === 'string') return recordSent(message, claimer, { providerId: found })
    const verdict = found === false ? new ChannelError('retry', 'O envio foi interrompido.') : uncertain()
    return recordFailure(message, claimer, verdict)
  }
  const adopt = async (): Promise<Round | undefined> => {
    const rows = await platformRows<{ claimedBy: string }>(senders, [])
    if (!rows.length) return undefined
    const dead = rows.map((row) => row.claimedBy).filter((owner) => owner !== claimer && isDead(owner))
    const held = [...inHand.values()]
    const ours = [held.map((one) => one.tenantId), held.map((one) => one.id)]
    const abandoned = await platformRows<Claimed>(claimAbandoned, [claimer, abandonedAfterS, dead, ...ours])
    for (const message of abandoned) take(message, resolve, wakeSender)
    return { did: abandoned.length }
  }
  const keep = async () => {
    const held = [...inHand.values()]
    if (held.length)
      await platformRows(keepClaims, [claimer, held.map((one) => one.tenantId), held.map((one) => one.id)])
    return undefined
  }
  /** Nobody takes over what is still in hand while this process ends. */
  const finish = async () => {
    const keeping = setInterval(
      () => void keep().catch((error) => log.warn({ err: error }, 'claims not kept')),
      keepEveryMs,
    )
    while (sending.size) await Promise.all(sending)
    clearInterval(keeping)
  }

  return { claim, adopt, keep, finish }
}

const deliver = async (message: Claimed, claimer: string) => {
  const connection = await channelOf(message)
  if (!connection) throw noChannel()
  const providerId = await chosenId(message, connection, claimer)
  const outbound = { ...toOutbound(message), providerId }
  try {
    return await connection.adapter.send(outbound, connection.context)
  } catch (error) {
    throw explained(error, connection, message)
  }
}

const deliverAlbum = async (album: Claimed[], claimer: string) => {
  const [first] = album
  const connection = first && (await channelOf(first))
  if (!connection) throw noChannel()
  const { adapter, context } = connection
  const sendTogether = adapter.sendAttached ?? adapter.sendAlbum
  if (!sendTogether) throw new ChannelError('final', 'Este canal envia um arquivo por mensagem.') // each goes alone then
  const providerId = await chosenId(first, connection, claimer)
  try {
    return await sendTogether(
      album.map((one) => ({ ...toOutbound(one), ...(one === first && { providerId }) })),
      context,
    )
  } catch (error) {
    throw explained(error, connection, first)
  }
}

const noChannel = () => new ChannelError('final', 'O canal desta conversa foi excluído.')

/** Its id at the provider, where we choose it: known before anything leaves. */
const chosenId = async ({ tenantId, id }: Claimed, { adapter, context }: OpenConnection, claimer: string) => {
  const chosen = adapter.chooseId?.(id, context.config)
  if (chosen) await withTenant(tenantId, (tx) => tx.rows(nameChosen, [tx.tenantId, id, claimer, chosen]))
  return chosen
}

/** One whose settings nobody can read any more sends nothing until somebody types them again. */
const channelOf = (message: Claimed) =>
  findConnection(message.connectionId).catch((error) => {
    throw error instanceof AppError ? new ChannelError('final', error.message, { isConnectionBroken: true }) : error
  })
const onlyRefused = (error: unknown) => {
  if (!(error instanceof ChannelError)) throw error
  return undefined
}

/** An adapter's slip is not a refusal: whether anything left us is unknown. */
const explained = (error: unknown, connection: OpenConnection, message: Claimed): ChannelError => {
  if (error instanceof ChannelError) return error
  if (error instanceof AppError && error.code === 'ERR_NOT_FOUND')
    return new ChannelError('final', 'O arquivo desta mensagem não existe mais.')
  log.error(
    { err: error, tenantId: message.tenantId, connectionId: connection.id, messageId: message.id },
    'adapter failed',
  )
  return uncertain()
}

const toOutbound = (message: Claimed): Outbound => {
  const { tenantId, file } = message
  return {
    id: message.id,
    to: message.identities,
    ...wordsOf(message),
    media: file && {
      name: file.name,
      mime: file.mime,
      size: file.size,
      bytes: async () => (await readFileBytes(tenantId, file.id)).bytes,
      stream: () => readFileStream(tenantId, file.id),
      url: providerAddress(tenantId, file),
    },
    location: message.location,
    contacts: message.contacts ?? [],
    mail: mailOf(message),
    signature: message.payload?.signature,
    unsubscribe: message.payload?.unsubscribe,
    isAutomatic: message.isAutomatic,
    mentions: message.payload?.called,
    quotedProviderId: message.quotedProviderId,
    isFirst: message.isFirst,
    lastHeard: message.lastHeard ?? undefined,
    isLate: message.isLate,
    quotedBy: message.quotedBy ?? undefined,
  }
}

/** A mail without words of its own about it goes on with the last one of its conversation. */
const mailOf = ({ payload, mailHtml, mailBefore }: Claimed): Outbound['mail'] => {
  const mail = payload?.mail && { ...payload.mail, html: mailHtml }
  // What is sent to many begins anew each time.
  if (!mailBefore || payload?.unsubscribe) return mail
  const { id, subject, references } = mailBefore
  const before = [...references, id].slice(-100)
  return {
    subject: mail?.subject || (/^(re|res|aw|ref):/i.test(subject) ? subject : `Re: ${subject}`),
    cc: mail?.cc ?? [],
    bcc: mail?.bcc ?? [],
    html: mail?.html ?? null,
    references: mail?.references.length ? mail.references : before,
  }
}

/** What it says, in the form its channel can carry. */
const wordsOf = ({
  abilities,
  type,
  body,
  payload,
}: Claimed): Pick<Outbound, 'type' | 'body' | 'interactive' | 'template'> => {
  if (type === 'template' && payload?.template) return { type, body, template: payload.template }
  // What is said in an audio is not written under it.
  if (type === 'audio' && payload?.transcript) return { type, body: '' }
  if ((type !== 'buttons' && type !== 'poll') || !payload?.interactive) return { type: sendableType(type), body }
  const { interactive } = payload
  const way = carriedAs(abilities, interactive, body)
  if (way === 'text') return { type: 'text', body: numberedText(interactive, body) }
  return { type: 'interactive', body, interactive: { ...interactive, kind: way } }
}

const sendable = ['text', 'image', 'audio', 'video', 'document', 'sticker', 'location', 'contact'] as const
const sendableType = (type: Claimed['type']): Outbound['type'] => {
  const found = sendable.find((one) => one === type)
  if (!found) throw new ChannelError('final', 'Este tipo de mensagem não pode ser enviado.')
  return found
}

/** What the provider said must not be forgotten because the database is restarting. */
const untilRecorded = async (record: () => Promise<void>) => {
  for (let left = 60; ; left -= 1) {
    try {
      return await record()
    } catch (error) {
      if (left === 0 || !isDatabaseAway(error)) throw error
      await sleep(1_000)
    }
  }
}

const withDeadline = async <T>(work: Promise<T>): Promise<T> => {
  const limit = new AbortController()
  try {
    return await Promise.race([
      work,
      sleep(deadlineMs, undefined, { signal: limit.signal }).then(() => {
        throw uncertain()
      }),
    ])
  } finally {
    limit.abort()
  }
}

/** A claimer of this machine whose process has ended; of another machine only time can tell. */
const isDead = (owner: string) => {
  const [host, pid] = owner.split(':')
  if (host !== hostname()) return false
  if (Number(pid) === process.pid) return true
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
