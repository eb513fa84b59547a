import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { channelConfig } from '../features/channels/connections/context.ts'

/** The shop's page and its Instagram account, which one app of Meta's serves. */
const app = { appSecret: 'demo-segredo-do-app-0001', verifyToken: 'balcao-demo' }
export const demoMessenger = {
  ...app,
  accountId: '100700800900',
  accessToken: 'demo-token-da-pagina-0001',
  name: 'Loja Aurora',
}
export const demoInstagram = {
  ...app,
  accountId: '17841400100200300',
  pageId: demoMessenger.accountId,
  accessToken: 'demo-token-da-pagina-0001',
  name: 'Loja Aurora',
  username: 'lojaaurora',
}

type Shared = Pick<typeof connections.$inferInsert, 'tenantId' | 'status' | 'statusText' | 'hookSecret' | 'queueId'>
export const seedPages = async (tx: Tx, shared: Shared, simulators: Record<'messenger' | 'instagram', string>) => {
  const messenger = { id: v7(), kind: 'messenger' as const, account: demoMessenger.accountId }
  const instagram = { id: v7(), kind: 'instagram' as const, account: demoInstagram.accountId }
  const { accessToken } = demoMessenger
  const common = { ...app, accessToken, apiVersion: 'v25.0', humanAgent: true }
  const configs = {
    messenger: { ...common, pageId: messenger.account, baseUrl: simulators.messenger },
    instagram: {
      ...common,
      login: 'page',
      pageId: demoInstagram.pageId,
      instagramId: instagram.account,
      baseUrl: simulators.instagram,
    },
  }
  await tx.db.insert(connections).values(
    [messenger, instagram].map(({ id, kind, account }) => ({
      ...shared,
      id,
      kind,
      name: kind === 'messenger' ? 'Página no Facebook' : 'Instagram da loja',
      abilities: abilitiesOf(kind, configs[kind]),
      externalId: account,
      config: channelConfig[kind].seal(id, configs[kind]),
    })),
  )
  return [messenger, instagram]
}
