/** What a mail of plain text says, and what it only repeats of the one it answers. */
export const withoutQuote = (text: string): { said: string; quoted: string } => {
  const at = quoteStart(text)
  const said = at < 0 ? text : text.slice(0, at).trimEnd()
  return said ? { said, quoted: text.slice(said.length).trim() } : { said: text, quoted: '' }
}

const intro =
  /^(>*[ \t]*)?((em|on|el|le|am)\b[^\n]{4,200}(\n[^\n]{0,120})?\b(escreveu|wrote|escribió|a écrit|schrieb)\s*:|-{2,}\s*(mensagem original|original message|mensagem encaminhada|forwarded message)\s*-{2,}|_{10,}\s*\n(de|from):)/im

/** Where the words of the other mail begin and nothing new comes after them. */
const quoteStart = (text: string): number => {
  const named = intro.exec(text)?.index ?? -1
  const lines = text.split('\n')
  let first = lines.length
  while (first > 0 && /^\s*(>.*)?$/.test(lines[first - 1] ?? '')) first -= 1
  const isMarked = lines.slice(first).some((line) => line.startsWith('>'))
  const marked = isMarked ? lines.slice(0, first).join('\n').length : -1
  const both = [named, marked].filter((at) => at >= 0)
  return both.length ? Math.min(...both) : -1
}
