import { orderText } from '@balcao/contract/conversations/answers.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { withProductNames } from '../../conversations/messages/order-products.ts'
import type { Arrival } from './arrivals.ts'

/** The words of an order say what its products are called: a search, an export and a flow read nothing else. */
export const nameProducts = (connection: OpenConnection, arrivals: Arrival[]): Promise<Arrival[]> | Arrival[] =>
  arrivals.some(({ event }) => event.content.order)
    ? Promise.all(arrivals.map((arrival) => named(connection, arrival)))
    : arrivals

const named = async (connection: OpenConnection, arrival: Arrival): Promise<Arrival> => {
  const { event } = arrival
  const { content } = event
  if (!content.order) return arrival
  const order = await withProductNames(connection, content.order)
  return { ...arrival, event: { ...event, content: { ...content, order, body: orderText(order) } } }
}
