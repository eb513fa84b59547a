import { cleanCell, type Row } from './refused.ts'
import { type Encoding, lettersOf } from './text-file.ts'

/** What a card says, as columns with the names people give them. */
export const cardHeadings = [
  'Nome',
  'Telefone',
  'Telefone 2',
  'Telefone 3',
  'Telefone 4',
  'E-mail',
  'Empresa',
  'Aniversário',
  'Observações',
  'Rua',
  'Complemento',
  'Cidade',
  'Estado',
  'CEP',
]

/** A picture in a card is longer than that, and not wanted. */
const mostLineLetters = 20_000

/** The cards of a file, as phones and address books write them: versions 2.1, 3.0 and 4.0. */
export const vcardRows = (path: string, encoding: Encoding): AsyncGenerator<Row> => cardsIn(lettersOf(path, encoding))

export async function* cardsIn(letters: AsyncIterable<string>): AsyncGenerator<Row> {
  let card: Line[] | undefined
  let count = 0
  for await (const text of unfolded(linesOf(letters))) {
    const line = readLine(text)
    if (!line) continue
    if (line.name === 'BEGIN' && /^vcard$/i.test(line.value)) card = []
    else if (line.name === 'END' && card) {
      count += 1
      yield { line: count, cells: cellsOf(card).map(cleanCell) }
      card = undefined
    } else if (card && card.length < 200) card.push(line)
  }
}

type Line = { name: string; params: string; value: string }
const readLine = (text: string): Line | undefined => {
  const [, name, params = '', value = ''] =
    /^(?:[\w-]+\.)?([A-Za-z-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/s.exec(text) ?? []
  if (!name) return undefined
  const isQuoted = /quoted-printable/i.test(params)
  const charset = /charset=["']?([\w-]+)/i.exec(params)?.[1]
  return { name: name.toUpperCase(), params, value: isQuoted ? unquoted(value, charset) : value }
}

async function* linesOf(letters: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of letters) {
    const lines = (rest + text.replace(/^\ufeff/, '')).split(/\r\n|\n|\r(?!$)/)
    rest = (lines.pop() ?? '').slice(0, mostLineLetters)
    yield* lines
  }
  if (rest) yield rest
}

/** What goes on in the next line: begun with a space, or ended with the sign of quoted-printable. */
async function* unfolded(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  let open: string | undefined
  for await (const line of lines) {
    const isQuoted = open?.endsWith('=') && /quoted-printable/i.test(open)
    if (open !== undefined && (isQuoted || /^[ \t]/.test(line))) {
      if (open.length < mostLineLetters) open = isQuoted ? open.slice(0, -1) + line : open + line.slice(1)
      continue
    }
    if (open !== undefined) yield open
    open = line
  }
  if (open !== undefined) yield open
}

const unquoted = (text: string, charset = 'utf-8') => {
  const bytes = Buffer.from(
    text.replace(/=([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

const unescaped = (value: string) =>
  value.replace(/\\([\\,;:nN])/g, (_, one: string) => (one.toLowerCase() === 'n' ? '\n' : one))
/** Parts between semicolons that are not escaped. */
const partsOf = (value: string) => value.split(/(?<!\\);/).map((part) => unescaped(part).trim())

const cellsOf = (card: Line[]): string[] => {
  const of = (name: string) => card.filter((line) => line.name === name && line.value.trim())
  const first = (name: string) => of(name)[0]?.value ?? ''
  const [family = '', given = '', middle = ''] = partsOf(first('N'))
  const name = unescaped(first('FN')) || [given, middle, family].filter(Boolean).join(' ')
  const phones = of('TEL')
    .sort((a, b) => rankOf(b) - rankOf(a))
    .map(({ value, params }) => phoneIn(value, params))
  const [, complement = '', street = '', city = '', state = '', cep = ''] = partsOf(first('ADR'))
  return [
    name,
    ...[0, 1, 2, 3].map((at) => [...new Set(phones)][at] ?? ''),
    unescaped(first('EMAIL')),
    partsOf(first('ORG'))[0] ?? '',
    birthday(first('BDAY')),
    unescaped(first('NOTE')),
    street,
    complement,
    city,
    state,
    cep,
  ]
}
/** Mobiles before the others, what is preferred before all. */
const rankOf = ({ params }: Line) => (/pref/i.test(params) ? 2 : 0) + (/cell|waid/i.test(params) ? 1 : 0)
/** WhatsApp says in `waid` whom it is; `tel:` is how version 4 writes it. */
const phoneIn = (value: string, params: string) => {
  const waid = /waid=(\d+)/i.exec(params)?.[1]
  return waid ? `+${waid}` : value.replace(/^tel:/i, '').replace(/;ext=.*$/i, '')
}
/** `1990-02-28`, `19900228`, or without its year, which is left out: an iPhone writes 1604 then. */
const birthday = (value: string) => {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(value) ?? []
  return year && year !== '1604' ? `${day}/${month}/${year}` : ''
}
