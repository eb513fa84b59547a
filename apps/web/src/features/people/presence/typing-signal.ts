import { api } from '../../../kit/api.ts'
import { tell } from '../../../kit/socket.ts'

const quietAfterMs = 4_000
const customerEveryMs = 8_000

/**
 * Says "está digitando" to colleagues while keys are pressed and, where the channel can, to the customer; of a note,
 * never to the customer.
 */
export const createTypingSignal = (ticketId: string, tellsCustomer: boolean) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isForCustomer = false
  let toldCustomerAt = 0
  const stop = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    tell('ticket.typing', { ticketId, isTyping: false })
  }
  const press = (isToCustomer: boolean) => {
    if (timer === undefined || isForCustomer !== isToCustomer)
      tell('ticket.typing', { ticketId, isTyping: true, isNote: !isToCustomer })
    isForCustomer = isToCustomer
    clearTimeout(timer)
    timer = setTimeout(stop, quietAfterMs)
    if (!isForCustomer || !tellsCustomer || Date.now() - toldCustomerAt < customerEveryMs) return
    toldCustomerAt = Date.now()
    void api.post(`/messages/${ticketId}/typing`, {}, { quiet: true }).catch(() => undefined) // a courtesy
  }
  return { press, stop }
}
