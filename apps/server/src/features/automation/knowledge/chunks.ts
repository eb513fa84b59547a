import { cutText } from '@balcao/contract/core/cut-text.ts'
/** A piece of a document under its heading. */
export type Section = { heading: string; body: string }

const usual = 900
const most = 1_400
/** So many passages of one source: a book of two thousand pages. */
export const mostChunks = 5_000

/** Passages small enough to be put before a model, whole paragraphs where they fit, whole sentences where not. */
export const chunksOf = (sections: readonly Section[]): Section[] => {
  const chunks: Section[] = []
  for (const { heading, body } of sections) {
    let now = ''
    const put = () => {
      if (now.trim()) chunks.push({ heading: cutText(heading, 200), body: now.trim() })
      now = ''
    }
    for (const piece of piecesOf(body)) {
      if (now && now.length + piece.length > usual) put()
      now = now ? `${now}\n${piece}` : piece
    }
    put()
    if (chunks.length >= mostChunks) return chunks.slice(0, mostChunks)
  }
  return chunks
}

const piecesOf = (body: string): string[] =>
  body
    .split(/\n\s*\n|\n(?=[-•*\d])/)
    .map((one) => one.replace(/[^\S\n]+/g, ' ').trim())
    .filter(Boolean)
    .flatMap((one) => (one.length <= most ? one : sentencesOf(one)))

const sentencesOf = (paragraph: string): string[] => {
  const found: string[] = []
  let now = ''
  for (const sentence of paragraph.split(/(?<=[.!?;])\s+|\n/)) {
    for (let rest = sentence; rest; ) {
      const part = cutText(rest, most)
      rest = rest.slice(part.length)
      if (now && now.length + part.length > usual) {
        found.push(now)
        now = ''
      }
      now = now ? `${now} ${part}` : part
    }
  }
  return now ? [...found, now] : found
}

/** A plain text by its headings: lines of # or short lines that end without a stop before a blank one. */
export const sectionsOfText = (text: string): Section[] => {
  const sections: Section[] = [{ heading: '', body: '' }]
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const heading = /^#{1,6}\s+(.{1,200})$/.exec(line)?.[1]
    const last = sections.at(-1)
    if (heading) sections.push({ heading: heading.trim(), body: '' })
    else if (last) last.body += `${line}\n`
  }
  return sections.filter(({ body }) => body.trim())
}
