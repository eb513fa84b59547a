const unread = ['style', 'script', 'head', 'title', 'template']
const breaking = /^\/?(p|div|br|tr|li|h[1-6]|table|ul|ol|blockquote|hr|section|article|pre)$/
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** What a formatted mail says as plain text. Reads each letter once, whatever is written there. */
export const textOfHtml = (html: string): string => {
  const lower = html.toLowerCase()
  const said: string[] = []
  for (let at = 0; at < html.length; ) {
    const opens = html.indexOf('<', at)
    said.push(html.slice(at, opens < 0 ? undefined : opens).replace(/\s+/g, ' '))
    if (opens < 0) break
    if (html.startsWith('<!--', opens)) {
      const ends = html.indexOf('-->', opens)
      if (ends < 0) break
      at = ends + 3
      continue
    }
    const closes = html.indexOf('>', opens)
    if (closes < 0) break
    const name = /^\/?[a-z][a-z\d]*/.exec(lower.slice(opens + 1, opens + 20))?.[0] ?? ''
    if (breaking.test(name)) said.push('\n')
    at = closes + 1
    if (!unread.includes(name)) continue
    const ends = lower.indexOf(`</${name}`, at)
    if (ends < 0) break
    at = ends
  }
  return unescaped(said.join(''))
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const unescaped = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (all, ten, sixteen, name) => {
    if (name) return named[name.toLowerCase()] ?? all
    const code = ten ? Number(ten) : Number.parseInt(sixteen, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
