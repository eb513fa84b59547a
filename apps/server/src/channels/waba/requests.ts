import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { type ChannelAdapter, ChannelError } from '../adapter.ts'
import { type Context, graph } from './graph.ts'

const text = z.string()
const flows = z.object({ data: z.array(z.object({ id: text, name: text, status: text })) })
const catalogs = z.object({ data: z.array(z.object({ id: text })) })
const products = z.object({
  data: z.array(z.object({ retailer_id: text, name: loose(text), price: loose(text), image_url: loose(text) })),
})

/** As many as one page shows. */
const mostForms = 200
const mostProducts = 50

/**
 * Flows, and the catalogue connected to the account: v25.0 of `/{waba}/flows`, `/{waba}/product_catalogs`, `/{catalog}/products`
 * (its `filter` takes `name` and `retailer_id`, as Meta's reference of the product catalogue has it; not in our sheet).
 */
export const requests: NonNullable<ChannelAdapter<'waba'>['requests']> = {
  forms: async (context) => {
    const { data } = await ask(
      context,
      `${context.config.wabaId}/flows?fields=id,name,status&limit=${mostForms}`,
      flows,
    )
    return data
      .filter(({ status }) => status === 'PUBLISHED')
      .map(({ id, name }) => ({ id, name }))
      .toSorted((a, b) => a.name.localeCompare(b.name))
  },
  catalog: async ({ search }, context) => {
    const id = await connectedCatalog(context)
    if (!id) return { id: null, products: [] }
    return { id, products: await findProducts(context, id, search ? { name: { i_contains: search } } : undefined) }
  },
  products: async ({ catalogId, ids }, context) => {
    const id = catalogId ?? (await connectedCatalog(context))
    return id ? findProducts(context, id, { retailer_id: { is_any: ids } }) : []
  },
}

const connectedCatalog = async (context: Context) =>
  (await ask(context, `${context.config.wabaId}/product_catalogs?fields=id`, catalogs)).data[0]?.id

const findProducts = async (context: Context, catalogId: string, filter?: object) => {
  const query = new URLSearchParams({ fields: 'retailer_id,name,price,image_url', limit: String(mostProducts) })
  if (filter) query.set('filter', JSON.stringify(filter))
  const { data } = await ask(context, `${encodeURIComponent(catalogId)}/products?${query}`, products)
  return data.map((one) => ({
    id: one.retailer_id,
    name: one.name ?? one.retailer_id,
    price: one.price ?? null,
    pictureUrl: one.image_url ?? null,
  }))
}

const ask = async <T extends z.ZodType>(context: Context, path: string, schema: T): Promise<z.output<T>> => {
  const { data } = schema.safeParse((await graph(context, path, {}, true)).json())
  if (data === undefined) throw new ChannelError('retry', 'A Meta respondeu de um jeito inesperado.')
  return data
}
