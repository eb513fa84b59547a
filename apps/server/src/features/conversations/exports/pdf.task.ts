import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import PDFDocument from 'pdfkit'
import type { HeavyTask } from '../../../kit/heavy/child.ts'
import type { Conversation, ExportedMessage } from './conversation.ts'
import { textFont } from './fonts.ts'
import { colors, type Doc, margin, type Picture, pictureOf, write } from './pdf-text.ts'
import { sizeText } from './size-text.ts'

const waitingBytes = 1024 * 1024

export type PdfInput = Pick<Conversation, 'company' | 'title' | 'facts'> & { path: string }
/** With its picture as a file of this machine, when it has one to show. */
export type PdfItem = ExportedMessage & { picturePath?: string }

/** Writes the conversation as a PDF to `path`, no faster than the disk takes it. Pictures are in it, other files are named. */
export const run: HeavyTask<PdfInput, PdfItem, void> = async ({ company, title, facts, path }, messages) => {
  const out = createWriteStream(path, { mode: 0o600 })
  const written = finished(out)
  written.catch(() => {}) // told below, where it is awaited
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
  for await (const message of messages) {
    if (message.day !== day) {
      doc.moveDown(1)
      write(doc, message.day, { size: 9, color: colors.dim, align: 'center' })
    }
    day = message.day
    writeMessage(doc, message, await pictureOf(message.picturePath))
    // What is not on the disk yet waits in memory, so nothing more is written.
    if (doc.readableLength > waitingBytes) await Promise.race([once(out, 'drain'), written])
  }
  doc.end()
  await written
}

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

const draw = (doc: Doc, { bytes, width, height }: Picture) => {
  const scale = Math.min(1, 260 / width, 260 / height)
  const [w, h] = [width * scale, height * scale]
  if (doc.y + h > doc.page.height - margin) doc.addPage()
  doc.image(bytes, margin, doc.y + 3, { width: w, height: h })
  doc.y += h + 8
}
