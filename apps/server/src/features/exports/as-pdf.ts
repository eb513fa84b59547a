import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { setImmediate as letOthers } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { storage } from '../../kit/storage.ts'
import { type Conversation, type ExportedFile, type ExportedMessage, sizeText } from './conversation.ts'
import { boldFont, runsOf, textFont } from './fonts.ts'

const margin = 48
/** A larger picture, or one more of them, is only named. */
const maxPictureBytes = 20 * 1024 * 1024
const mostPictures = 1_000
const pictureSide = 1_000
const waitingBytes = 1024 * 1024
/** Everybody else in this process waits while lines are set: never longer than this at a time. */
const turnMs = 12
const colors = { text: '#1c2b2a', dim: '#5b6b69', accent: '#0b7a75', note: '#1c5bb8' }

/** Writes the conversation as a PDF into `out`, no faster than it is taken. Pictures are in it, other files are named. */
export const writePdf = async (conversation: Conversation, out: Writable): Promise<void> => {
  const { company, title, facts } = conversation
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    info: { Title: title, Author: company },
    lang: 'pt-BR',
    font: textFont,
  })
  doc.pipe(out)
  let page = 0
  const number = () => {
    page += 1
    const { y } = doc
    doc.page.margins.bottom = 0
    doc.fontSize(8).fillColor(colors.dim)
    doc.text(`${facts[0]?.value ?? ''} · página ${page}`, margin, doc.page.height - 32, {
      align: 'right',
      lineBreak: false,
    })
    doc.page.margins.bottom = margin
    doc.x = margin
    doc.y = y
  }
  doc.on('pageAdded', number)
  number()
  doc.y = margin

  write(doc, company, { size: 9, color: colors.dim })
  write(doc, title, { size: 16, isBold: true })
  doc.moveDown(0.4)
  for (const { label, value } of facts) write(doc, `${label}: ${value}`, { size: 9 })

  let day = ''
  let pictures = 0
  let since = performance.now()
  for await (const message of conversation.messages) {
    if (message.day !== day) {
      doc.moveDown(1)
      write(doc, message.day, { size: 9, color: colors.dim, align: 'center' })
    }
    day = message.day
    const picture = pictures < mostPictures ? await pictureOf(message.file) : undefined
    if (picture) pictures += 1
    writeMessage(doc, message, picture)
    // What is not on the disk yet waits in memory, so nothing more is written.
    if (doc.readableLength > waitingBytes) await once(out, 'drain')
    if (performance.now() - since < turnMs) continue
    await letOthers()
    since = performance.now()
  }
  const written = finished(out)
  doc.end()
  await written
}

type Doc = InstanceType<typeof PDFDocument>

const writeMessage = (doc: Doc, message: ExportedMessage, picture: Picture | undefined) => {
  const { side, who, time, marks, quoted, body, place, cards, file, reactions } = message
  if (side === 'system')
    return write(doc, `${body} · ${time}`, { size: 8.5, color: colors.dim, align: 'center', gap: 0.3 })
  const color = side === 'note' ? colors.note : side === 'ours' ? colors.accent : colors.text
  doc.moveDown(0.5)
  // Who wrote it stands on the page of the first words.
  if (doc.y + 36 > doc.page.height - margin) doc.addPage()
  write(doc, [who.replace(/\s+/g, ' '), time, ...marks].join(' · '), { size: 9, isBold: true, color })
  if (quoted) write(doc, `“${quoted}”`, { size: 9, color: colors.dim })
  if (picture) draw(doc, picture)
  else if (file) write(doc, `Arquivo: ${file.name} (${sizeText(file.size)})`, { size: 9.5, color: colors.dim })
  if (body) write(doc, body, { size: 10.5 })
  if (place) write(doc, `Localização: ${place.text}`, { size: 9.5, link: place.url })
  for (const card of cards) write(doc, `Contato: ${card}`, { size: 9.5 })
  if (reactions) write(doc, reactions, { size: 10 })
}

type Style = { size: number; isBold?: boolean; color?: string; align?: 'center'; gap?: number; link?: string }

const write = (doc: Doc, given: string, { size, isBold, color = colors.text, align, gap, link }: Style) => {
  if (gap) doc.moveDown(gap)
  doc.fontSize(size).fillColor(color)
  const usual = isBold ? boldFont : textFont
  for (const line of given.split('\n')) {
    const runs = runsOf(line)
    if (!line.trim()) doc.font(usual).text(' ', margin)
    else
      for (const [at, run] of runs.entries()) {
        const options = { align, link, continued: at < runs.length - 1 }
        doc.font(run.font ?? usual)
        if (at === 0) doc.text(run.text, margin, doc.y, options)
        else doc.text(run.text, options)
      }
  }
}

type Picture = { bytes: Buffer; width: number; height: number }

/** A picture fit for paper; undefined when there is none that can be opened. */
const pictureOf = async (file: ExportedFile | null): Promise<Picture | undefined> => {
  if (!file || !['image', 'sticker'].includes(file.kind) || file.size > maxPictureBytes) return undefined
  try {
    const original = await buffer(await (await storage()).read(file.key))
    const { data, info } = await sharp(original, { limitInputPixels: 60_000_000 })
      .rotate()
      .resize({ width: pictureSide, height: pictureSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 72 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch {
    return undefined
  }
}

const draw = (doc: Doc, { bytes, width, height }: Picture) => {
  const scale = Math.min(1, 260 / width, 260 / height)
  const [w, h] = [width * scale, height * scale]
  if (doc.y + h > doc.page.height - margin) doc.addPage()
  doc.image(bytes, margin, doc.y + 3, { width: w, height: h })
  doc.y += h + 8
}
