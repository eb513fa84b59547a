import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Line } from '../handset.ts'
import { recordOf } from '../simulator.ts'
import { GraphError } from './errors.ts'
import type { OutboundInteractive } from './outbound.ts'
import type { State } from './state.ts'

export type WabaFlow = { id: string; name: string; status: 'DRAFT' | 'PUBLISHED' | 'BLOCKED' }
export type WabaProduct = { retailer_id: string; name: string; price: string; image_url?: string }

type IdParam = { Params: { id: string } }
/** Forms of the account and the catalogue connected to it. */
export const addRequests = (api: FastifyInstance, state: State, ownAccount: (id: string) => void) => {
  const { shop } = state
  api.get<IdParam>('/:id/flows', async (req) => {
    ownAccount(req.params.id)
    return { data: shop.flows.map((flow) => ({ ...flow, categories: ['OTHER'], validation_errors: [] })) }
  })
  api.get<IdParam>('/:id/product_catalogs', async (req) => {
    ownAccount(req.params.id)
    return { data: shop.catalogId ? [{ id: shop.catalogId, name: 'Catálogo' }] : [] }
  })
  api.get<IdParam>('/:id/products', async (req) => {
    if (req.params.id !== shop.catalogId) throw new GraphError(100, `Object with ID '${req.params.id}' does not exist`)
    const { filter } = recordOf(req).query
    const { name, retailer_id: ids } = filter ? productFilter.parse(JSON.parse(filter)) : {}
    const said = name?.i_contains.toLowerCase() ?? ''
    const isAsked = (one: WabaProduct) =>
      one.name.toLowerCase().includes(said) && (!ids || ids.is_any.includes(one.retailer_id))
    return { data: shop.products.filter(isAsked) }
  })
}
const productFilter = z.object({
  name: z.object({ i_contains: z.string() }).optional(),
  retailer_id: z.object({ is_any: z.array(z.string()) }).optional(),
})

/** What it names has to be the account's own. */
export const checkRequest = ({ shop }: State, interactive: OutboundInteractive) => {
  const refuse = (details: string) => {
    throw new GraphError(131009, details)
  }
  if (interactive.type === 'flow') {
    const { flow_id } = interactive.action.parameters
    const flow = shop.flows.find(({ id }) => id === flow_id)
    if (flow?.status === 'BLOCKED') throw new GraphError(132068, `Flow ${flow_id} is in blocked state.`)
    if (flow?.status !== 'PUBLISHED') refuse(`flow_id: ${flow_id} is no published flow of this account`)
  }
  if (interactive.type === 'catalog_message' && !shop.catalogId) refuse('No catalog is connected to this account')
  if ('catalog_id' in interactive.action && interactive.action.catalog_id !== shop.catalogId)
    refuse('action.catalog_id: not connected to this account')
  for (const id of productsOf(interactive))
    if (!shop.products.some((one) => one.retailer_id === id)) refuse(`product_retailer_id: ${id} is not in the catalog`)
}

const productsOf = (interactive: OutboundInteractive): string[] => {
  switch (interactive.type) {
    case 'product':
      return [interactive.action.product_retailer_id]
    case 'product_list':
      return interactive.action.sections.flatMap((one) => one.product_items.map((item) => item.product_retailer_id))
    case 'catalog_message':
      return [interactive.action.parameters?.thumbnail_product_retailer_id ?? []].flat()
    default:
      return []
  }
}

/** What her phone shows under the words of it; touching it answers (`WabaCustomer.press`). */
export const shownRequest = (interactive: OutboundInteractive): Partial<Line> => {
  const footer = 'footer' in interactive ? footerOf.safeParse(interactive.footer).data?.text : undefined
  const words = { text: interactive.body?.text, footer }
  const buttons = (...titles: [string, string][]) => ({
    ...words,
    buttons: titles.map(([id, title]) => ({ id, title })),
  })
  switch (interactive.type) {
    case 'location_request_message':
      return buttons(['place', 'Enviar localização'])
    case 'flow':
      return buttons(['flow', interactive.action.parameters.flow_cta])
    case 'address_message':
      return buttons(['address', 'Informar endereço'])
    case 'catalog_message':
      return buttons(['catalog', 'Ver catálogo'])
    case 'product':
    case 'product_list':
      return buttons(...productsOf(interactive).map((id): [string, string] => [`product:${id}`, `Pedir ${id}`]))
    default:
      return words
  }
}
const footerOf = z.object({ text: z.string() })
