import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { itemTotal, type OpportunityItem } from '@balcao/contract/sales/opportunities.ts'
import PDFDocument from 'pdfkit'
import type { HeavyTask } from '../../../kit/heavy/child.ts'
import { textFont } from '../../conversations/exports/fonts.ts'
import { colors, type Doc, lineWidth, margin, pictureOf, write } from '../../conversations/exports/pdf-text.ts'

export type ProposalPdf = {
  path: string
  company: string
  /** The company's picture as a file of this machine. */
  logoPath: string | null
  number: number
  title: string
  contact: string
  text: string
  items: readonly OpportunityItem[]
  /** In cents. */
  value: number
  /** As they are printed. */
  createdOn: string
  expiresOn: string
  accepted: string | null
}

/** Writes a proposal as a PDF to `path`. */
export const run: HeavyTask<ProposalPdf, never, void> = async (given) => {
  const out = createWriteStream(given.path, { mode: 0o600 })
  const written = finished(out)
  written.catch(() => {}) // told below, where it is awaited
  const name = `Proposta nº ${given.number}`
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    info: { Title: name, Author: given.company },
    lang: 'pt-BR',
    font: textFont,
  })
  doc.pipe(out)
  const logo = await pictureOf(given.logoPath ?? undefined)
  if (logo) {
    const scale = Math.min(1, 150 / logo.width, 56 / logo.height)
    doc.image(logo.bytes, margin, margin, { width: logo.width * scale, height: logo.height * scale })
    doc.y = margin + logo.height * scale + 12
  }
  write(doc, given.company, { size: 11, color: colors.dim })
  write(doc, name, { size: 20, isBold: true, gap: 0.4 })
  write(doc, given.title, { size: 13, gap: 0.2 })
  write(doc, `Para: ${given.contact}`, { size: 10, color: colors.dim, gap: 0.6 })
  write(doc, `Feita em ${given.createdOn}. Vale até ${given.expiresOn}.`, { size: 10, color: colors.dim })
  if (given.text) write(doc, given.text, { size: 10.5, gap: 1 })
  doc.moveDown(1)
  for (const item of given.items) drawItem(doc, item)
  rule(doc)
  doc.moveDown(0.4)
  write(doc, `Total: ${reais(given.value)}`, { size: 14, isBold: true, align: 'right' })
  if (given.accepted) write(doc, given.accepted, { size: 10, color: colors.accent, gap: 1 })
  doc.end()
  await written
}

const drawItem = (doc: Doc, item: OpportunityItem) => {
  // A product stands on one page.
  if (doc.y + 48 > doc.page.height - margin) doc.addPage()
  rule(doc)
  write(doc, item.name, { size: 10.5, isBold: true, gap: 0.4 })
  const parts = [
    `${item.quantity.toLocaleString('pt-BR')} × ${reais(item.price)}`,
    item.discountPercent ? `desconto de ${item.discountPercent.toLocaleString('pt-BR')}%` : '',
  ]
  const { y } = doc
  write(doc, parts.filter(Boolean).join(', '), { size: 9.5, color: colors.dim })
  const below = doc.y
  doc.y = y
  write(doc, reais(itemTotal(item)), { size: 10.5, align: 'right' })
  doc.y = Math.max(below, doc.y) + 4
}
const rule = (doc: Doc) => {
  doc
    .moveTo(margin, doc.y)
    .lineTo(margin + lineWidth, doc.y)
    .lineWidth(0.5)
    .strokeColor('#d5dedc')
    .stroke()
}

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const reais = (cents: number) => money.format(cents / 100)
