import net from 'node:net'
import tls from 'node:tls'

export type ProxySimulator = {
  port: number
  /** Where ways were asked for, as `host:port`. */
  asked: string[]
  close: () => Promise<void>
}
type Options = {
  protocol: 'http' | 'https' | 'socks5'
  /** What it shows of itself, where one speaks TLS with it. */
  identity?: { cert: string; key: string }
  login?: { user: string; password: string }
  targets?: Record<string, string>
}

/** A forward proxy on 127.0.0.1: HTTP CONNECT or SOCKS5. `targets` says where a name leads. */
export const startProxySimulator = async ({
  protocol,
  identity,
  login,
  targets = {},
}: Options): Promise<ProxySimulator> => {
  const asked: string[] = []
  const open = new Set<net.Socket>()
  const serve = (client: net.Socket) => {
    open.add(client)
    client.on('error', () => {}).on('close', () => open.delete(client))
    void (protocol === 'socks5' ? serveSocks : serveHttp)(client).catch(() => client.destroy())
  }
  const join = (client: net.Socket, host: string, port: number, accepted: Buffer) => {
    asked.push(`${host}:${port}`)
    const [there = host, other] = (targets[host] ?? host).split(':')
    const target = net.connect(Number(other ?? port), there, () => {
      client.write(accepted)
      client.pipe(target).pipe(client)
    })
    open.add(target)
    target.on('error', () => client.destroy()).on('close', () => open.delete(target))
  }
  const serveHttp = async (client: net.Socket) => {
    const head = (await readUntil(client, (bytes) => bytes.includes('\r\n\r\n'))).toString('latin1')
    const wanted = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`
    const given = /^proxy-authorization: (.+)$/im.exec(head)?.[1]?.trim()
    if (wanted && given !== wanted) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const [, host = '', port] = /^CONNECT (\S+):(\d+) /.exec(head) ?? []
    if (!host) return void client.end('HTTP/1.1 405 Method Not Allowed\r\n\r\n')
    join(client, host, Number(port), Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n'))
  }
  const serveSocks = async (client: net.Socket) => {
    await readUntil(client, (bytes) => bytes.length >= 3)
    client.write(Buffer.from([5, login ? 2 : 0]))
    if (login) {
      const said = await readUntil(client, (bytes) => bytes.length > 2)
      const [name, secret] = [said.subarray(2, 2 + (said[1] ?? 0)), said.subarray(3 + (said[1] ?? 0))]
      const isRight = name.toString() === login.user && secret.toString() === login.password
      client.write(Buffer.from([1, isRight ? 0 : 1]))
      if (!isRight) return void client.end()
    }
    const asks = await readUntil(client, (bytes) => bytes.length > 6)
    const host = asks.subarray(5, 5 + (asks[4] ?? 0)).toString()
    join(client, host, asks.readUInt16BE(asks.length - 2), Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
  }
  const server = protocol === 'https' ? tls.createServer({ ...identity }, serve) : net.createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : 0,
    asked,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const readUntil = (socket: net.Socket, isWhole: (bytes: Buffer) => boolean) =>
  new Promise<Buffer>((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      if (!isWhole(bytes)) return
      socket.off('data', onData)
      socket.pause()
      resolve(bytes)
      socket.resume()
    }
    socket.on('data', onData).once('close', () => reject(new Error('closed')))
  })
