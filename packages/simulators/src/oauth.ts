import { createHash, randomUUID } from 'node:crypto'
import { createSimulator, type Simulator, type SimulatorCore, type SimulatorOptions } from './simulator.ts'

export type OAuthSimulator = Simulator & {
  readonly client: { clientId: string; clientSecret: string; authorizeUrl: string; tokenUrl: string }
  /** The owner says yes, as their browser would: where it is sent back to. */
  consent(authorizeUrl: string): string
  /** The owner takes the consent back at the provider. */
  revoke(): void
  /** Access tokens that would be accepted now. */
  readonly living: ReadonlySet<string>
  /** How long the next access tokens live, in seconds. */
  lifeS: number
}

/** What stands behind the consent: its routes ask whether a bearer's token lives. */
type Behind = (app: SimulatorCore['app'], isAlive: (authorization: string | undefined) => boolean) => void
type Code = { challenge: string; redirectUri: string }

/** An OAuth 2 provider (RFC 6749, PKCE): codes and refresh tokens are used once; a second use ends the consent. */
export const startOAuthSimulator = async ({
  routes,
  ...options
}: SimulatorOptions & { routes?: Behind } = {}): Promise<OAuthSimulator> => {
  const core = await createSimulator(options)
  const clientId = 'balcao.apps.example.com'
  const clientSecret = 'segredo-do-aplicativo'
  const codes = new Map<string, Code>()
  const refreshTokens = new Set<string>()
  const living = new Set<string>()
  let lifeS = 3_600

  const grant = () => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    living.clear()
    living.add(access)
    refreshTokens.add(refresh)
    return { access_token: access, refresh_token: refresh, expires_in: lifeS, token_type: 'Bearer' }
  }
  core.app.post('/token', async (request, reply) => {
    const fields = request.body as Record<string, string>
    const refuse = (error: string) => reply.code(400).send({ error })
    if (fields.client_id !== clientId || fields.client_secret !== clientSecret) return refuse('invalid_client')
    if (fields.grant_type === 'refresh_token') {
      const isKnown = refreshTokens.delete(fields.refresh_token ?? '')
      if (!isKnown) refreshTokens.clear()
      return isKnown ? grant() : refuse('invalid_grant')
    }
    const code = codes.get(fields.code ?? '')
    codes.delete(fields.code ?? '')
    const proof = createHash('sha256')
      .update(fields.code_verifier ?? '')
      .digest('base64url')
    const isProven = code?.challenge === proof && code.redirectUri === fields.redirect_uri
    return isProven ? grant() : refuse('invalid_grant')
  })
  routes?.(core.app, (authorization) => living.has(authorization?.replace(/^Bearer /, '') ?? ''))
  await core.listen()

  return Object.assign(core, {
    client: { clientId, clientSecret, authorizeUrl: `${core.url}/authorize`, tokenUrl: `${core.url}/token` },
    living,
    consent: (authorizeUrl: string) => {
      const { searchParams } = new URL(authorizeUrl)
      const [code, redirectUri] = [randomUUID(), searchParams.get('redirect_uri') ?? '']
      codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', redirectUri })
      const back = new URL(redirectUri)
      back.searchParams.set('state', searchParams.get('state') ?? '')
      back.searchParams.set('code', code)
      return back.href
    },
    revoke: () => {
      refreshTokens.clear()
      living.clear()
    },
    get lifeS() {
      return lifeS
    },
    set lifeS(seconds: number) {
      lifeS = seconds
    },
  })
}
