/** What a piece of a customer's text is. Everything is plain data: nothing a person types becomes markup. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'bold' | 'italic' | 'strike'; parts: TextPart[] }
  | { kind: 'mono'; text: string }

const styles = { '*': 'bold', _: 'italic', '~': 'strike' } as const
// A marker opens at the start or after a non-word character, hugs its text, and closes before a non-word character.
const token =
  /```([\s\S]+?)```|`([^`\n]+)`|((?:https?:\/\/|www\.)[^\s<>"'`]+)|(?<![\p{L}\p{N}])([*_~])(?=\S)((?:(?!\4)[^\n])+?)(?<=\S)\4(?![\p{L}\p{N}])/gu

/** WhatsApp's *bold* _italic_ ~strike~ `mono` and bare links. */
export const parseUserText = (text: string, depth = 0): TextPart[] => {
  if (depth > 3) return [{ kind: 'text', text }]
  const parts: TextPart[] = []
  let at = 0
  for (const match of text.matchAll(token)) {
    const [whole, block, mono, link, marker, styled] = match
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) })
    at = match.index + whole.length
    if (block !== undefined || mono !== undefined) parts.push({ kind: 'mono', text: block ?? mono ?? '' })
    else if (link) {
      const [address, rest] = splitTrailing(link)
      parts.push({ kind: 'link', text: address, href: address.startsWith('www.') ? `https://${address}` : address })
      if (rest) parts.push({ kind: 'text', text: rest })
    } else if (isMarker(marker)) parts.push({ kind: styles[marker], parts: parseUserText(styled ?? '', depth + 1) })
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) })
  return parts
}

const isMarker = (value: string | undefined): value is keyof typeof styles => value !== undefined && value in styles

/** The full stop that ends the sentence is not part of the address; a closing bracket only if it was opened inside. */
const splitTrailing = (link: string): [string, string] => {
  const end = /(?<![.,;:!?…*_~])[.,;:!?…*_~]+$/.exec(link)?.index ?? link.length
  const address = link.slice(0, end)
  const unopened = address.endsWith(')') && !address.includes('(')
  const cut = unopened ? end - 1 : end
  return [link.slice(0, cut), link.slice(cut)]
}

/** The words alone, for a channel that shows signs as they are. */
export const withoutMarks = (text: string): string => parseUserText(text).map(wordsOf).join('')
const wordsOf = (part: TextPart): string => ('parts' in part ? part.parts.map(wordsOf).join('') : part.text)
