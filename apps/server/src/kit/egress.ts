import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import ipaddr from 'ipaddr.js'
import type { Agent, FormData } from 'undici'
import { env } from '../env.ts'
import { AppError } from './errors.ts'

/** One outgoing call. `timeoutMs` covers the whole answer; more than `maxBytes` of it is refused. */
export type HttpRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer | FormData
  timeoutMs?: number
  maxBytes?: number
}
export type HttpAnswer = { status: number; headers: Record<string, string>; bytes: Buffer; json: () => unknown }

/** Talks to addresses a tenant typed. Private networks are refused at connect time; redirects are not followed. */
export type HttpClient = (url: string, request?: HttpRequest) => Promise<HttpAnswer>

/** The call did not come to an answer. `wasSent`: the other side may have acted on it. */
export class EgressError extends Error {
  readonly wasSent: boolean
  constructor(message: string, wasSent: boolean) {
    super(message)
    this.wasSent = wasSent
  }
}

type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** The door to the outside: `allow` are the hosts, addresses and CIDRs the installation's owner opened. */
export const createEgress = ({ allow, resolve = lookup }: { allow: string[]; resolve?: Resolve }) => {
  const hosts = new Set(allow.map((entry) => entry.toLowerCase()))
  const ranges = allow.flatMap((entry) => (ipaddr.isValidCIDR(entry) ? [ipaddr.parseCIDR(entry)] : []))

  /** True for addresses of the public internet, and those the installation's owner allowed. */
  const isReachable = (text: string, host: string) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text) // an IPv4 hidden in IPv6 is judged as IPv4
    if (isPublic(address) || hosts.has(host) || hosts.has(address.toString())) return true
    return ranges.some((range) => range[0].kind() === address.kind() && address.match(range))
  }

  /** Refuses an address by its form: other protocols, credentials inside, literal private addresses. Also for saving settings. */
  const check = (url: string): URL => {
    if (!URL.canParse(url)) throw refuse(url.slice(0, 100))
    const parsed = new URL(url) // decimal, octal and hexadecimal hosts come out as plain IPv4
    const host = hostOf(parsed)
    if (!['http:', 'https:'].includes(parsed.protocol) || parsed.username || parsed.password) throw refuse(host)
    if (ipaddr.isValid(host) && !isReachable(host, host)) throw refuse(host)
    if (/(^|\.)localhost\.?$/.test(host) && !isReachable('127.0.0.1', host)) throw refuse(host)
    return parsed
  }

  /** Names are resolved once, here, and the connection goes to the address that was checked. */
  const openDispatcher = (undici: typeof import('undici')) =>
    new undici.Agent({
      connections: 64,
      keepAliveTimeout: 30_000,
      connect: {
        timeout: 10_000,
        lookup: (hostname, options, callback) => {
          resolve(hostname, { ...options, all: true }, (error, addresses) => {
            if (error) return callback(error, [])
            const fine = addresses.filter((one) => isReachable(one.address, hostname))
            const [first] = fine
            if (!first) return callback(refuse(hostname), [])
            if (options.all) return callback(null, fine)
            callback(null, first.address, first.family)
          })
        },
      },
    })

  let dispatcher: Agent | undefined
  const http: HttpClient = async (
    url,
    { method = 'GET', headers = {}, body, timeoutMs = 20_000, maxBytes = 10_000_000 } = {},
  ) => {
    const address = check(url)
    let wasSent = false
    try {
      const undici = await import('undici') // a hundred modules that a start need not wait for
      dispatcher ??= openDispatcher(undici)
      const answer = await undici.request(address, {
        method,
        headers,
        body,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
      })
      wasSent = true
      const bytes = await readAtMost(answer.body, maxBytes)
      const flat = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')])
      return {
        status: answer.statusCode,
        headers: Object.fromEntries(flat),
        bytes,
        json: () => parseJson(bytes),
      }
    } catch (error) {
      if (error instanceof AppError || error instanceof EgressError) throw error
      throw new EgressError(error instanceof Error ? error.message : 'no answer', wasSent || !neverLeft(error))
    }
  }

  return { check, http }
}

const egress = createEgress({ allow: env.EGRESS_ALLOW })
export const checkEgressUrl = egress.check
export const http = egress.http

const refuse = (host: string) =>
  new AppError('ERR_EGRESS_REFUSED', { details: [{ path: 'url', message: `Endereço não permitido: ${host}` }] })

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** Outside 2000::/3 no IPv6 is on the internet: `::127.0.0.1`, site-local and what is not given out yet. */
const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6) => {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'))
}

const readAtMost = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new EgressError('answer too large', true)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Failures before a byte of the request was written: the name, the connection or the certificate. */
const neverLeft = (error: unknown): boolean => {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverLeft)
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  const syscall = 'syscall' in error ? error.syscall : undefined
  return (
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    /^ERR_TLS_CERT|^CERT_|^UNABLE_TO_|SELF_SIGNED_CERT/.test(code)
  )
}
