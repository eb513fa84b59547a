import net from 'node:net'
import tls from 'node:tls'

/** Where a connection leaves by. A proxy that does not answer closes it: nothing ever goes another way. */
export type Route = {
  proxy?: { protocol: 'http' | 'https' | 'socks5'; host: string; port: number; user?: string; password?: string }
  /** Certificate and private key of a client, one after the other, in PEM. */
  certificate?: string
}
export type Target = { host: string; port: number }
/** What TLS is spoken with; false: none. */
export type Secured = false | { servername?: string }

/** A connection that never came about: nothing of the request has left. */
export class DialError extends Error {
  readonly syscall = 'connect'
}

/** Opens sockets along a route. `lookup` resolves names and refuses what may not be reached. */
export const createDial =
  (lookup: net.LookupFunction, { proxy, certificate }: Route, withinMs: number) =>
  async (target: Target, secured: Secured): Promise<net.Socket> => {
    const limit = AbortSignal.timeout(withinMs)
    const plain = proxy ? await tunnel(proxy, target, lookup, limit) : await reach(target, lookup, limit)
    if (!secured) return plain
    return upgrade(plain, { servername: secured.servername ?? target.host, cert: certificate, key: certificate }, limit)
  }

const reach = ({ host, port }: Target, lookup: net.LookupFunction, limit: AbortSignal) =>
  opened(net.connect({ host: bare(host), port, lookup, autoSelectFamily: true, noDelay: true }), 'connect', limit)

/** TLS over a socket that is there; also what STARTTLS does. */
const upgrade = (socket: net.Socket, options: tls.ConnectionOptions, limit: AbortSignal) => {
  const servername = bare(options.servername ?? '')
  const secured = tls.connect({
    ...options,
    socket,
    ALPNProtocols: ['http/1.1'],
    // An address is no server name; its certificate is still checked against it.
    servername: net.isIP(servername) ? '' : servername,
    checkServerIdentity: (_, certificate) => tls.checkServerIdentity(servername, certificate),
  })
  return opened(secured, 'secureConnect', limit)
}

const opened = <S extends net.Socket>(socket: S, event: 'connect' | 'secureConnect', limit: AbortSignal) =>
  new Promise<S>((resolve, reject) => {
    const fail = (error: Error) => {
      done()
      socket.destroy()
      reject(error)
    }
    const late = () => fail(new DialError('The connection took too long'))
    const closed = () => fail(new DialError('The connection was closed before it stood'))
    const stands = () => {
      done()
      resolve(socket)
    }
    const done = () => {
      limit.removeEventListener('abort', late)
      socket.off('error', fail).off('close', closed).off(event, stands)
    }
    limit.addEventListener('abort', late, { once: true })
    socket.once('error', fail).once('close', closed).once(event, stands)
    if (limit.aborted) late()
  })

type Proxy = NonNullable<Route['proxy']>

/** A way through the proxy to the target; the proxy resolves its name. */
const tunnel = async (proxy: Proxy, target: Target, lookup: net.LookupFunction, limit: AbortSignal) => {
  const plain = await reach(proxy, lookup, limit)
  const socket = proxy.protocol === 'https' ? await upgrade(plain, { servername: proxy.host }, limit) : plain
  const reader = readerOf(socket, limit)
  try {
    await (proxy.protocol === 'socks5'
      ? askSocks(socket, reader, proxy, target)
      : askHttp(socket, reader, proxy, target))
    reader.release()
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

const askHttp = async (socket: net.Socket, reader: Reader, { user, password }: Proxy, { host, port }: Target) => {
  const place = `${net.isIPv6(bare(host)) ? `[${bare(host)}]` : host}:${port}`
  const login = Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64')
  const allowed = user ? `Proxy-Authorization: Basic ${login}\r\n` : ''
  socket.write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n${allowed}\r\n`)
  const head = (await reader.until('\r\n\r\n')).toString('latin1')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1])
  if (status === 407) throw new DialError('The proxy refused the user or the password')
  if (status !== 200) throw new DialError(`The proxy opened no way (${status || 'no answer'})`)
}

/** RFC 1928 and 1929. */
const askSocks = async (socket: net.Socket, reader: Reader, { user, password = '' }: Proxy, { host, port }: Target) => {
  socket.write(Buffer.from(user ? [5, 1, 2] : [5, 1, 0]))
  const [version, method] = await reader.take(2)
  if (version !== 5 || method === 255) throw new DialError('The proxy takes no such login')
  if (method === 2) {
    const [name, secret] = [Buffer.from(user ?? ''), Buffer.from(password)]
    socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([secret.length]), secret]))
    const [, refused] = await reader.take(2)
    if (refused) throw new DialError('The proxy refused the user or the password')
  }
  const name = Buffer.from(bare(host))
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 255])]))
  const [, reply, , kind] = await reader.take(4)
  if (reply !== 0) throw new DialError(`The proxy opened no way (${reply})`)
  const [length = 0] = kind === 3 ? await reader.take(1) : [kind === 4 ? 16 : 4]
  await reader.take(length + 2)
}

type Reader = ReturnType<typeof readerOf>
/** The proxy's answers, byte by byte; what comes after them belongs to the target. */
const readerOf = (socket: net.Socket, limit: AbortSignal) => {
  let kept = Buffer.alloc(0)
  let wake = () => {}
  let ended: Error | undefined
  // Read on demand: a socket that has flowed once must be told to pause, and then waits for whoever gets it to resume it.
  const onReadable = () => {
    for (let chunk: Buffer | null = socket.read(); chunk; chunk = socket.read()) kept = Buffer.concat([kept, chunk])
    wake()
  }
  const end = () => {
    ended ??= new DialError(limit.aborted ? 'The proxy did not answer' : 'The proxy closed the connection')
    wake()
  }
  socket.on('readable', onReadable).on('close', end).on('error', end)
  limit.addEventListener('abort', end, { once: true })
  const more = async () => {
    if (ended) throw ended
    if (kept.length > 16_384) throw new DialError('The proxy said too much')
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  const cut = (size: number) => {
    const head = kept.subarray(0, size)
    kept = kept.subarray(size)
    return head
  }
  return {
    take: async (size: number): Promise<Buffer> => {
      while (kept.length < size) await more()
      return cut(size)
    },
    until: async (mark: string): Promise<Buffer> => {
      while (!kept.includes(mark)) await more()
      return cut(kept.indexOf(mark) + mark.length)
    },
    release: () => {
      limit.removeEventListener('abort', end)
      socket.off('readable', onReadable).off('close', end).off('error', end)
      if (kept.length) socket.unshift(kept)
    },
  }
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '')
