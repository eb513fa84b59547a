import { z } from 'zod'
import { type IntegrationKind, integrations } from '../core/integrations/index.ts'
import type { FieldMeta } from '../core/providers/define.ts'
import { fieldsOf } from '../core/providers/fields.ts'
import { type ChannelKind, channelKinds, channels } from './index.ts'

/** Whose server a connection stands on, where it names none itself. */
export const hosts = ['company', 'installation'] as const
export type Host = (typeof hosts)[number]
export const hostLabels: Record<Host, string> = { company: 'da empresa', installation: 'da instalação' }

type OfGateways = {
  [K in IntegrationKind]: (typeof integrations)[K]['family'] extends 'gateway' ? K : never
}[IntegrationKind]
/** Kinds whose server may be set up once, as an integration of the same name: the company's, or the installation's. */
export type GatewayKind = Extract<ChannelKind, OfGateways>
const families: Partial<Record<string, { family: string }>> = integrations
export const isGateway = (kind: string): kind is GatewayKind => families[kind]?.family === 'gateway'
export const gatewayKinds = channelKinds.filter(isGateway) as [GatewayKind, ...GatewayKind[]] // there are some

/** Those that the installation may lend to every company. */
export const lentKinds = gatewayKinds.filter((kind) => {
  const definition: { isOneCompanys?: true } = integrations[kind]
  return !definition.isOneCompanys
})

/** What is left to be said of a connection that stands on such a server. On everybody's server nobody names an instance. */
export const configOn = (kind: ChannelKind, host: Host | null): z.ZodObject => {
  const config: z.ZodObject = channels[kind].config
  if (!host || !isGateway(kind)) return config
  const lent = Object.keys(integrations[kind].config.shape)
  const made = host === 'installation' ? madeByUs(kind, [true]) : []
  const left = Object.entries(config.shape).filter(([name]) => ![...lent, ...made].includes(name))
  return z.object(Object.fromEntries(left))
}

/** What names an instance on its server, and means nothing on another. */
export const madeByUs = (kind: ChannelKind, ways: FieldMeta['isMadeByUs'][] = [true, 'unlessProven']): string[] =>
  fieldsOf(channels[kind].config).flatMap(({ name, isMadeByUs }) =>
    isMadeByUs && ways.includes(isMadeByUs) ? name : [],
  )

/** GET /gateways: where a new connection of this kind may stand. */
export const gateway = z.object({
  kind: z.enum(gatewayKinds),
  /** The company's own, as its last test or use left it; null: none. */
  company: z.object({ id: z.uuid(), state: z.enum(['unchecked', 'working', 'broken']) }).nullable(),
  /** The installation has one for everybody. */
  installation: z.boolean(),
})
export type Gateway = z.output<typeof gateway>
