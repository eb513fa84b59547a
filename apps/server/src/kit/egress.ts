import { type LookupAddress, type LookupOptions, lookup, promises as names } from 'node:dns'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import type { Agent, FormData, fetch as undiciFetch } from 'undici'
import { env } from '../env.ts'
import { createDial, DialError, type Route, type Secured, type Target } from './egress-dial.ts'
import { AppError } from './errors.ts'

/** One outgoing call. `timeoutMs` covers the whole answer; more than `maxBytes` of it is refused. */
export type HttpRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer | FormData | Readable
  timeoutMs?: number
  maxBytes?: number
  /** Ends it early. */
  signal?: AbortSignal
}
export type HttpAnswer = { status: number; headers: Record<string, string>; bytes: Buffer; json: () => unknown }

export type HttpStream = Omit<HttpAnswer, 'bytes' | 'json'> & { body: AsyncIterable<Buffer> }

/** Talks to addresses a tenant typed. Private networks are refused at connect time; redirects are not followed. */
export type HttpClient = (url: string, request?: HttpRequest) => Promise<HttpAnswer>

/** Every way out, along one route: all of them refuse private addresses and bound what comes back. */
export type Egress = {
  http: HttpClient
  /** As `http`, read piece by piece; `timeoutMs` is the longest silence. */
  stream: (url: string, request?: HttpRequest) => Promise<HttpStream>
  /** For libraries that bring their own idea of a call. Redirects are answers. */
  fetch: typeof undiciFetch
  /** For libraries that open sockets by themselves, without a proxy. */
  lookup: Lookup
  /** What a name says of itself (DNS TXT), record by record; none: there are none. */
  txt: (name: string) => Promise<string[]>
  /** A socket to a server that speaks no HTTP, with or without TLS. */
  connect: (target: Target, secured?: Secured) => Promise<Socket>
  close: () => Promise<void>
}
type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void

/** The call did not come to an answer. `wasSent`: the other side may have acted on it. */
export class EgressError extends Error {
  readonly wasSent: boolean
  /** It went, or was to go, through a proxy. */
  isByProxy = false
  /** More came than was wanted. */
  isTooLarge = false
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

type Options = {
  allow: string[]
  resolve?: Resolve
  resolveTxt?: typeof names.resolveTxt /** The longest a connection takes to stand. */
  dialMs?: number
}

/** The door to the outside: `allow` are the hosts, addresses and CIDRs the installation's owner opened. */
export const createEgress = ({ allow, resolve = lookup, resolveTxt = names.resolveTxt, dialMs = 10_000 }: Options) => {
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
  const guarded: Lookup = (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const fine = addresses.filter((one) => isReachable(one.address, hostname))
      const [first] = fine
      if (!first) return callback(refuse(hostname), [])
      if (options.all) return callback(null, fine)
      callback(null, first.address, first.family)
    })

  const along = (route: Route): Egress => {
    const dial = createDial(guarded, route, dialMs)
    const openDispatcher = (undici: typeof import('undici')) =>
      new undici.Agent({
        connections: 64,
        keepAliveTimeout: 30_000,
        connect: ({ protocol, hostname, port, servername }, callback) => {
          const isSecure = protocol === 'https:'
          const target = { host: hostname, port: Number(port) || (isSecure ? 443 : 80) }
          dial(target, isSecure && { servername: servername || hostname }).then(
            (socket) => callback(null, socket),
            (error) => callback(error, null),
          )
        },
      })
    let dispatcher: Agent | undefined
    const undiciHere = async () => {
      const undici = await import('undici') // a hundred modules that a start need not wait for
      dispatcher ??= openDispatcher(undici)
      return { undici, dispatcher }
    }

    const ask = async (
      url: string,
      { method = 'GET', headers = {}, body }: HttpRequest,
      signal?: AbortSignal,
      silenceMs?: number,
    ) => {
      const address = check(url)
      const { undici, dispatcher: by } = await undiciHere()
      const limits = { headersTimeout: silenceMs, bodyTimeout: silenceMs }
      const answer = await undici.request(address, { method, headers, body, dispatcher: by, signal, ...limits })
      const flat = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')])
      return { status: answer.statusCode, headers: Object.fromEntries(flat), body: answer.body }
    }

    const lost = (error: unknown, wasSent: boolean) => {
      const found = explained(error, wasSent)
      if (found instanceof EgressError) found.isByProxy = route.proxy !== undefined
      return found
    }

    return {
      http: async (url, { timeoutMs = 20_000, maxBytes = 10_000_000, signal, ...request } = {}) => {
        let wasSent = false
        try {
          const { status, headers, body } = await ask(url, request, ended(AbortSignal.timeout(timeoutMs), signal))
          wasSent = true
          const chunks: Buffer[] = []
          for await (const chunk of atMost(body, maxBytes)) chunks.push(chunk)
          const bytes = Buffer.concat(chunks)
          return { status, headers, bytes, json: () => parseJson(bytes) }
        } catch (error) {
          throw lost(error, wasSent)
        }
      },
      stream: async (url, { timeoutMs = 60_000, maxBytes = 2_000_000_000, signal, ...request } = {}) => {
        try {
          const { status, headers, body } = await ask(url, request, signal, timeoutMs)
          return { status, headers, body: told(atMost(body, maxBytes)) }
        } catch (error) {
          throw lost(error, false)
        }
      },
      fetch: async (input, init) => {
        check(input instanceof Object && 'url' in input ? input.url : String(input))
        const { undici, dispatcher: by } = await undiciHere()
        return undici.fetch(input, { ...init, redirect: 'manual', dispatcher: by })
      },
      lookup: guarded,
      txt: async (name) => {
        try {
          return (await resolveTxt(name)).map((pieces) => pieces.join('').slice(0, 4_000))
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException
          if (code === 'ENODATA' || code === 'ENOTFOUND') return []
          throw lost(error, false)
        }
      },
      connect: async (target, secured = false) => {
        check(`https://${target.host}:${target.port}`)
        try {
          return await dial(target, secured)
        } catch (error) {
          throw lost(error, false)
        }
      },
      close: async () => {
        await dispatcher?.close()
        dispatcher = undefined
      },
    }
  }

  return { check, along, ...along({}) }
}

const ended = (limit: AbortSignal, early: AbortSignal | undefined) => (early ? AbortSignal.any([limit, early]) : limit)

const explained = (error: unknown, wasSent: boolean) => {
  if (error instanceof AppError || error instanceof EgressError) return error
  return new EgressError(error instanceof Error ? error.message : 'no answer', wasSent || !neverLeft(error))
}

const egress = createEgress({ allow: env.EGRESS_ALLOW })
export const checkEgressUrl = egress.check
/** As `checkEgressUrl`, for the name of a server. */
export const checkEgressHost = (host: string) => egress.check(`https://${host}`)
/** Every way out of this installation, without a proxy. */
export const direct: Egress = egress
export const http = egress.http

const unusedMs = 10 * 60_000
const routes = new Map<string, { egress: Egress; usedAt: number }>()
/** The ways out along one route, whose open connections are kept while it is used. */
export const egressAlong = (route: Route | undefined): Egress => {
  if (!route?.proxy && !route?.certificate) return direct
  const key = JSON.stringify(route)
  const now = Date.now()
  for (const [name, one] of routes) {
    if (now - one.usedAt < unusedMs) continue
    routes.delete(name)
    one.egress.close().catch(() => {}) // what is under way still ends
  }
  const known = routes.get(key) ?? { egress: egress.along(route), usedAt: now }
  known.usedAt = now
  routes.set(key, known)
  return known.egress
}

const refuse = (host: string) =>
  new AppError('ERR_EGRESS_REFUSED', { details: [{ path: 'url', message: `Endereço não permitido: ${host}` }] })

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** Outside 2000::/3 no IPv6 is on the internet: `::127.0.0.1`, site-local and what is not given out yet. */
const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6) => {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'))
}

async function* atMost(body: AsyncIterable<Buffer>, maxBytes: number) {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw Object.assign(new EgressError('answer too large', true), { isTooLarge: true })
    yield chunk
  }
}

/** What breaks on the way has been sent. */
async function* told(body: AsyncIterable<Buffer>) {
  try {
    yield* body
  } catch (error) {
    throw explained(error, true)
  }
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
    error instanceof DialError ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    /^ERR_TLS_CERT|^CERT_|^UNABLE_TO_|SELF_SIGNED_CERT/.test(code)
  )
}
