import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import { GraphError } from './errors.ts'
import type { State } from './state.ts'

/** Resumable uploads of the app: a session for a file of a known size, and a handle for its bytes. */
export const addUploads = (api: FastifyInstance, state: State) => {
  const waiting = new Map<string, number>()
  api.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: 110_000_000 },
    (_req, body, done) => done(null, body),
  )
  api.post('/app/uploads', async (req) => {
    const { file_length, file_type } = recordOf(req).query
    if (!Number(file_length) || !file_type) throw new GraphError(100, 'file_length and file_type are required')
    const id = `upload:${randomBytes(12).toString('base64url')}`
    waiting.set(id, Number(file_length))
    return { id }
  })
  api.post<{ Params: { session: string } }>('/:session(^upload:.+$)', async (req) => {
    const { session } = req.params
    const bytes = Buffer.isBuffer(req.body) ? req.body.length : 0
    if (!waiting.has(session)) throw new GraphError(100, 'Unknown upload session')
    if (req.headers.file_offset !== '0' || bytes !== waiting.get(session))
      throw new GraphError(100, 'The bytes do not fit the upload session')
    waiting.delete(session)
    const handle = `4:${randomBytes(16).toString('base64')}`
    state.handles.add(handle)
    return { h: handle }
  })
}

/** The example of a header is a file that went up here. */
export const checkHandles = (body: unknown, handles: ReadonlySet<string>) => {
  const parsed = z.object({
    components: z.array(z.object({ example: z.object({ header_handle: z.array(z.string()) }) })),
  })
  const { data } = parsed.safeParse({ components: mediaHeadersOf(body) })
  if (!data) throw new GraphError(100, 'HEADER of media has no example')
  for (const { example } of data.components) {
    if (!example.header_handle.every((handle) => handles.has(handle)))
      throw new GraphError(100, 'header_handle: unknown upload handle')
  }
}
const mediaHeadersOf = (body: unknown): unknown[] => {
  const { data } = z
    .object({ components: z.array(z.looseObject({ type: z.string(), format: z.string().optional() })) })
    .safeParse(body)
  return (data?.components ?? []).filter(
    ({ type, format }) => type === 'HEADER' && ['IMAGE', 'VIDEO', 'GIF', 'DOCUMENT'].includes(format ?? ''),
  )
}
