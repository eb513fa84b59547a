import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'

/** One linked device, as the library behind our port would be: a line of JSON for each thing told, asked or answered. */
export type Device = {
  creds: Record<string, unknown>
  tell: (events: Record<string, unknown>) => void
  hangUp: () => void
}
type Handlers = {
  joined: (device: Device) => void
  left: (device: Device) => void
  asked: (device: Device, name: string, args: unknown[]) => unknown
}
/** Refused as the library refuses: an error that carries a status. */
export class Refusal extends Error {
  readonly statusCode: number
  constructor(message: string, statusCode: number) {
    super(message)
    this.statusCode = statusCode
  }
}

export const newCode = () => randomBytes(16).toString('hex').toUpperCase()

/** What is said on a connection that leaves HTTP behind becomes calls of `handlers`. */
export const takeLines = (server: Server, handlers: Handlers) => {
  const sockets = new Set<Duplex>()
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket)
    if (head.length) socket.unshift(head)
    let device: Device | undefined
    const say = (what: unknown) => socket.writable && socket.write(`${toJson(what)}\n`)
    socket
      .on('error', () => {})
      .on('end', () => socket.end()) // HTTP leaves its half open
      .on('close', () => {
        sockets.delete(socket)
        if (device) handlers.left(device)
      })
    createInterface({ input: socket })
      .on('error', () => {})
      .on('line', async (line) => {
        const said = fromJson(line) as {
          hello?: { creds: Record<string, unknown> }
          ask?: number
          name?: string
          args?: unknown[]
        }
        if (said.hello) {
          device = {
            creds: said.hello.creds,
            tell: (events) => {
              if (device) Object.assign(device.creds, events['creds.update'])
              say({ events })
            },
            hangUp: () => socket.end(),
          }
          handlers.joined(device)
        }
        if (said.ask === undefined || !device) return
        try {
          say({ answer: said.ask, value: await handlers.asked(device, said.name ?? '', said.args ?? []) })
        } catch (error) {
          const { message, statusCode } = error instanceof Refusal ? error : new Refusal(String(error), 500)
          say({ answer: said.ask, error: { message, statusCode } })
        }
      })
  })
  return {
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A Buffer has become `{ type, data: number[] }` by the time a replacer sees it. */
const toJson = (value: unknown) =>
  JSON.stringify(value, (_key, one: { type?: unknown; data?: unknown } | null) => {
    const bytes =
      one instanceof Uint8Array ? one : one?.type === 'Buffer' && Array.isArray(one.data) ? one.data : undefined
    return bytes ? { type: 'Buffer', data: Buffer.from(bytes).toString('base64') } : one
  })
const fromJson = (text: string): unknown =>
  JSON.parse(text, (_key, one: { type?: unknown; data?: unknown } | null) =>
    one?.type === 'Buffer' && typeof one.data === 'string' ? Buffer.from(one.data, 'base64') : one,
  )
