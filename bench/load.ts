import { fork } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from './report.ts'

export type Answer = { status: number; body: string }
type Connection = { send: (request: Buffer) => Promise<Answer>; close: () => void }

/** One kept-alive connection that carries one request at a time: less work for this process than any HTTP library. */
export const connect = async (port: number): Promise<Connection> => {
  const socket = net.connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  await once(socket, 'connect')
  let waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined
  let chunks: Buffer[] = []
  let received = 0
  let head: { status: number; bodyAt: number; endsAt: number } | undefined

  socket.on('data', (chunk) => {
    chunks.push(chunk)
    received += chunk.length
    head ??= readHead(chunks.length === 1 ? chunk : Buffer.concat(chunks))
    if (!head || received < head.endsAt) return
    const whole = chunks
    const { status, bodyAt } = head
    chunks = []
    received = 0
    head = undefined
    waiting?.resolve({
      status,
      get body() {
        return Buffer.concat(whole).toString('utf8', bodyAt)
      },
    })
  })
  const fail = (cause?: unknown) => waiting?.reject(new Error('The server closed the connection', { cause }))
  socket.on('error', fail)
  socket.on('close', fail)
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

const readHead = (bytes: Buffer) => {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const text = bytes.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  const status = Number(text.slice(9, 12))
  if (length === undefined && status !== 204) throw new Error(`An answer without its length:\n${text}`)
  return { status, bodyAt: end + 4, endsAt: end + 4 + Number(length ?? 0) }
}

export const requestOf = (method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}, body = '') => {
  const lines = Object.entries({
    host: 'localhost',
    ...headers,
    ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
  })
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

type Load = {
  port: number
  connections: number
  next: (n: number) => Buffer
  /** Of each connection: from the beginning of a request to that of the next, at least. */
  everyMs?: number
} & ({ forMs: number } | { count: number })
export type Measured = { perSecond: number; latenciesMs: number[]; seconds: number }

/** Sends requests as fast as they are answered, or at the pace that is asked for; anything but success ends the measurement. */
export const load = async ({ port, connections, next, everyMs = 0, ...until }: Load): Promise<Measured> => {
  const open = await Promise.all(Array.from({ length: connections }, () => connect(port)))
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  let sent = 0
  const isOver = () => ('count' in until ? sent >= until.count : performance.now() - startedAt >= until.forMs)
  const run = async (connection: Connection) => {
    while (!isOver()) {
      const request = next(sent++)
      const at = performance.now()
      const answer = await connection.send(request)
      latenciesMs.push(performance.now() - at)
      if (answer.status >= 300) throw new Error(`Answered ${answer.status}: ${answer.body.slice(0, 300)}`)
      const restsMs = at + everyMs - performance.now()
      if (restsMs > 0) await pause(restsMs)
    }
  }
  try {
    await Promise.all(open.map(run))
  } finally {
    for (const connection of open) connection.close()
  }
  const seconds = (performance.now() - startedAt) / 1000
  return { perSecond: latenciesMs.length / seconds, latenciesMs, seconds }
}

export type Paced = { port: number; requests: string[]; everyMs: number }
/**
 * One after the other over one connection, from a process that does nothing else: what this one does beside it, its
 * garbage above all, would be felt as the server's.
 */
export const loadAlone = async (paced: Paced): Promise<number[]> => {
  const child = fork(new URL('./load.child.ts', import.meta.url))
  child.send(paced)
  const [latenciesMs] = await once(child, 'message')
  child.kill()
  return latenciesMs as number[] // its one answer
}

type Side = { port: number; next: (n: number) => Buffer }
export type Rounds = { perSecond: number; p50Ms: number; p975Ms: number }

/**
 * Two servers in turn, in short rounds, and the middle round of each: a burst of something else on the machine spoils
 * a round and not the figure.
 */
export const compare = async (
  ours: Side,
  bare: Side,
  connections: number,
  roundMs: number,
): Promise<[Rounds, Rounds]> => {
  const sides = [ours, bare].map((side) => ({ side, rounds: [] as Measured[] }))
  for (let round = -1; round < 7; round += 1) {
    for (const { side, rounds } of sides) {
      const measured = await load({ ...side, connections, forMs: roundMs })
      if (round >= 0) rounds.push(measured) // the first warms up
    }
  }
  const [a, b] = sides.map(({ rounds }) => {
    const middle = (figure: (round: Measured) => number) => percentile(rounds.map(figure), 50)
    return {
      perSecond: middle((round) => round.perSecond),
      p50Ms: middle((round) => percentile(round.latenciesMs, 50)),
      p975Ms: middle((round) => percentile(round.latenciesMs, 97.5)),
    }
  })
  if (!a || !b) throw new Error('Nothing was measured')
  return [a, b]
}

/** One request on a connection of its own. */
export const ask = async (port: number, request: Buffer): Promise<Answer> => {
  const connection = await connect(port)
  const answer = await connection.send(request)
  const { status, body } = answer
  connection.close()
  return { status, body }
}
