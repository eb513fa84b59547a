import type PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { breakLongWords } from './break-words.ts'
import { boldFont, runsOf, textFont } from './fonts.ts'

export type Doc = InstanceType<typeof PDFDocument>
export const margin = 48
export const lineWidth = 595.28 - 2 * margin
const pictureSide = 1_000
export const colors = { text: '#1c2b2a', dim: '#5b6b69', accent: '#0b7a75', note: '#1c5bb8' }

/** Pairs moved together and the like cost eight times the rest; what is no word is not worth it, nor worth remembering. */
const plainLetters = Object.fromEntries(
  ['kern', 'mark', 'mkmk', 'liga', 'clig', 'calt', 'rlig', 'ccmp', 'locl'].map((feature) => [feature, false]),
) as unknown as PDFKit.Mixins.TextOptions['features'] // its types know the list alone

type Style = { size: number; isBold?: boolean; color?: string; align?: 'center' | 'right'; gap?: number; link?: string }

/** Words of anybody on the page, from its left margin on: every alphabet we have, emoji, words of any length. */
export const write = (doc: Doc, given: string, { size, isBold, color = colors.text, align, gap, link }: Style) => {
  if (gap) doc.moveDown(gap)
  doc.fontSize(size).fillColor(color)
  const usual = isBold ? boldFont : textFont
  doc.font(usual)
  for (const { text, hasLongWord } of breakLongWords(given, { width: lineWidth, widthOf: widthIn(doc, usual, size) })) {
    const runs = runsOf(text)
    if (!text.trim()) doc.font(usual).text(' ', margin)
    else
      for (const [at, run] of runs.entries()) {
        const options = {
          align,
          link,
          continued: at < runs.length - 1,
          ...(hasLongWord ? { features: plainLetters } : {}),
        }
        doc.font(run.font ?? usual)
        if (at === 0) doc.text(run.text, margin, doc.y, options)
        else doc.text(run.text, options)
      }
  }
}

const widths = new Map<string, number>()
/** How wide a sign stands in this font, which the document has chosen: emoji as their own font draws them, about a square. */
const widthIn = (doc: Doc, font: string, size: number) => (sign: string) => {
  const key = `${font} ${sign}`
  const known = widths.get(key)
  if (known !== undefined) return known * size
  const width = /\p{Extended_Pictographic}/u.test(sign) ? 1.3 : doc.widthOfString(sign) / size
  widths.set(key, width)
  return width * size
}

export type Picture = { bytes: Buffer; width: number; height: number }

/** A picture fit for paper; undefined when there is none that can be opened. */
export const pictureOf = async (path: string | undefined): Promise<Picture | undefined> => {
  if (!path) return undefined
  try {
    const { data, info } = await sharp(path, { limitInputPixels: 60_000_000 })
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
