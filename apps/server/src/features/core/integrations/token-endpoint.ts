import { z } from 'zod'
import { http } from '../../../kit/egress.ts'

const answer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.coerce.number().positive().catch(3_600),
})
const refusal = z.object({ error: z.string() })

export type Tokens = { access: string; refresh: string | undefined; expiresAt: Date }
/** `lost`: the consent is gone, and only its owner can give it again. `away`: ask again later. */
export type Granted = { tokens: Tokens } | { problem: 'lost' | 'away' }

/** RFC 6749: a code or a refresh token for an access token. */
export const askForTokens = async (
  { tokenUrl, clientId, clientSecret }: { tokenUrl: string; clientId: string; clientSecret: string },
  fields: Record<string, string>,
): Promise<Granted> => {
  const body = new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  const reply = await http(tokenUrl, { method: 'POST', body, headers, maxBytes: 100_000 }).catch(() => undefined)
  const granted = reply?.status === 200 ? answer.safeParse(reply.json()).data : undefined
  if (granted) {
    const { access_token: access, refresh_token: refresh, expires_in } = granted
    return { tokens: { access, refresh, expiresAt: new Date(Date.now() + expires_in * 1_000) } }
  }
  const isLost = refusal.safeParse(reply?.json()).data?.error === 'invalid_grant'
  return { problem: isLost ? 'lost' : 'away' }
}
