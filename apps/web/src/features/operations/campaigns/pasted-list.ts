/** Pasted lines as a file with headings: numbers alone get the heading that the import knows as a phone. */
export const pastedList = (text: string) => {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
  const [first = ''] = lines
  const hasHeadings = lines.length > 1 && !/\d{6}/.test(first.replace(/[\s().+-]/g, '')) && /\p{L}/u.test(first)
  const separator = /[;\t]/.exec(lines[hasHeadings ? 1 : 0] ?? '')?.[0]
  const columns = separator ? (lines[0]?.split(separator).length ?? 1) : 1
  const headings = hasHeadings ? [] : [namesOf(columns).join(separator ?? ';')]
  return {
    /** Without the headings. */
    lines: hasHeadings ? lines.length - 1 : lines.length,
    file: (name: string) => new File([[...headings, ...lines].join('\n')], name, { type: 'text/csv' }),
  }
}

const namesOf = (columns: number) =>
  Array.from({ length: columns }, (_, at) => (at === 0 ? 'telefone' : at === 1 ? 'nome' : `var${at - 1}`))
