import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; raw: string; body: unknown }

/** A bare server that keeps what is posted to it. `answers` are statuses for the next requests; then 200. */
export async function startReceiver() {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const raw = Buffer.concat(chunks).toString()
      received.push({
        method: req.method ?? '',
        path: req.url ?? '',
        headers: req.headers,
        raw,
        body: raw ? JSON.parse(raw) : undefined,
      })
      const url = new URL(req.url ?? '', 'http://x')
      res.statusCode = answers.shift() ?? 200
      res.end(url.searchParams.get('hub.challenge') ?? '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on a port, so never a pipe name
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    received,
    answers,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
