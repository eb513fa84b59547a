import { configOn, type Host, isGateway, madeByUs } from '@balcao/contract/channels/hosts.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import type { Config } from '../../../kit/sealed-config.ts'
import { gatewayOf, platformTenant } from '../../core/integrations/gateways.ts'

/** Whose connection of which kind, and the server it stands on; null: the one its config names. */
export type Standing = { tenantId: number; kind: ChannelKind; host: Host | null }

/** What such a connection has from the server it stands on: its address, and what its administrator is known by. */
export const lentBy = async ({ tenantId, kind, host }: Standing): Promise<Config> => {
  if (!host) return {}
  const config = isGateway(kind) && (await gatewayOf(host === 'company' ? tenantId : platformTenant, kind))
  if (config) return config
  throw new AppError('ERR_WAPP_NOT_INITIALIZED', {
    message: 'O servidor deste canal não existe mais. Escolha outro em Editar.',
  })
}

/** There is such a server, and what is said to its administrator passes nobody else on the way. */
export const checkHost = async ({ tenantId, kind, host }: Standing, proxyId: string | null): Promise<void> => {
  if (!host) return
  if (!isGateway(kind) || !(await gatewayOf(host === 'company' ? tenantId : platformTenant, kind)))
    throw fieldErrors({ path: 'host', message: 'Este servidor não existe. Escolha outro.' })
  if (host === 'installation' && proxyId)
    throw fieldErrors({ path: 'proxyId', message: 'O servidor da instalação é alcançado sem proxy.' })
}

/** What of a config is the connection's own, and stays with it. */
export const ownPart = ({ kind, host }: Pick<Standing, 'kind' | 'host'>, config: Config): Config => {
  if (!host) return config
  const own = { ...configOn(kind, 'company').shape }
  return Object.fromEntries(Object.entries(config).filter(([name]) => name in own))
}

/** What somebody may say of it: on everybody's server no instance is named, it would be anybody's. */
export const sayable = ({ kind, host }: Pick<Standing, 'kind' | 'host'>, given: Config): Config => {
  const { shape } = configOn(kind, host)
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in shape))
}

/** On another server nothing is called what it was on this one. */
export const withoutInstance = (kind: ChannelKind, stored: Config): Config => {
  const made = madeByUs(kind)
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !made.includes(name)))
}
