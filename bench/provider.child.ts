import { startWabaSimulator, type WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Order, Told } from './provider.ts'

const tell = (told: Told) => void process.send?.(told)
let sim: WabaSimulator | undefined

process.on('message', async (order: Order) => {
  if ('start' in order) {
    sim = await startWabaSimulator(order.start)
    sim.addTemplate(order.template)
    tell({ url: sim.url })
  } else if ('webhook' in order) sim?.setWebhook(order.webhook)
  else {
    const sends = sim?.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages')) ?? []
    tell({ sendsAtMs: sends.map(({ at }) => at) })
  }
})
process.on('disconnect', () => process.exit())
