import type { ChannelConfig } from '@balcao/contract/channels/index.ts'
import { windowLook } from '@balcao/contract/channels/webchat-look.ts'
import { isOpenAt } from '@balcao/contract/core/business-hours.ts'
import { env } from '../../../env.ts'
import { findConnection, findConnectionByChannelKey, type OpenConnection } from '../../channels/connections/context.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { pictureUrl } from '../../core/media/media.present.ts'
import { canMailCompany } from '../../people/mail/transport.ts'
import { readHelp } from '../../service/quick-messages/help.ts'

/** A web chat as its window needs it: whose it is and what its administrator set. */
export type Webchat = { tenantId: number; id: string; channelKey: string; config: WebchatConfig }
/** No larger file of a visitor, whatever a web chat allows. */
export const uploadMaxBytes = Math.min(env.MEDIA_MAX_MB, 10) * 1024 * 1024

export type WebchatConfig = ChannelConfig<'webchat'>

export const findWebchat = async (by: { channelKey: string } | { id: string }): Promise<Webchat | undefined> => {
  const connection = await ('id' in by ? findConnection(by.id) : findConnectionByChannelKey(by.channelKey))
  return connection && isWebchat(connection)
    ? {
        tenantId: connection.tenantId,
        id: connection.id,
        channelKey: connection.channelKey ?? '',
        config: connection.context.config,
      }
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

/** What the window looks like and asks for, in the language of whoever reads it. */
export const readLook = async (webchat: Pick<Webchat, 'tenantId' | 'config'>, wanted: string | undefined) => {
  const { logoMediaId } = await getDirectory(webchat.tenantId)
  const look = windowLook(webchat.config, {
    wanted,
    maxBytes: uploadMaxBytes,
    logoUrl: logoMediaId && pictureUrl(webchat.tenantId, logoMediaId, 'anyone'),
  })
  return {
    ...look,
    hasHelp: (await helpOf(webchat)).length > 0,
    hasTranscript: await offersTranscript(webchat),
  }
}

/** The articles a visitor finds beside the conversation. */
export const helpOf = async ({ tenantId, config }: Pick<Webchat, 'tenantId' | 'config'>) =>
  config.helpArticles ? readHelp(tenantId) : []

/** Whether a visitor may have a copy by e-mail: set so, and somebody there to carry it. */
export const offersTranscript = async ({ tenantId, config }: Pick<Webchat, 'tenantId' | 'config'>) =>
  config.transcripts && (await canMailCompany(tenantId))

/** Whether the company is there now. */
export const isOnline = async (tenantId: number): Promise<boolean> => {
  const { settings, timezone } = await getDirectory(tenantId)
  return isOpenAt(settings.businessHours, settings.holidays, new Date(), timezone)
}
