import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Egress, HttpAnswer, HttpRequest, HttpStream } from '../kit/egress.ts'
import { noAnswer } from './http-errors.ts'

/** Stands in a body where a large file goes. */
export const filePlace = randomUUID()
/** A file that is put into a body while that leaves. */
export type LateFile = { stream: Readable; size: number }

/** A JSON body in which a file stands as Base64; the whole is nowhere in memory. */
export const jsonAround = (body: object, file: LateFile) => {
  const [head = '', tail = ''] = JSON.stringify(body).split(filePlace)
  const length = Buffer.byteLength(head) + 4 * Math.ceil(file.size / 3) + Buffer.byteLength(tail)
  return { length, stream: Readable.from(around(head, file.stream, tail), { objectMode: false }) }
}

/** Body and headers of a JSON call, with a large file in it where there is one. */
export const jsonOf = (body: object | undefined, late: LateFile | undefined, key: Record<string, string>) => {
  const headers = { ...key, ...(body && { 'content-type': 'application/json' }) }
  if (!body || !late) return { headers, body: body && JSON.stringify(body) }
  const { stream, length } = jsonAround(body, late)
  return { headers: { ...headers, 'content-length': String(length) }, body: stream }
}

async function* around(head: string, file: AsyncIterable<Buffer>, tail: string) {
  yield Buffer.from(head)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of file) {
    const all = rest.length ? Buffer.concat([rest, chunk]) : chunk
    const whole = all.length - (all.length % 3)
    rest = all.subarray(whole)
    if (whole) yield Buffer.from(all.toString('base64', 0, whole))
  }
  yield Buffer.from(rest.toString('base64') + tail)
}

const longest = { silenceMs: 120_000, wholeMs: 200_000, bytes: 150_000_000 }
/** The file a harmless call is answered with, in one field of its JSON, while it comes. */
export const fileByCall = async ({ egress }: { egress: Egress }, url: string, request: HttpRequest, field: string) => {
  const limits = { timeoutMs: longest.silenceMs, maxBytes: longest.bytes, signal: AbortSignal.timeout(longest.wholeMs) }
  const answer = await egress.stream(url, { ...request, ...limits }).catch((error) => {
    throw noAnswer(error, true)
  })
  return fileInAnswer(answer, field).catch((error) => {
    throw noAnswer(error, true)
  })
}

/** How much may stand before the file. */
const mostBefore = 100_000

/**
 * The file that stands as Base64 (or as a `data:` address) in one text of a JSON answer, opened while it comes. Without
 * one, the answer as it was said, or its beginning.
 */
export const fileInAnswer = async (
  { status, headers, body }: HttpStream,
  field: string,
): Promise<{ file: Readable } | { answer: HttpAnswer }> => {
  const chunks = body[Symbol.asyncIterator]()
  const opens = new RegExp(`"${field}"\\s*:\\s*"(?!")`)
  let read = ''
  for (;;) {
    const found = status < 300 ? opens.exec(read) : null
    if (found) {
      const first = read.slice(found.index + found[0].length)
      return { file: Readable.from(decoded(first, chunks), { objectMode: false }) }
    }
    const next = read.length > mostBefore ? undefined : await chunks.next()
    if (next && !next.done) {
      read += next.value.toString('latin1')
      continue
    }
    if (!next) await chunks.return?.()
    const bytes = Buffer.from(read, 'latin1')
    return { answer: { status, headers, bytes, json: () => parsed(bytes) } }
  }
}
const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

async function* decoded(first: string, chunks: AsyncIterator<Buffer>) {
  let rest = ''
  let isBegun = false
  for (let text = first; ; ) {
    const end = text.indexOf('"')
    rest += (end < 0 ? text : text.slice(0, end)).replaceAll('\\', '')
    // A `data:` address says what it is before the comma.
    if (!isBegun && (end >= 0 || rest.length > 5)) {
      const comma = rest.startsWith('data:') ? rest.indexOf(',') : 0
      isBegun = comma >= 0
      if (comma > 0) rest = rest.slice(comma + 1)
    }
    if (isBegun) {
      const whole = end < 0 ? rest.length - (rest.length % 4) : rest.length
      if (whole) yield Buffer.from(rest.slice(0, whole), 'base64')
      rest = rest.slice(whole)
    }
    if (end >= 0) return void (await chunks.return?.())
    const next = await chunks.next()
    if (next.done) throw new Error('the answer broke off inside its file')
    text = next.value.toString('latin1')
  }
}
