import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import type { HubSimulator } from '@balcao/simulators/hub.ts'
import { v7 } from 'uuid'
import { hub } from '../channels/hub/adapter.ts'
import type { Tx } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { integrations } from '../db/schema/core/integrations.ts'
import { channelConfig } from '../features/channels/connections/context.ts'
import { integrationConfig } from '../features/core/integrations/integrations.service.ts'

const olx = { id: '3f0c1b7a-0d52-4c9d-8d8e-demo0000olx1', name: 'Loja Aurora · anúncios', channel: 'olx' as const }
export const demoHub = {
  token: 'demo-token-notificame-0001',
  businessName: 'Loja Aurora',
  channels: [
    olx,
    {
      id: '3f0c1b7a-0d52-4c9d-8d8e-demo000tiktk',
      name: 'Loja Aurora',
      channel: 'tiktok' as const,
      username: 'lojaaurora',
    },
    {
      id: '3f0c1b7a-0d52-4c9d-8d8e-demo000whats',
      name: 'Loja Aurora',
      channel: 'whatsapp' as const,
      phone: '+55 11 4003-7000',
    },
  ],
}

/** Somebody asks about an advert. */
export const writeAdvert = async (hub: HubSimulator) => {
  const buyer = hub.customer({ id: '8812047731', name: 'Otávio Ramos', channel: olx.id })
  await buyer.sendText('Boa tarde! O aparador de madeira do anúncio ainda está à venda?')
  await buyer.sendText('Consigo retirar no sábado.')
}

type Shared = Omit<typeof connections.$inferInsert, 'id' | 'kind' | 'name' | 'config' | 'abilities'>
/** The shop's account at NotificaMe with one of its channels; the others wait to be connected. */
export const seedHub = async (tx: Tx, shared: Shared, baseUrl: string) => {
  const [account, id] = [v7(), v7()]
  await tx.db.insert(integrations).values({
    tenantId: tx.tenantId,
    id: account,
    family: 'gateway',
    kind: 'hub',
    name: 'NotificaMe',
    config: integrationConfig.hub.seal(account, { token: demoHub.token, baseUrl }),
  })
  const own = { channel: olx.channel, channelToken: olx.id, hearsOut: false }
  const whole = { ...own, subject: '', token: demoHub.token, baseUrl }
  await tx.db.insert(connections).values({
    ...shared,
    id,
    kind: 'hub',
    name: 'Anúncios na OLX',
    host: 'company',
    abilities: abilitiesOf('hub', own),
    externalId: hub.accountOf?.(whole)?.id,
    config: channelConfig.hub.seal(id, own),
  })
}
