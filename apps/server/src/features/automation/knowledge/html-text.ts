import sanitizeHtml from 'sanitize-html'
import type { Section } from './chunks.ts'

const titleOf = (html: string) => /<title[^>]{0,200}>([^<]{1,300})<\/title>/i.exec(html.slice(0, 100_000))?.[1] ?? ''
const blocks = [
  'p',
  'div',
  'li',
  'tr',
  'br',
  'section',
  'article',
  'table',
  'ul',
  'ol',
  'blockquote',
  'pre',
  'td',
  'th',
]
const titles = ['h1', 'h2', 'h3', 'h4']

/** What a reader sees of a page, by its headings; menus, footers, scripts and styles left out. */
export const sectionsOfHtml = (html: string): { title: string; sections: Section[] } => {
  // Two letters of private use mark headings.
  const kept = sanitizeHtml(html.replace(/[\uE000\uE001]/g, ''), {
    allowedTags: [...blocks, ...titles],
    allowedAttributes: {},
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'nav', 'footer', 'svg', 'template', 'title'],
  })
  const sections: Section[] = [{ heading: '', body: '' }]
  const text = kept
    .replace(/<h[1-4]>/g, '\uE000')
    .replace(/<\/h[1-4]>/g, '\uE001')
    .replace(/<\/?(?:p|div|li|tr|section|article|table|ul|ol|blockquote|pre)\s*\/?>|<br\s*\/?>/g, '\n\n')
    .replace(/<\/?t[dh]>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
  for (const [at, piece] of unescaped(text).split('\uE000').entries()) {
    const [heading = '', ...rest] = at ? piece.split('\uE001') : ['', piece]
    sections.push({ heading: heading.replace(/\s+/g, ' ').trim(), body: rest.join(' ') })
  }
  return { title: unescaped(titleOf(html)).trim(), sections: sections.filter(({ body }) => body.trim()) }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const unescaped = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
    if (code !== undefined) return code > 0 && code < 0x11_00_00 ? String.fromCodePoint(code) : ''
    return entities[String(name).toLowerCase()] ?? whole
  })
