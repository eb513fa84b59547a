import { Readable } from 'node:stream'
import type { Egress } from '../kit/egress.ts'
import { ChannelError, type Fetched } from './adapter.ts'
import { noAnswer } from './http-errors.ts'

/** A received file by the address its provider gave: asked for without our secrets, whoever wrote the address. */
export const fileAt = async (url: string, egress: Egress, gone: () => ChannelError): Promise<Fetched> => {
  const answer = await egress.stream(url, { timeoutMs: 120_000, maxBytes: 110_000_000 }).catch((error) => {
    const failure = noAnswer(error, true)
    throw failure.outcome === 'final' ? gone() : failure
  })
  const stream = Readable.from(answer.body, { objectMode: false })
  if (answer.status === 200) return { stream, mime: answer.headers['content-type'] }
  stream.resume().on('error', () => undefined) // what a refusal says besides is nobody's concern
  throw answer.status === 429 || answer.status >= 500
    ? new ChannelError('retry', 'O provedor não entregou o arquivo agora.')
    : gone()
}
