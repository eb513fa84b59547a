import { type IntegrationKind, integrationKinds, integrations } from '@balcao/contract/core/integrations/index.ts'
import { z } from 'zod'
import { env } from '../../../env.ts'
import { AppError } from '../../../kit/errors.ts'
import { sealedConfig } from '../../../kit/sealed-config.ts'
import type { IntegrationRow } from './integrations.queries.ts'

/** Who we are at a provider, and where its consent page and its tokens are. */
export type OAuthClient = { clientId: string; clientSecret: string; authorizeUrl: string; tokenUrl: string }

/** The client of the installation; its secret goes to the provider's own address alone. */
const installationClient = (kind: IntegrationKind): OAuthClient | undefined => {
  if ((kind === 'gmail' || kind === 'googleCalendar') && env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET) {
    const { authorizeUrl, tokenUrl } = integrations[kind].config.shape
    return {
      clientId: env.GOOGLE_CLIENT_ID,
      clientSecret: env.GOOGLE_CLIENT_SECRET,
      authorizeUrl: authorizeUrl.parse(undefined),
      tokenUrl: tokenUrl.parse(undefined),
    }
  }
  if (kind === 'microsoft' && env.MICROSOFT_CLIENT_ID && env.MICROSOFT_CLIENT_SECRET)
    return {
      clientId: env.MICROSOFT_CLIENT_ID,
      clientSecret: env.MICROSOFT_CLIENT_SECRET,
      authorizeUrl: `${env.MICROSOFT_AUTHORITY}/authorize`,
      tokenUrl: `${env.MICROSOFT_AUTHORITY}/token`,
    }
  return undefined
}

export const hasInstallationClient = (kind: IntegrationKind) => installationClient(kind) !== undefined
/** Kinds of account a company connects without a client of its own. */
export const kindsWithClient = () => integrationKinds.filter(hasInstallationClient)

/** The company's own client, or the installation's. Throws ERR_NO_OAUTH_CLIENT where there is none any more. */
export const clientOf = ({ id, kind, config }: IntegrationRow): OAuthClient => {
  const open = fields.parse(sealedConfig(integrations[kind].config).open(id, config))
  if (open.ownClient) return own.parse(open)
  const client = installationClient(kind)
  if (!client) throw new AppError('ERR_NO_OAUTH_CLIENT')
  return client
}
const own = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  authorizeUrl: z.string(),
  tokenUrl: z.string(),
})
const fields = own.partial().extend({ ownClient: z.boolean() })
