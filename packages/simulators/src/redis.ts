import { once } from 'node:events'
import net from 'node:net'

type Value = null | number | string | Buffer | Value[] | Map<string, Value>
type Entry = { id: string; n: number; fields: Buffer[] }
type Reader = { key: string; after: number; answer: (entries: Entry[]) => void }

/**
 * As much of Redis as Socket.IO's streams adapter speaks (RESP3): streams and channels, in memory. `away()` cuts
 * everybody off and forgets all, as a Redis without a disk does that is restarted; `back()` listens again.
 */
export const startRedisSimulator = async () => {
  const sockets = new Set<net.Socket>()
  const streams = new Map<string, Entry[]>()
  const readers = new Map<net.Socket, Reader>()
  const channels = new Map<string, Set<net.Socket>>()
  let last = 0

  const read = (key: string, after: number) => (streams.get(key) ?? []).filter(({ n }) => n > after)

  const commands: Record<string, (socket: net.Socket, words: Buffer[]) => Buffer | undefined> = {
    HELLO: () =>
      encode(
        new Map<string, Value>([
          ['server', 'redis'],
          ['version', '7.4.0'],
          ['proto', 3],
        ]),
      ),
    PING: () => encode('PONG'),
    CLIENT: () => encode('OK'),
    XADD: (_socket, [key = nothing, ...words]) => {
      const star = words.findIndex((word) => word.toString() === '*')
      const entry = { id: `${++last}-0`, n: last, fields: words.slice(star + 1) }
      const stream = streams.get(key.toString()) ?? []
      streams.set(key.toString(), [...stream.slice(-999), entry])
      for (const [socket, reader] of readers) {
        if (reader.key !== key.toString()) continue
        readers.delete(socket)
        reader.answer([entry])
      }
      return encode(entry.id)
    },
    XREAD: (socket, words) => {
      const [key = '', from = '$'] = words.slice(-2).map(String)
      const block = Number(words[words.findIndex((word) => word.toString() === 'BLOCK') + 1])
      const after = from === '$' ? last : Number.parseInt(from, 10)
      const answer = (entries: Entry[]) =>
        encode(new Map([[key, entries.map(({ id, fields }): Value => [id, fields])]]))
      const there = read(key, after)
      if (there.length) return answer(there)
      const timer = setTimeout(() => {
        readers.delete(socket)
        socket.write(encode(null))
      }, block)
      readers.set(socket, {
        key,
        after,
        answer: (entries) => {
          clearTimeout(timer)
          socket.write(answer(entries))
        },
      })
      return undefined
    },
    SUBSCRIBE: (socket, names) => {
      for (const name of names.map(String)) channels.set(name, (channels.get(name) ?? new Set()).add(socket))
      return Buffer.concat(names.map((name, at) => push(['subscribe', name, at + 1])))
    },
    PUBLISH: (_socket, [name = nothing, payload = nothing]) => {
      const listening = channels.get(name.toString()) ?? new Set()
      for (const socket of listening) socket.write(push(['message', name, payload]))
      return encode(listening.size)
    },
    PUBSUB: (_socket, [, name = nothing]) => encode([name, channels.get(name.toString())?.size ?? 0]),
  }

  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    let unread = nothing
    socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk])
      for (let command = readCommand(unread); command; command = readCommand(unread)) {
        unread = unread.subarray(command.endsAt)
        const [name = nothing, ...words] = command.words
        const run = commands[name.toString().toUpperCase()]
        const answer = run ? run(socket, words) : Buffer.from(`-ERR unknown command '${name}'\r\n`)
        if (answer) socket.write(answer)
      }
    })
    socket.on('error', () => {}) // it was cut off
    socket.on('close', () => {
      sockets.delete(socket)
      readers.delete(socket)
      for (const listening of channels.values()) listening.delete(socket)
    })
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address ? address.port : port
  }
  const away = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    streams.clear()
    await closed
  }
  const port = await listen(0)
  return { url: `redis://127.0.0.1:${port}`, away, back: () => listen(port), close: away, published: () => last }
}

const nothing = Buffer.alloc(0)

/** The first whole command of what was received: an array of counted words. */
const readCommand = (bytes: Buffer): { words: Buffer[]; endsAt: number } | undefined => {
  let at = 0
  const number = () => {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return undefined
    const value = Number(bytes.toString('latin1', at + 1, end))
    at = end + 2
    return value
  }
  const many = number()
  if (many === undefined) return undefined
  const words: Buffer[] = []
  for (let n = 0; n < many; n += 1) {
    const length = number()
    if (length === undefined || bytes.length < at + length + 2) return undefined
    words.push(bytes.subarray(at, at + length))
    at += length + 2
  }
  return { words, endsAt: at }
}

const encode = (value: Value): Buffer => {
  if (value === null) return Buffer.from('_\r\n')
  if (typeof value === 'number') return Buffer.from(`:${value}\r\n`)
  if (value instanceof Map)
    return Buffer.concat([
      Buffer.from(`%${value.size}\r\n`),
      ...[...value].flatMap(([name, one]) => [encode(name), encode(one)]),
    ])
  if (Array.isArray(value)) return Buffer.concat([Buffer.from(`*${value.length}\r\n`), ...value.map(encode)])
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')])
}
const push = (values: Value[]) => Buffer.concat([Buffer.from(`>${values.length}\r\n`), ...values.map(encode)])
