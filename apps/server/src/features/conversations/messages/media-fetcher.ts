import { ChannelError } from '../../../channels/adapter.ts'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { isDatabaseAway } from '../../../db/database-away.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { isStorageFull } from '../../../kit/storage.ts'
import type { Round } from '../../../kit/workers.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { storeFile } from '../../core/media/media.service.ts'
import { changeMessage } from './change-message.ts'

const atOnce = 4
const maxAttempts = 5

type Source = { source: Record<string, unknown>; name?: string; mime?: string }
type Wanted = {
  tenantId: number
  id: string
  connectionId: string
  contactId: string
  fromMe: boolean
  type: string
  attempts: number
  source: Source
}

/** A message with a file still at the provider was stored. */
export const wakeMediaFetcher = () => announce('media.wanted')

/** Brings received files home: claimed by row, fetched and stored outside any transaction, told by message.updated. */
export const createMediaFetcher = () => {
  const inHand = new Set<Promise<void>>()
  const claim = async (again: () => void): Promise<Round> => {
    const room = atOnce - inHand.size
    if (room <= 0) return { did: 0 }
    const claimed = await platformRows<Wanted>(claimWanted, [room])
    for (const wanted of claimed) {
      const done = bring(wanted)
        .catch((error) =>
          log.error({ err: error, tenantId: wanted.tenantId, messageId: wanted.id }, 'file not fetched'),
        )
        .finally(() => {
          inHand.delete(done)
          again()
        })
      inHand.add(done)
    }
    return { did: claimed.length }
  }
  const finish = async () => {
    await Promise.all(inHand)
  }
  return { claim, finish }
}

const bring = async (wanted: Wanted) => {
  try {
    const fileId = await fetchFile(wanted)
    await record(wanted, { mediaId: fileId, mediaState: 'ready' })
  } catch (error) {
    if (isDatabaseAway(error) || isStorageFull(error) || isBusy(error)) return // its lease ends, then it is tried again
    log.warn(
      { err: error, tenantId: wanted.tenantId, messageId: wanted.id, attempts: wanted.attempts },
      'file not fetched',
    )
    const isFinal =
      wanted.attempts >= maxAttempts ||
      error instanceof AppError ||
      (error instanceof ChannelError && error.outcome === 'final')
    const isSaid = error instanceof AppError || error instanceof ChannelError
    if (isFinal) await record(wanted, { mediaState: 'failed', mediaError: isSaid ? error.message : undefined })
    else await platformRows(later, [wanted.tenantId, wanted.id, 5 * 4 ** (wanted.attempts - 1)])
  }
}

const isBusy = (error: unknown) => error instanceof AppError && error.code === 'ERR_TOO_MANY'

const fetchFile = async ({ tenantId, connectionId, contactId, fromMe, type, source }: Wanted): Promise<string> => {
  const connection = await findConnection(connectionId)
  if (!connection) throw new ChannelError('final', 'Este canal foi excluído.')
  const { name, mime, ...content } = await fetchOrRenew(connection, source.source)
  const stored = await storeFile({
    tenantId,
    ...content,
    name: source.name ?? name ?? '',
    declaredMime: source.mime ?? mime,
    ...(type === 'sticker' ? { kind: 'sticker' as const } : {}),
    ...(fromMe ? {} : { contactId }),
  })
  return stored.id
}

/** What the provider keeps no longer, a phone may lay there once more. */
const fetchOrRenew = async ({ adapter, context }: OpenConnection, source: Record<string, unknown>) => {
  const { fetchMedia, renewMedia } = adapter
  if (!fetchMedia) throw new ChannelError('final', 'Este canal não entrega arquivos.')
  try {
    return await fetchMedia(source, context)
  } catch (error) {
    if (!renewMedia || !(error instanceof ChannelError && error.isGone)) throw error
    return fetchMedia(await renewMedia({ source }, context), context)
  }
}

const record = async ({ tenantId, id }: Wanted, patch: Parameters<typeof changeMessage>[3]) => {
  const { people } = await getDirectory(tenantId)
  await withTenant(tenantId, (tx) => changeMessage(tx, people, id, patch))
}

export const isMediaWanted = `select from messages where media_state = 'fetching' and (next_attempt_at is null or next_attempt_at <= now())`
/** The row is the lease: whoever dies over it leaves it free again after four minutes. */
export const claimWanted: Prepared = {
  name: 'media_claim',
  text: `with due as (
      select tenant_id, id from messages where media_state = 'fetching' and (next_attempt_at is null or next_attempt_at <= now())
      order by tenant_id, id limit $1 for no key update skip locked)
    update messages m set attempts = attempts + 1, next_attempt_at = now() + interval '4 minutes'
    from due where m.tenant_id = due.tenant_id and m.id = due.id
    returning m.tenant_id as "tenantId", m.id, m.connection_id as "connectionId", m.contact_id as "contactId", m.from_me as "fromMe",
      m.type, m.attempts, m.media_source as source`,
}
const later: Prepared = {
  name: 'media_later',
  text: `update messages set next_attempt_at = now() + make_interval(secs => $3) where tenant_id = $1 and id = $2`,
}
