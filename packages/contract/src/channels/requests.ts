import { z } from 'zod'

/** A form that its provider has published and a message may open. */
export const channelForm = z.object({ id: z.string(), name: z.string() })
export type ChannelForm = z.output<typeof channelForm>

/** `id`: the shop's own for the product; `price`: as its provider writes it. */
export const channelProduct = z.object({
  id: z.string(),
  name: z.string(),
  price: z.string().nullable(),
  pictureUrl: z.string().nullable(),
})
/** The connected catalogue with the products asked for; without an id there is none. */
export const channelCatalog = z.object({ id: z.string().nullable(), products: z.array(channelProduct) })
export type ChannelCatalog = z.output<typeof channelCatalog>
export const catalogQuery = z.object({
  searchParam: z.string().trim().max(100).default(''),
})
/** What is known of the products of an order; `picture`: a small one, as a data address. */
export const orderProducts = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string(), picture: z.string().nullable() })),
})
export type OrderProducts = z.output<typeof orderProducts>
