import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderProducts } from '@balcao/contract/channels/requests.ts'
import type { Order } from '@balcao/contract/conversations/answers.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { log } from '../../../kit/log.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { smallPicture } from '../../core/media/small-picture.ts'
import { requireMessage } from './visible.ts'

type Shown = OrderProducts['items'][number]
/** Of a picture only the address, until somebody looks at it. */
type Product = { id: string; name: string; picture: () => Promise<string | null> }
/** How long a product is taken for what it was; one that was not found, or a provider that gave no answer, much shorter. */
const freshMs = 60 * 60_000
const retryMs = 60_000
const mostKept = 2_000
/** At once, as one page of the provider's; a basket of more shows the others by their codes. */
const mostAsked = 50
const picturePx = 96
/** An order that arrives waits so long for the names of its products, and whoever else writes there with it. */
const patienceMs = 1_500

const known = new Map<string, { goodUntil: number; loading: Promise<Product | undefined> }>()

/**
 * GET /messages/{id}/products: what the products of an order are called and look like, of those its catalogue still has.
 * Providers name them by the shop's own codes alone.
 */
export const readOrderProducts = async (actor: Actor, messageId: string): Promise<OrderProducts> => {
  const directory = await getDirectory(actor.tenantId)
  const { message } = await withTenant(actor.tenantId, (tx) => requireMessage(tx, actor, directory, messageId))
  const { order } = message.payload ?? {}
  const connection = order && (await findConnection(message.connectionId).catch(() => undefined))
  if (!connection) return { items: [] }
  const found = await productsOf(connection, order)
  return {
    items: await Promise.all(
      found.map(async ({ id, name, picture }): Promise<Shown> => ({ id, name, picture: await picture() })),
    ),
  }
}

/** The order with what its catalogue calls the products; a catalogue that does not answer in time leaves it as it came. */
export const withProductNames = async (connection: OpenConnection, order: Order): Promise<Order> => {
  const found = await Promise.race([productsOf(connection, order), sleep(patienceMs, [], { ref: false })])
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return { ...order, items: order.items.map((item) => ({ ...item, name: names.get(item.id) ?? item.name })) }
}

const productsOf = async (connection: OpenConnection, { catalogId, items }: Order): Promise<Product[]> => {
  if (!connection.adapter.requests) return []
  const ids = [...new Set(items.map(({ id }) => id))].slice(0, mostAsked)
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
  const found = await Promise.all(ids.map((id) => known.get(keyOf(id))?.loading))
  return found.filter((one) => one !== undefined)
}

/** Never rejects: who waits for it shows the codes. */
const ask = async ({ adapter, context }: OpenConnection, catalogId: string | undefined, ids: string[]) => {
  const found = await adapter.requests?.products({ catalogId, ids }, context).catch((error: unknown) => {
    log.debug({ err: error, tenantId: context.tenantId }, 'products of an order not read')
    return undefined
  })
  return new Map(
    (found ?? []).map(({ id, name, pictureUrl }): [string, Product] => {
      let drawn: Promise<string | null> | undefined
      const draw = async () => pictureUrl && smallPicture(context.tenantId, pictureUrl, picturePx)
      return [id, { id, name: cutText(name, 200), picture: () => (drawn ??= draw()) }]
    }),
  )
}
