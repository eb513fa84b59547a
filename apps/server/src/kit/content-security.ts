import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

/** What a page may load, and from where: each source is one of our own words or one whole origin. */
export type Policy = { [directive: string]: readonly string[] }

/** Everything the configuration lets a browser reach beside ourselves. */
export type Configured = {
  publicUrl: string
  /** Servers of calls: a page speaks to them and plays what they send. */
  voice?: readonly string[]
}

/** The staff's pages. What a setting adds is the origin it names: never a wildcard, never a scheme alone. */
export const appPolicy = ({ publicUrl, voice = [] }: Configured): Policy => ({
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'media-src': ["'self'", 'blob:'],
  'font-src': ["'self'", 'data:'],
  // Safari before 15.4 does not count the socket of our own address as 'self'.
  'connect-src': ["'self'", originOf(publicUrl.replace(/^http/, 'ws')), ...voice.map(originOf)],
  'worker-src': ["'self'"],
  'frame-src': ["'self'"],
  'frame-ancestors': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'self'"],
  'object-src': ["'none'"],
})

/** The web chat's window, alone in the frame of a customer's site. */
export const framePolicy = ({ publicUrl }: Configured, ancestors: readonly string[]): Policy => ({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'connect-src': ["'self'", originOf(publicUrl.replace(/^http/, 'ws'))],
  'img-src': ["'self'", 'data:', 'blob:'],
  'media-src': ["'self'", 'blob:'],
  'font-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  // Last, and the only one that names other sites: whoever runs the chat says which may show it.
  'frame-ancestors': ancestors,
})

export const policyText = (policy: Policy): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')

/** The headers of every answer, made once: they are the same for all of them. */
export const securityHeaders = (publicUrl: string): Record<string, string> => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: appPolicy({ publicUrl }) },
    crossOriginEmbedderPolicy: false,
    hsts: publicUrl.startsWith('https:'),
  })(response.req, response, () => undefined)
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}

const originOf = (address: string): string => {
  const { protocol, host, hostname } = new URL(address)
  if (!/^(https?|wss?):$/.test(protocol) || hostname === '' || hostname.includes('*'))
    throw new Error(`${address} is not an origin a page may reach`)
  return `${protocol}//${host}`
}
