import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { mostImportMb } from '@balcao/contract/contacts/imports.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { createHeavy } from '../../../kit/heavy/heavy.ts'
import type { ReadInput, ReadOutput, Wanted } from './reading/read-file.task.ts'

export const mostBytes = mostImportMb * 1024 * 1024
export const tooLarge = () =>
  new AppError('ERR_TOO_LARGE', {
    message: `O arquivo tem mais de ${mostImportMb} MB. Divida-o em arquivos menores e envie um de cada vez.`,
  })

/** Somebody waits for it; a file that was made to do harm ends its own process alone. */
const read = createHeavy<ReadInput, never, ReadOutput>(new URL('./reading/read-file.task.ts', import.meta.url), {
  processes: 1,
  memoryMb: 700,
  timeMs: 120_000,
  mostWaiting: 5,
  niceness: 5,
})

export type ReadFile = Exclude<ReadOutput, { refusal: string }> & { size: number; sha256: string; rowsPath: string }

/**
 * Takes a file of contacts in and reads it, on the disk and outside of this process. `use` gets its rows; afterwards
 * nothing of it is left: what a person's spreadsheet says of others is not kept twice.
 */
export const receiveFile = async <Result>(
  { tenantId, stream, wanted, signal }: { tenantId: number; stream: Readable; wanted: Wanted; signal?: AbortSignal },
  use: (file: ReadFile) => Promise<Result>,
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-import-'))
  try {
    const [path, rowsPath] = [join(folder, 'file'), join(folder, 'rows')]
    const { size, sha256 } = await keep(stream, path)
    const outcome = await read(tenantId, { input: { path, rowsPath, wanted }, ...(signal && { signal }) }).catch(
      tooHeavy,
    )
    if ('refusal' in outcome) throw fieldErrors({ path: 'file', message: outcome.refusal })
    return await use({ ...outcome, size, sha256, rowsPath })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
const tooHeavy = (error: unknown): ReadOutput => {
  if (error instanceof AppError && error.code === 'ERR_TOO_HEAVY')
    return { refusal: 'O arquivo fica grande demais quando aberto. Divida-o em arquivos menores ou salve como CSV.' }
  throw error
}

const keep = async (stream: Readable, path: string) => {
  const hash = createHash('sha256')
  let size = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      hash.update(chunk)
      done(size > mostBytes ? tooLarge() : null, chunk)
    },
  })
  await pipeline(stream, meter, createWriteStream(path, { mode: 0o600 }))
  if ('truncated' in stream && stream.truncated) throw tooLarge()
  return { size, sha256: hash.digest('hex') }
}

/** The rows of a file that was read, some at a time. */
export async function* rowsIn(rowsPath: string, atOnce: number): AsyncGenerator<[line: number, cells: string[]][]> {
  let rows: [number, string[]][] = []
  for await (const text of createInterface({
    input: createReadStream(rowsPath),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    rows.push(JSON.parse(text))
    if (rows.length < atOnce) continue
    yield rows
    rows = []
  }
  if (rows.length) yield rows
}
