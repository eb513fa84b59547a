import { readFile } from 'node:fs/promises'
import { SaxesParser } from 'saxes'
import { openPromise } from 'yauzl'
import type { HeavyTask } from '../../../kit/heavy/child.ts'
import { RefusedFile } from '../../contacts/imports/reading/refused.ts'
import { openSheet } from '../../contacts/imports/reading/xlsx.ts'
import { type Section, sectionsOfText } from './chunks.ts'
import { sectionsOfHtml } from './html-text.ts'

export type DocumentInput = { path: string; mime: string; name: string }
export type DocumentOutput = { refusal: string } | { title: string; sections: Section[] }

const megabyte = 1024 * 1024
/** What is read of one source; a book has a million letters. */
const mostLetters = 3_000_000
const mostPages = 2_000

/** The text of a document, or why there is none. Runs in a process of its own: whatever the file does ends with it. */
export const run: HeavyTask<DocumentInput, never, DocumentOutput> = async ({ path, mime, name }) => {
  try {
    const { title, sections } = await readAs(path, mime, name)
    const letters = sections.reduce((sum, { body }) => sum + body.length, 0)
    if (letters > mostLetters) return { refusal: 'O documento é grande demais. Divida-o em partes.' }
    if (!sections.some(({ body }) => body.trim()))
      return { refusal: 'Não há texto neste documento. Se for uma digitalização, envie uma versão com texto.' }
    return { title, sections }
  } catch (error) {
    if (error instanceof RefusedFile) return { refusal: error.message }
    throw error
  }
}

type Read = { title: string; sections: Section[] }
const readAs = async (path: string, mime: string, name: string): Promise<Read> => {
  if (mime === 'application/pdf') return readPdf(path)
  if (/wordprocessingml/.test(mime) || /\.docx$/i.test(name)) return readDocx(path)
  if (/spreadsheetml/.test(mime) || /\.xlsx$/i.test(name)) return readXlsx(path)
  const text = decoded(await readFile(path))
  if (mime === 'text/html' || /\.html?$/i.test(name)) return sectionsOfHtml(text)
  if (mime.startsWith('text/') || /\.(txt|md|csv)$/i.test(name)) return { title: '', sections: sectionsOfText(text) }
  throw new RefusedFile('Envie um PDF, DOCX, XLSX, HTML ou texto.')
}

/** UTF-8, else what old Windows programs write. */
const decoded = (bytes: Buffer) => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const readPdf = async (path: string): Promise<Read> => {
  const { getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(new Uint8Array(await readFile(path))).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw new RefusedFile(isLocked ? 'O PDF tem senha. Tire a senha e envie de novo.' : 'O PDF está corrompido.')
  })
  if (document.numPages > mostPages) throw new RefusedFile(`O PDF tem mais de ${mostPages} páginas. Divida-o.`)
  const sections: Section[] = []
  let letters = 0
  for (let number = 1; number <= document.numPages && letters <= mostLetters; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const body = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    letters += body.length
    sections.push({ heading: `Página ${number}`, body })
    page.cleanup()
  }
  return { title: '', sections }
}

const brokenDocx = () =>
  new RefusedFile('O documento está corrompido. Abra-o no Word, salve de novo como DOCX e envie.')
/** What is inside counts as it is opened, whatever the archive says of itself. */
const mostDocxBytes = 80 * megabyte
const readDocx = async (path: string): Promise<Read> => {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => {
    throw brokenDocx()
  })
  try {
    if (zip.entryCount > 5_000) throw brokenDocx()
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== 'word/document.xml') continue
      if (entry.isEncrypted()) throw new RefusedFile('O documento tem senha. Tire a senha e envie de novo.')
      return await paragraphs(await zip.openReadStreamPromise(entry))
    }
    throw brokenDocx()
  } finally {
    zip.close()
  }
}
const paragraphs = async (stream: AsyncIterable<Buffer>): Promise<Read> => {
  const sections: Section[] = [{ heading: '', body: '' }]
  let [line, isText, style, letters, bytes] = ['', false, '', 0, 0]
  const parser = new SaxesParser()
  parser.on('error', () => {
    throw brokenDocx()
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'w:p') [line, style] = ['', '']
    else if (name === 'w:pStyle') style = String(attributes['w:val'] ?? '')
    else if (name === 'w:tab') line += '\t'
    else if (name === 'w:br') line += '\n'
    isText = name === 'w:t'
  })
  parser.on('text', (text) => {
    if (isText) line += text
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'w:t') isText = false
    if (name !== 'w:p') return
    letters += line.length
    if (letters > mostLetters) throw new RefusedFile('O documento é grande demais. Divida-o em partes.')
    if (/^(heading|t[ií]tulo)/i.test(style) && line.trim()) sections.push({ heading: line.trim(), body: '' })
    else {
      const last = sections.at(-1)
      if (last) last.body += `${line}\n\n`
    }
  })
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > mostDocxBytes) throw new RefusedFile('O documento é grande demais. Divida-o em partes.')
    parser.write(decoder.decode(chunk, { stream: true }))
  }
  parser.write(decoder.decode()).close()
  return { title: '', sections: sections.filter(({ body }) => body.trim()) }
}

const mostRowsRead = 20_000
/** Each row is a sentence: heading and value, so that a passage stands for itself. */
const readXlsx = async (path: string): Promise<Read> => {
  const sheet = await openSheet(path)
  try {
    const lines: string[] = []
    let headings: string[] | undefined
    for await (const { cells } of sheet.rows) {
      if (!headings) {
        headings = cells.map(String)
        continue
      }
      const said = cells.flatMap((cell, at) => (cell ? `${headings?.[at] || `Coluna ${at + 1}`}: ${cell}` : []))
      if (said.length) lines.push(said.join('; '))
      if (lines.length >= mostRowsRead) break
    }
    return { title: '', sections: [{ heading: sheet.name, body: lines.join('\n\n') }] }
  } finally {
    sheet.close()
  }
}
