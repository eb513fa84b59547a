import type { Identity } from '../protocol.ts'

type Told = { name?: string; email?: string; phone?: string }

/** What the page says of its visitor, by itself or inside its token: enough not to ask again. The server alone believes it. */
export const toldBy = (identity: Identity | null): Told => {
  if (!identity?.jwt) return identity ?? {}
  const claims = claimsOf(identity.jwt)
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : undefined)
  return { name: text('name'), email: text('email'), phone: text('phone') ?? text('phone_number') }
}

const claimsOf = (jwt: string): Record<string, unknown> => {
  try {
    const part = jwt.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    const bytes = Uint8Array.from(atob(part), (sign) => sign.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return { ...Object(claims) }
  } catch {
    return {}
  }
}
