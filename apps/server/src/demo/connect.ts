import type { BaileysSimulator } from '@balcao/simulators/baileys.ts'
import type { EvolutionSimulator } from '@balcao/simulators/evolution.ts'
import type { MailSimulator } from '@balcao/simulators/mail.ts'
import type { PageSimulator } from '@balcao/simulators/meta.ts'
import type { SmsSimulator } from '@balcao/simulators/sms.ts'
import type { TelegramSimulator } from '@balcao/simulators/telegram.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { WuzapiSimulator } from '@balcao/simulators/wuzapi.ts'
import type { ZapiSimulator } from '@balcao/simulators/zapi.ts'
import { and, eq, inArray, isNull, max, not } from 'drizzle-orm'
import { withTenant } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { contactIdentities, contacts } from '../db/schema/contacts/contacts.ts'
import { tickets } from '../db/schema/conversations/tickets.ts'
import { testConnection } from '../features/channels/connections/connections.service.ts'
import { demoGroup } from './group.ts'
import { playGroups } from './group-rules.ts'
import { demoBaileys } from './phones.ts'
import { pasteAddress } from './sms.ts'

type Simulators = {
  waba: WabaSimulator
  messenger: PageSimulator
  instagram: PageSimulator
  telegram: TelegramSimulator
  evolution: EvolutionSimulator
  zapi: ZapiSimulator
  wuzapi: WuzapiSimulator
  baileys: BaileysSimulator
  sms: SmsSimulator
  mail: MailSimulator
}

/** Brings the simulators, which forget everything when they stop, in step with the stored companies. */
export const connectSimulators = async (simulators: Simulators) => {
  const rows = await withTenant(1, (tx) =>
    tx.db
      .select({ id: connections.id })
      .from(connections)
      .where(and(eq(connections.tenantId, 1), isNull(connections.deletedAt), not(connections.usesSession))),
  )
  await Promise.all(rows.map(({ id }) => testConnection(1, id)))
  // These two stand as phones linked long ago; the third shows its code to whoever opens it.
  for (const { ownPhoneLink } of [simulators.evolution, simulators.zapi])
    if (ownPhoneLink?.isAwaited()) await ownPhoneLink.scan()
  await remindOfCustomers(simulators)
  await pasteAddress(simulators.sms)
  linkOnce(simulators.baileys)
  playGroups('wuzapi', simulators.wuzapi)
}

/** Its session opens a moment later, and shows a code where nobody has linked it yet. */
const linkOnce = (baileys: BaileysSimulator) => {
  const members = demoGroup.members.map(({ name, number }) => baileys.customer({ name, phone: number }))
  const own = baileys.customer({ name: demoBaileys.profileName, phone: demoBaileys.phone })
  baileys.group(demoGroup.name, [...members, own])
  playGroups('baileys', baileys)
  const { ownPhoneLink } = baileys
  const scan = () => {
    if (!ownPhoneLink.isAwaited()) return
    stop()
    void ownPhoneLink.scan()
  }
  const stop = baileys.onChange(scan)
  scan()
}

/** Who has written before: the 24 h window and the bot's right to speak follow from it. */
const remindOfCustomers = async ({ waba, messenger, instagram, telegram, mail, sms, ...gateways }: Simulators) => {
  const known = await withTenant(1, (tx) =>
    tx.db
      .select({
        channel: connections.kind,
        kind: contactIdentities.kind,
        value: contactIdentities.value,
        name: contacts.name,
        at: max(tickets.lastInboundAt),
      })
      .from(contactIdentities)
      .innerJoin(contacts, and(eq(contacts.tenantId, 1), eq(contacts.id, contactIdentities.contactId)))
      .innerJoin(tickets, and(eq(tickets.tenantId, 1), eq(tickets.contactId, contacts.id)))
      .innerJoin(connections, and(eq(connections.tenantId, 1), eq(connections.id, tickets.connectionId)))
      .where(
        and(
          eq(contactIdentities.tenantId, 1),
          inArray(contactIdentities.kind, ['phone', 'telegram', 'messenger', 'instagram', 'email']),
        ),
      )
      .groupBy(connections.kind, contactIdentities.kind, contactIdentities.value, contacts.name),
  )
  for (const { channel, kind, value, name, at } of known) {
    if (kind === 'telegram') {
      // Groups and their topics stand among them.
      if (Number(value) > 0) telegram.customer({ id: Number(value), firstName: name }).hasStarted = true
    } else if (kind === 'messenger' || kind === 'instagram') {
      const person = { messenger, instagram }[kind].customer({ id: value.split(':')[1], name })
      person.lastInboundAt = at?.getTime()
    } else if (kind === 'email') mail.customer({ address: value, name })
    else if (channel === 'sms') sms.customer({ phone: value })
    else if (isGateway(channel)) gateways[channel].customer({ phone: value, name })
    else if (channel === 'waba') waba.customer({ waId: value, name }).lastInboundAt = at?.getTime()
  }
}
const gatewayKinds = ['evolution', 'zapi', 'wuzapi', 'baileys'] as const
const isGateway = (kind: string): kind is (typeof gatewayKinds)[number] => gatewayKinds.some((one) => one === kind)
