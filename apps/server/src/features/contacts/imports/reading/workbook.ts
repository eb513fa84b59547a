import { SaxesParser } from 'saxes'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { RefusedFile } from './refused.ts'

const megabyte = 1024 * 1024
/** No honest spreadsheet of our size has more inside. */
const mostEntries = 5_000
const mostEntryMb = 600
/** XML packs well; a file made of nothing packs a thousand times. */
const mostRatio = 250

const tooLarge = () =>
  new RefusedFile('A planilha fica grande demais quando aberta. Divida-a em arquivos menores ou salve como CSV.')
const broken = () =>
  new RefusedFile('A planilha está corrompida ou incompleta. Abra-a no Excel, salve de novo como XLSX e envie.')

/** The parts of a workbook, each read as a stream that ends at its limit, whatever the archive says of itself. */
export const openWorkbook = async (path: string): Promise<{ parts: ReadonlyMap<string, Entry>; zip: ZipFile }> => {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => {
    throw broken()
  })
  try {
    if (zip.entryCount > mostEntries) throw tooLarge()
    const parts = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      if (entry.uncompressedSize > mostEntryMb * megabyte) throw tooLarge()
      if (entry.uncompressedSize > 5 * megabyte && entry.uncompressedSize > entry.compressedSize * mostRatio)
        throw tooLarge()
      if (entry.isEncrypted()) throw new RefusedFile('A planilha tem senha. Tire a senha e envie de novo.')
      parts.set(entry.fileName.replace(/^\//, ''), entry)
    }
    return { parts, zip }
  } catch (error) {
    zip.close()
    throw error instanceof RefusedFile ? error : broken()
  }
}

export type Handlers = {
  open?: (name: string, attributes: Record<string, string>) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

/**
 * One XML part, told as it comes, with a rest after each piece; prefixes of names say nothing here. Nothing outside of it
 * is ever read.
 */
export async function* readXml(zip: ZipFile, entry: Entry, handlers: Handlers): AsyncGenerator<void> {
  const parser = new SaxesParser()
  const plain = (name: string) => name.slice(name.indexOf(':') + 1)
  parser.on('error', () => {
    throw broken()
  })
  parser.on('opentag', ({ name, attributes }) => handlers.open?.(plain(name), attributes))
  parser.on('closetag', ({ name }) => handlers.close?.(plain(name)))
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('cdata', (text) => handlers.text?.(text))
  const decoder = new TextDecoder('utf-8')
  let bytes = 0
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > mostEntryMb * megabyte) throw tooLarge()
      parser.write(decoder.decode(chunk, { stream: true }))
      yield
    }
    parser.close()
  } catch (error) {
    throw error instanceof RefusedFile ? error : broken()
  }
}

/** The same of a part that is taken in whole. */
export const readWhole = async (zip: ZipFile, entry: Entry | undefined, handlers: Handlers): Promise<void> => {
  if (!entry) return
  for await (const _ of readXml(zip, entry, handlers));
}
