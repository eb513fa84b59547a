import { createHmac } from 'node:crypto'
import type { ChannelConfig } from '@balcao/contract/channels/index.ts'
import type { webchatSession, webchatSessionBody } from '@balcao/contract/intake/webchat.ts'
import type { z } from 'zod'
import { env } from '../../../env.ts'
import { isSame } from '../../../kit/crypto.ts'
import { log } from '../../../kit/log.ts'
import { findConnection, findConnectionByChannelKey, type OpenConnection } from '../../channels/connections/context.ts'

/** A web chat as its window needs it: whose it is and what its administrator set. */
export type Webchat = { tenantId: number; id: string; config: WebchatConfig }
export type WebchatConfig = ChannelConfig<'webchat'>

export const findWebchat = async (by: { channelKey: string } | { id: string }): Promise<Webchat | undefined> => {
  const connection = await ('id' in by ? findConnection(by.id) : findConnectionByChannelKey(by.channelKey))
  return connection && isWebchat(connection)
    ? { tenantId: connection.tenantId, id: connection.id, config: connection.context.config }
    : undefined
}
const isWebchat = (connection: OpenConnection): connection is OpenConnection<'webchat'> => connection.kind === 'webchat'

/** `https://loja.com.br` against the list; the browser enforces the same list by frame-ancestors. */
export const isAllowedSite = (origin: string, config: WebchatConfig) => {
  if (config.allowAnyDomain) return true
  const { host, hostname } = URL.canParse(origin) ? new URL(origin) : { host: origin, hostname: origin }
  const isListed = (domain: string) =>
    domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : (isLocal(domain) ? hostname : host) === domain
  return host === new URL(env.PUBLIC_URL).host || config.domains.some(isListed)
}

/** A site under construction changes its port from day to day. */
const isLocal = (domain: string) => domain === 'localhost' || domain === '127.0.0.1'

/** Sources for `frame-ancestors`: the sites that may show the window; our own for the preview. */
export const frameAncestors = (config: WebchatConfig): string[] =>
  config.allowAnyDomain
    ? ['*']
    : ["'self'", ...config.domains.map(withPorts).flatMap((domain) => [`https://${domain}`, `http://${domain}`])]

const withPorts = (domain: string) => (isLocal(domain) ? `${domain}:*` : domain)

type Identity = z.output<typeof webchatSessionBody>['identity']
/** Who the site says this is, only when its server signed it; everybody else is anonymous, and may write all the same. */
export const verifiedIdOf = (identity: Identity, webchat: Webchat): string | null => {
  const { identitySecret } = webchat.config
  if (!identity?.hmac) return null
  const expected = identitySecret && createHmac('sha256', identitySecret).update(identity.id).digest('hex')
  if (expected && isSame(identity.hmac.toLowerCase(), expected)) return identity.id
  log.warn({ tenantId: webchat.tenantId, connectionId: webchat.id }, 'web chat identity refused')
  return null
}

/** What the window looks like and asks for. */
export const windowConfig = (
  config: WebchatConfig,
  now: { isOnline: boolean; isKnown: boolean; maxBytes: number },
): z.output<typeof webchatSession>['config'] => {
  const fields = [
    ...(config.askName ? [{ key: 'name' as const, label: 'Seu nome', required: true }] : []),
    ...(config.askEmail ? [{ key: 'email' as const, label: 'Seu e-mail', required: true }] : []),
    ...(config.askPhone ? [{ key: 'phone' as const, label: 'Seu telefone', required: false }] : []),
  ]
  return {
    name: config.title,
    color: config.color,
    welcome: config.welcome,
    position: config.position,
    offlineText: config.offlineText,
    isOnline: now.isOnline,
    uploads: { enabled: config.uploads, maxBytes: now.maxBytes },
    preChat: { enabled: !now.isKnown && fields.length > 0, fields },
  }
}
