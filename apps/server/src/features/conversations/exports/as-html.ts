import { storage } from '../../../kit/storage.ts'
import { type Entry, zip } from '../../../kit/zip.ts'
import { safeName } from '../../core/media/media.service.ts'
import type { Conversation, ExportedFile, ExportedMessage } from './conversation.ts'
import { sizeText } from './size-text.ts'

/** A zip with the page and, beside it, every file: nothing of it is ever whole in memory. */
export const asHtml = (conversation: Conversation): AsyncGenerator<Uint8Array> => zip(entriesOf(conversation))

async function* entriesOf(conversation: Conversation): AsyncGenerator<Entry> {
  const files: { path: string; file: ExportedFile }[] = []
  const pathOf = (file: ExportedFile) => {
    const path = `arquivos/${String(files.length + 1).padStart(4, '0')}-${harmless(safeName(file.name))}`
    files.push({ path, file })
    return path
  }
  yield { name: 'conversa.html', isText: true, chunks: encoded(page(conversation, pathOf)) }
  for (const { path, file } of files) yield { name: path, isText: false, chunks: bytesOf(file) }
}

/** A file that a browser would run from the disk is only opened as text. */
const harmless = (name: string) =>
  /\.(x?html?|xml|svgz?|m?js|hta|url|lnk|wsf|vbs)$/i.test(name) ? `${name}.txt` : name

async function* encoded(parts: AsyncIterable<string>) {
  const encoder = new TextEncoder()
  for await (const part of parts) yield encoder.encode(part)
}

async function* bytesOf(file: ExportedFile): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await (await storage()).read(file.key)) yield chunk
  } catch {
    // Deleted while we were at it: the others are still worth having.
    yield new TextEncoder().encode('Este arquivo não está mais disponível.')
  }
}

async function* page({ company, title, facts, messages }: Conversation, pathOf: (file: ExportedFile) => string) {
  yield `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-src 'none'">
<title>${escaped(title)}</title><style>${style}</style></head><body><main><header><p>${escaped(company)}</p><h1>${escaped(title)}</h1><dl>${facts
    .map(({ label, value }) => `<div><dt>${label}</dt><dd><bdi>${escaped(value)}</bdi></dd></div>`)
    .join('')}</dl></header>\n`
  let day = ''
  for await (const message of messages) {
    if (message.day !== day) yield `<h2>${message.day}</h2>\n`
    day = message.day
    yield messageOf(message, message.file && pathOf(message.file))
  }
  yield '</main></body></html>'
}

const messageOf = (message: ExportedMessage, path: string | null) => {
  const { side, who, time, marks, quoted, body, place, cards, file, reactions } = message
  if (side === 'system') return `<p class="system">${text(body)} <time>${time}</time></p>\n`
  return `<article class="${side}"><h3><bdi>${escaped(who)}</bdi> <time>${time}</time>${marks.length ? ` <em>${marks.join(', ')}</em>` : ''}</h3>${
    quoted ? `<blockquote dir="auto">${text(quoted)}</blockquote>` : ''
  }${file && path ? media(file, path) : ''}${body ? `<p dir="auto">${text(body)}</p>` : ''}${
    place ? `<p><a href="${escaped(place.url)}" rel="noreferrer">${escaped(place.text)}</a></p>` : ''
  }${cards.map((card) => `<p>Contato: <bdi>${escaped(card)}</bdi></p>`).join('')}${reactions ? `<p class="reactions">${escaped(reactions)}</p>` : ''}</article>\n`
}

const media = (file: ExportedFile, path: string) => {
  const source = escaped(path.split('/').map(encodeURIComponent).join('/'))
  const name = escaped(file.name)
  if (file.kind === 'image' || file.kind === 'sticker')
    return `<a href="${source}"><img src="${source}" alt="${name}" loading="lazy"></a>`
  if (file.kind === 'audio')
    return `<audio controls preload="none" src="${source}"></audio><p><a href="${source}"><bdi>${name}</bdi></a></p>`
  if (file.kind === 'video')
    return `<video controls preload="none" src="${source}"></video><p><a href="${source}"><bdi>${name}</bdi></a></p>`
  return `<p class="file"><a href="${source}" download><bdi>${name}</bdi></a> ${sizeText(file.size)}</p>`
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (given: string) => given.replace(/[&<>"']/g, (sign) => signs[sign] ?? '')
const text = (given: string) => escaped(given).replaceAll('\n', '<br>')

const style = `body{background:#f1f5f4;color:#1c2b2a;font:15px/1.5 system-ui,sans-serif;margin:0}main{margin:0 auto;max-width:860px;padding:24px}
header{background:#fff;border:1px solid #dce5e3;border-radius:12px;padding:20px}header p{color:#556;margin:0}h1{font-size:20px;margin:0 0 12px}
dl{display:grid;gap:4px 24px;grid-template-columns:repeat(auto-fill,minmax(240px,1fr));margin:0}dt{color:#556;font-size:12px}dd{margin:0;overflow-wrap:anywhere}
h2{color:#556;font-size:13px;font-weight:500;margin:24px 0 8px;text-align:center}article{background:#fff;border:1px solid #dce5e3;border-radius:12px;margin:6px 18% 6px 0;overflow-wrap:anywhere;padding:8px 14px;width:fit-content}
article.ours,article.note{background:#dcefed;margin:6px 0 6px auto;max-width:82%}article.note{background:#e4edfb}h3{font-size:12px;margin:0}h3 time,em{color:#556;font-weight:400}
article p{margin:2px 0}blockquote{border-left:3px solid #0b7a75;color:#455;margin:4px 0;padding-left:10px}img,video{border-radius:8px;display:block;margin:4px 0;max-height:360px;max-width:100%}.system{color:#556;font-size:13px;text-align:center}`
