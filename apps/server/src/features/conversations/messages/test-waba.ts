import { startWabaSimulator } from '@balcao/simulators/waba.ts'
import { afterAll } from 'vitest'
import type { Kit } from '../../../../test/kit.ts'

let nextNumber = 1

/** A WhatsApp number of a simulated Meta, connected to the real application over real HTTP. For tests. */
export const startWaba = async (kit: Kit, tenant: { tenantId: number }) => {
  // As long whatever the process is numbered: what is made of it has a least length.
  const phoneNumberId = `10${String(process.pid).padStart(8, '0')}${nextNumber++}`
  const secrets = {
    appSecret: `app-secret-${phoneNumberId}`,
    verifyToken: `verify-${phoneNumberId}`,
    accessToken: `access-token-${phoneNumberId}`,
  }
  const sim = await startWabaSimulator({
    ...secrets,
    phoneNumberId,
    wabaId: '2001',
    displayPhoneNumber: '+55 11 4000-1000',
    delivery: { retryDelaysMs: [200, 200, 200] },
  })
  afterAll(() => sim.close())
  const connectionId = await kit.createConnection(tenant, {
    kind: 'waba',
    externalId: phoneNumberId,
    config: { ...secrets, phoneNumberId, wabaId: '2001', apiVersion: 'v25.0', baseUrl: sim.url },
  })
  if (!kit.app.server.listening) await kit.app.listen({ host: '127.0.0.1', port: 0 })
  const address = kit.app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  sim.setWebhook(`http://127.0.0.1:${port}/hooks/waba/${connectionId}`)
  return { sim, connectionId, phoneNumberId, url: `http://127.0.0.1:${port}` }
}

/** Waits for what a user would wait for. */
export const until = async <T>(look: () => Promise<T | undefined | false>, ms = 5_000): Promise<T> => {
  const end = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error('Waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}
