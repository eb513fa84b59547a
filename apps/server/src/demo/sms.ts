import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import type { SmsSimulator } from '@balcao/simulators/sms.ts'
import { and, eq, isNotNull } from 'drizzle-orm'
import { v7 } from 'uuid'
import { hookUrl } from '../channels/sms/driver.ts'
import { type Tx, withTenant } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { contacts } from '../db/schema/contacts/contacts.ts'
import { env } from '../env.ts'
import { channelConfig } from '../features/channels/connections/context.ts'

export const demoSms = { provider: 'smsdev', key: 'demo-chave-smsdev-0001', credits: 1_200 } as const

type Shared = Omit<typeof connections.$inferInsert, 'id' | 'kind' | 'name' | 'config' | 'abilities'>
/** The shop's account at a provider of SMS. */
export const seedSms = async (tx: Tx, shared: Shared, baseUrl: string) => {
  const id = v7()
  const config = { provider: demoSms.provider, smsdevKey: demoSms.key, isPlain: false, price: '0,09', baseUrl }
  await tx.db.insert(connections).values({
    ...shared,
    id,
    kind: 'sms',
    name: 'SMS da loja',
    abilities: abilitiesOf('sms', config),
    config: channelConfig.sms.seal(id, config),
  })
}

/** Whom the shop knows from WhatsApp writes by SMS: the contact is one. */
export const writeTexts = async (sms: SmsSimulator) => {
  const [known] = await withTenant(1, (tx) =>
    tx.db
      .select({ phone: contacts.number })
      .from(contacts)
      .where(and(eq(contacts.tenantId, 1), isNotNull(contacts.number), eq(contacts.isGroup, false)))
      .orderBy(contacts.name)
      .limit(1),
  )
  if (known?.phone) await sms.customer({ phone: known.phone }).sendText('Estou sem internet. Meu pedido ja saiu?')
}

/** What somebody does in the provider's panel. */
export const pasteAddress = async (sms: SmsSimulator) => {
  const [row] = await withTenant(1, (tx) =>
    tx.db
      .select({ id: connections.id, hookSecret: connections.hookSecret })
      .from(connections)
      .where(and(eq(connections.tenantId, 1), eq(connections.kind, 'sms'))),
  )
  if (row) sms.setHook(hookUrl({ webhookUrl: `${env.PUBLIC_URL}/hooks/sms/${row.id}`, hookSecret: row.hookSecret }))
}
