import { once } from 'node:events'
import { crc32, createDeflateRaw } from 'node:zlib'
import { Zip, type ZipInputFile, ZipPassThrough } from 'fflate'

export type Entry = { name: string; isText: boolean; chunks: AsyncIterable<Uint8Array> }

/** Entries into a zip as they come; files that are already compressed are only stored. */
export async function* zip(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = []
  let failure: Error | null = null
  const archive = new Zip((error, chunk) => {
    if (error) failure = error
    else if (chunk.length) ready.push(chunk)
  })
  const take = () => {
    if (failure) throw failure
    const taken = ready
    ready = []
    return taken
  }
  for await (const { name, isText, chunks } of entries) {
    const file = isText ? new Deflated(name) : new ZipPassThrough(name)
    archive.add(file)
    for await (const chunk of chunks) {
      await file.push(chunk)
      yield* take()
    }
    await file.push(new Uint8Array(0), true)
    yield* take()
  }
  archive.end()
  yield* take()
}

/** Compressed by Node's own threads, while this one answers others. */
class Deflated implements ZipInputFile {
  readonly filename: string
  readonly compression = 8
  crc = 0
  size = 0
  ondata: ZipInputFile['ondata']
  readonly #deflate = createDeflateRaw({ level: 6 })

  constructor(filename: string) {
    this.filename = filename
    this.#deflate.on('data', (chunk: Buffer<ArrayBuffer>) => this.ondata?.(null, chunk, false))
  }

  async push(chunk: Uint8Array, isLast = false) {
    this.crc = crc32(chunk, this.crc)
    this.size += chunk.length
    if (!this.#deflate.write(chunk)) await once(this.#deflate, 'drain')
    if (!isLast) return
    this.#deflate.end()
    await once(this.#deflate, 'end')
    this.ondata?.(null, new Uint8Array(0), true)
  }
}
