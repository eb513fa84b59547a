export type Mark = 'bold' | 'italic' | 'bullets' | 'numbers' | 'quote'

export const marks: { mark: Mark; label: string; key?: string }[] = [
  { mark: 'bold', label: 'Negrito', key: 'B' },
  { mark: 'italic', label: 'Itálico', key: 'I' },
  { mark: 'bullets', label: 'Lista' },
  { mark: 'numbers', label: 'Lista numerada' },
  { mark: 'quote', label: 'Citação' },
]

type Span = { start: number; end: number }
/** What takes the place of `start` to `end`, and what of it is selected then. */
export type Marked = Span & { piece: string; selected: Span }

/** Puts a mark around the selected words, or before the selected lines; where it stands already, takes it away. */
export const marked = (text: string, { start, end }: Span, mark: Mark): Marked =>
  mark === 'bold' || mark === 'italic'
    ? around(text, { start, end }, mark === 'bold' ? '*' : '_')
    : before(text, { start, end }, mark)

const around = (text: string, { start, end }: Span, sign: string): Marked => {
  const words = text.slice(start, end)
  // A mark hugs its words: spaces that were selected with them stay outside.
  const lead = words.length - words.trimStart().length
  const from = words.trim() ? start + lead : start
  const to = words.trim() ? from + words.trim().length : end
  const said = text.slice(from, to)
  if (text[from - 1] === sign && text[to] === sign)
    return { start: from - 1, end: to + 1, piece: said, selected: { start: from - 1, end: to - 1 } }
  return { start: from, end: to, piece: sign + said + sign, selected: { start: from + 1, end: to + 1 } }
}

const before = (text: string, span: Span, mark: Exclude<Mark, 'bold' | 'italic'>): Marked => {
  const start = text.lastIndexOf('\n', span.start - 1) + 1
  const next = text.indexOf('\n', span.end)
  const end = next < 0 ? text.length : next
  const lines = text.slice(start, end).split('\n')
  const signs = /^(- |> ?|\d+\. )/
  const isOn = lines.every(
    (line) =>
      line.startsWith(mark === 'bullets' ? '- ' : mark === 'quote' ? '>' : '') &&
      (mark !== 'numbers' || /^\d+\. /.test(line)),
  )
  const piece = lines
    .map((line, at) => {
      const bare = line.replace(signs, '')
      if (isOn) return bare
      return (mark === 'bullets' ? '- ' : mark === 'quote' ? '> ' : `${at + 1}. `) + bare
    })
    .join('\n')
  return { start, end, piece, selected: { start: start + piece.length, end: start + piece.length } }
}
