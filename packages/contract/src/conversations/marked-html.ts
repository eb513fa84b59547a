import { parseUserText, type TextPart } from './user-text.ts'

/**
 * What one writes with marks (*negrito* _itálico_ ~riscado~, lines that begin with `- `, `1. ` or `> `) as formatted text.
 * Nothing of it is markup but what stands here.
 */
export const htmlOfMarked = (text: string): string => blocksOfMarked(text).map(htmlOfBlock).join('')

/** The same before it is markup: its paragraphs, lists and quotes. */
export const blocksOfMarked = (text: string): MarkedBlock[] => {
  const blocks: MarkedBlock[] = []
  for (const line of text.split('\n')) {
    const [kind, words] = blockOf(line)
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(words)
    else blocks.push({ kind, lines: [words] })
  }
  return blocks
}

type Block = 'text' | 'bullets' | 'numbers' | 'quote'
export type MarkedBlock = { kind: Block; lines: string[] }
const blockOf = (line: string): [Block, string] => {
  const [, sign, words] = /^\s{0,3}(>|[-•]\s|\d{1,3}[.)]\s)\s*(.*)$/.exec(line) ?? []
  if (sign === undefined || words === undefined) return ['text', line]
  return [sign === '>' ? 'quote' : /\d/.test(sign) ? 'numbers' : 'bullets', words]
}

const htmlOfBlock = ({ kind, lines }: MarkedBlock): string => {
  const items = () => lines.map((line) => `<li>${htmlOfLine(line)}</li>`).join('')
  if (kind === 'bullets') return `<ul>${items()}</ul>`
  if (kind === 'numbers') return `<ol>${items()}</ol>`
  const html = htmlOfLine(lines.join('\n'))
  return kind === 'quote' ? `<blockquote>${html}</blockquote>` : `<div>${html}</div>`
}

const htmlOfLine = (text: string) => parseUserText(text).map(htmlOfPart).join('')

const elements = { bold: 'strong', italic: 'em', strike: 's' } as const
const htmlOfPart = (part: TextPart): string => {
  if (part.kind === 'text') return escaped(part.text).replaceAll('\n', '<br>')
  if (part.kind === 'mono') return `<code>${escaped(part.text)}</code>`
  if (part.kind === 'link') return `<a href="${escaped(part.href)}">${escaped(part.text)}</a>`
  const element = elements[part.kind]
  return `<${element}>${part.parts.map(htmlOfPart).join('')}</${element}>`
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => named[sign] ?? sign)
