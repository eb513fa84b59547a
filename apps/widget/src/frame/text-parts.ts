/** A stretch of message text: plain, a link, or marked as people mark it in WhatsApp (`*forte*`, `_ênfase_`, `~riscado~`). */
export type TextPart = { text: string; href?: string; mark?: 'strong' | 'em' | 's' }

const LINK =
  /\bhttps?:\/\/[^\s<>"]+|\bwww\.[^\s<>"]+\.[^\s<>"]+|\b[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\b/gi

// Nobody marks more than that: a text of nothing but signs would be looked through from each of them.
const MARK = /(^|[\s(])([*_~])(?=\S)([^\n]{0,1000}?\S)\2(?=$|[\s.,;:!?)])/g
const MARK_NAMES = { '*': 'strong', _: 'em', '~': 's' } as const

export const splitText = (text: string): TextPart[] => {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(LINK)) {
    const shown = trimTail(match[0])
    const href = toHref(shown)
    if (!href) continue
    parts.push(...splitMarks(text.slice(from, match.index)), { text: shown, href })
    from = match.index + shown.length
  }
  return [...parts, ...splitMarks(text.slice(from))]
}

/** The same words without links and marks, on one line. */
export const plainText = (text: string): string =>
  splitText(text)
    .map((part) => part.text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

const splitMarks = (text: string): TextPart[] => {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(MARK)) {
    const [whole, before = '', sign, inner = ''] = match
    if (sign !== '*' && sign !== '_' && sign !== '~') continue
    parts.push({ text: text.slice(from, match.index) + before }, { text: inner, mark: MARK_NAMES[sign] })
    from = match.index + whole.length
  }
  return [...parts, { text: text.slice(from) }].filter((part) => part.text !== '')
}

// "(veja https://x.com/a)." ends before the bracket and the full stop; "https://x.com/a_(b)" keeps its bracket.
const trimTail = (url: string): string => {
  let end = url.length
  while (end > 0) {
    const last = url[end - 1] ?? ''
    const isUnbalanced = last === ')' && count(url.slice(0, end), ')') > count(url.slice(0, end), '(')
    if (!/[.,;:!?'*_~\]}]/.test(last) && !isUnbalanced) break
    end--
  }
  return url.slice(0, end)
}

const count = (text: string, sign: string): number => text.split(sign).length - 1

const toHref = (shown: string): string | undefined => {
  const address = /^https?:/i.test(shown) ? shown : /^www\./i.test(shown) ? `https://${shown}` : `mailto:${shown}`
  try {
    return new URL(address).href
  } catch {
    return undefined
  }
}
