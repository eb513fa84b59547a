import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Tx, withTenant } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { channelConfig, forgetConnections } from '../features/channels/connections/context.ts'

export const demoWuzapi = {
  adminToken: 'demo-admin-wuzapi-0001',
  token: 'demo-token-wuzapi-0001',
  phone: '5511930005000',
}
export const demoBaileys = { phone: '5511930006000', profileName: 'Loja Aurora' }

type Simulators = Record<'wuzapi' | 'baileys', string>
/** The shop's phones behind WuzAPI and by QR code. */
export const seedPhones = async (
  tx: Tx,
  shared: Omit<typeof connections.$inferInsert, 'id' | 'kind' | 'name' | 'config' | 'abilities'>,
  simulators: Simulators,
) => {
  const [wuzapi, baileys] = [v7(), v7()]
  await tx.db.insert(connections).values([
    {
      ...shared,
      id: wuzapi,
      kind: 'wuzapi',
      name: 'WhatsApp do estoque',
      abilities: abilitiesOf('wuzapi', {}),
      config: channelConfig.wuzapi.seal(wuzapi, { baseUrl: simulators.wuzapi, token: demoWuzapi.token }),
    },
    {
      ...shared,
      id: baileys,
      kind: 'baileys',
      name: 'WhatsApp das revendedoras',
      usesSession: true,
      stoppedAt: new Date(), // until the product is open: its session loads a library of a second or two
      abilities: abilitiesOf('baileys', {}),
      config: channelConfig.baileys.seal(baileys, { deviceName: 'Balcão', server: simulators.baileys }),
    },
  ])
  return [
    { id: wuzapi, kind: 'wuzapi' as const },
    { id: baileys, kind: 'baileys' as const },
  ]
}

/** The phone by QR code connects. */
export const startPhone = async () => {
  await withTenant(1, (tx) =>
    tx.db
      .update(connections)
      .set({ stoppedAt: null })
      .where(and(eq(connections.tenantId, 1), eq(connections.kind, 'baileys'))),
  )
  forgetConnections()
}
