import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

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
    const file = isText ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name)
    archive.add(file)
    for await (const chunk of chunks) {
      file.push(chunk)
      yield* take()
    }
    file.push(new Uint8Array(0), true)
    yield* take()
  }
  archive.end()
  yield* take()
}
