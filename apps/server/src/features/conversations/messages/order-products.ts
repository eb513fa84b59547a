import type { OrderProducts } from '@balcao/contract/channels/requests.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { log } from '../../../kit/log.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { smallPicture } from '../../core/media/small-picture.ts'
import { requireMessage } from './visible.ts'

type Known = OrderProducts['items'][number]
/** How long a product is taken for what it was; one that was not found, or a provider that gave no answer, much shorter. */
const freshMs = 60 * 60_000
const retryMs = 60_000
const mostKept = 2_000
/** At once, as one page of the provider's; a basket of more shows the others by their codes. */
const mostAsked = 50
const picturePx = 96

const known = new Map<string, { goodUntil: number; loading: Promise<Known | undefined> }>()

/**
 * GET /messages/{id}/products: what the products of an order are called and look like, of those its catalogue still has.
 * Providers name them by the shop's own codes alone.
 */
export const readOrderProducts = async (actor: Actor, messageId: string): Promise<OrderProducts> => {
  const directory = await getDirectory(actor.tenantId)
  const { message } = await withTenant(actor.tenantId, (tx) => requireMessage(tx, actor, directory, messageId))
  const { order } = message.payload ?? {}
  const connection = order && (await findConnection(message.connectionId).catch(() => undefined))
  if (!order || !connection?.adapter.requests) return { items: [] }
  const ids = [...new Set(order.items.map(({ id }) => id))].slice(0, mostAsked)
  const found = await productsOf(connection, order.catalogId, ids)
  return { items: found.filter((one) => one !== undefined) }
}

const productsOf = (connection: OpenConnection, catalogId: string | undefined, ids: string[]) => {
  const now = Date.now()
  const keyOf = (id: string) => JSON.stringify([connection.id, catalogId, id])
  const missing = ids.filter((id) => (known.get(keyOf(id))?.goodUntil ?? 0) <= now)
  if (missing.length) {
    const asking = ask(connection, catalogId, missing)
    for (const id of missing) {
      const entry = { goodUntil: now + freshMs, loading: asking.then((all) => all.get(id)) }
      known.delete(keyOf(id)) // the newest last
      known.set(keyOf(id), entry)
      void entry.loading.then((one) => {
        if (!one) entry.goodUntil = Math.min(entry.goodUntil, now + retryMs)
      })
    }
    for (const key of known.keys()) {
      if (known.size <= mostKept) break
      known.delete(key)
    }
  }
  return Promise.all(ids.map((id) => known.get(keyOf(id))?.loading))
}

/** Never rejects: who waits for it shows the codes. */
const ask = async ({ adapter, context }: OpenConnection, catalogId: string | undefined, ids: string[]) => {
  const found = await adapter.requests?.products({ catalogId, ids }, context).catch((error: unknown) => {
    log.debug({ err: error, tenantId: context.tenantId }, 'products of an order not read')
    return undefined
  })
  const items = await Promise.all(
    (found ?? []).map(async ({ id, name, pictureUrl }) => ({
      id,
      name,
      picture: pictureUrl && (await smallPicture(context.tenantId, pictureUrl, picturePx)),
    })),
  )
  return new Map(items.map((one) => [one.id, one]))
}
