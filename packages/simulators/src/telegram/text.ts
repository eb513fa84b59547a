import type { TextEntity } from '../handset.ts'
import { TelegramError } from './errors.ts'

export type FormattedText = { text: string; entities: TextEntity[] }

/** Turns `parse_mode` markup into plain text and entities, refusing what Telegram refuses. */
export const parseFormatted = (text: string, parseMode: string | undefined): FormattedText => {
  const mode = parseMode?.toLowerCase()
  if (!mode) return { text, entities: [] }
  if (mode === 'html') return parseHtml(text)
  if (mode === 'markdownv2' || mode === 'markdown') return parseMarkdown(text)
  throw new TelegramError(400, 'Bad Request: unsupported parse_mode')
}

const cannotParse = (why: string) => new TelegramError(400, `Bad Request: can't parse entities: ${why}`)

const htmlTags: Record<string, string> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  blockquote: 'blockquote',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
}
const htmlEscapes: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' }

const parseHtml = (source: string): FormattedText => {
  let text = ''
  const entities: TextEntity[] = []
  const open: { tag: string; entity: TextEntity }[] = []
  for (const [token] of source.matchAll(/<[^>]*>|&[a-z]+;|&#\d+;|[^<&]+|[<&]/gi)) {
    if (token === '<') throw cannotParse('Unclosed start tag')
    if (!token.startsWith('<')) {
      text += htmlEscapes[token] ?? token.replace(/^&#(\d+);$/, (_, code) => String.fromCodePoint(Number(code)))
      continue
    }
    const [, slash, tag = '', attributes = ''] = /^<(\/?)([a-z0-9-]+)([^>]*)>$/i.exec(token) ?? []
    const type = htmlTags[tag.toLowerCase()]
    if (!type) throw cannotParse(`Unsupported start tag "${tag}" at byte offset ${Buffer.byteLength(text)}`)
    if (slash) {
      const last = open.pop()
      if (last?.tag !== tag) throw cannotParse(`Unmatched end tag, expected "</${last?.tag ?? ''}>", found "</${tag}>"`)
      last.entity.length = text.length - last.entity.offset
      if (last.entity.length > 0) entities.push(last.entity)
      continue
    }
    const url = /href="([^"]*)"/i.exec(attributes)?.[1]
    open.push({ tag, entity: { type, offset: text.length, length: 0, ...(url && { url }) } })
  }
  const [unclosed] = open
  if (unclosed) throw cannotParse(`Can't find end tag corresponding to start tag "${unclosed.tag}"`)
  return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) }
}

const marks: [string, string][] = [
  ['```', 'pre'],
  ['||', 'spoiler'],
  ['__', 'underline'],
  ['*', 'bold'],
  ['_', 'italic'],
  ['~', 'strikethrough'],
  ['`', 'code'],
]

const parseMarkdown = (source: string): FormattedText => {
  let text = ''
  const entities: TextEntity[] = []
  const open: { mark: string; entity: TextEntity }[] = []
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at)
    const isCode = open.some(({ mark }) => mark.startsWith('`'))
    const [mark, type] = marks.find(([m]) => rest.startsWith(m) && (!isCode || m.startsWith('`'))) ?? []
    if (rest.startsWith('\\') && rest.length > 1) {
      text += rest[1]
      at += 2
    } else if (mark && type) {
      const last = open.at(-1)
      if (last?.mark === mark) {
        open.pop()
        last.entity.length = text.length - last.entity.offset
        if (last.entity.length > 0) entities.push(last.entity)
      } else open.push({ mark, entity: { type, offset: text.length, length: 0 } })
      at += mark.length
    } else if (!isCode && rest.startsWith('[')) {
      const link = /^\[((?:\\.|[^\]])*)\]\(([^)]*)\)/.exec(rest)
      if (!link) throw cannotParse("Character '[' is reserved and must be escaped with the preceding '\\'")
      const label = (link[1] ?? '').replace(/\\(.)/g, '$1')
      entities.push({ type: 'text_link', offset: text.length, length: label.length, url: link[2] })
      text += label
      at += link[0].length
    } else if (!isCode && /^[>#+\-=|{}.!()\]]/.test(rest)) {
      throw cannotParse(`Character '${rest[0]}' is reserved and must be escaped with the preceding '\\'`)
    } else {
      text += rest[0]
      at++
    }
  }
  if (open.length > 0)
    throw cannotParse(`Can't find end of the entity starting at byte offset ${open[0]?.entity.offset}`)
  return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) }
}
