/**
 * Personal data as placeholders, and back: `[CPF 1]`, `[CARTÃO 1]`, `[TELEFONE 1]`. The same number gets the same
 * placeholder, so a model can still speak of it, and what it says is filled in again for whoever asked.
 */
export const createMask = () => {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  const placeholder = (kind: string, value: string) => {
    const key = `${kind}:${value.replace(/\D/g, '')}`
    const found = known.get(key)
    if (found) return found
    const n = (counts.get(kind) ?? 0) + 1
    counts.set(kind, n)
    const made = `[${kind} ${n}]`
    known.set(key, made)
    originals.set(made, value)
    return made
  }
  const originals = new Map<string, string>()
  const mask = (text: string): string =>
    text.replace(numbers, (found) => {
      const kind = kindOf(found)
      if (!kind) return found
      const [, before = '', value = '', after = ''] = /^(\D*?)(\+?\(?\d[\s\S]*\d)(\D*)$/.exec(found) ?? []
      return value ? `${before}${placeholder(kind, value)}${after}` : found
    })
  const unmask = (text: string): string =>
    originals.size ? text.replace(/\[(?:CPF|CARTÃO|TELEFONE) \d+\]/g, (found) => originals.get(found) ?? found) : text
  return {
    mask,
    unmask,
    maskIn: (value: unknown) => mapTexts(value, mask),
    unmaskIn: (value: unknown) => mapTexts(value, unmask),
  }
}

/** A run of digits as people write them: with points, dashes, brackets and spaces between. */
const numbers = /(?<![\w/.-])\+?\(?\d(?:[ .()/-]{0,2}\d){9,18}(?![\w])/g

const kindOf = (text: string): 'CPF' | 'CARTÃO' | 'TELEFONE' | undefined => {
  const digits = text.replace(/\D/g, '')
  if (digits.length === 11 && isCpf(digits)) return 'CPF'
  if (digits.length >= 13 && digits.length <= 19 && isCard(digits)) return 'CARTÃO'
  return isPhone(digits) ? 'TELEFONE' : undefined
}

const isCpf = (digits: string) => {
  if (/^(\d)\1+$/.test(digits)) return false
  const check = (length: number) => {
    let sum = 0
    for (let at = 0; at < length; at += 1) sum += Number(digits[at]) * (length + 1 - at)
    return ((sum * 10) % 11) % 10
  }
  return check(9) === Number(digits[9]) && check(10) === Number(digits[10])
}
/** Luhn. */
const isCard = (digits: string) => {
  let sum = 0
  for (const [at, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (at % 2 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0 && !/^0+$/.test(digits)
}
/** Of Brazil, with or without 55: an area code and eight digits, or nine that begin with a nine. */
const isPhone = (digits: string) => /^(55)?[1-9][1-9](9\d{8}|[2-5]\d{7})$/.test(digits)

/** Every text inside of a value, changed. Bytes stay. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change))
  if (
    value === null ||
    typeof value !== 'object' ||
    ArrayBuffer.isView(value) ||
    value instanceof URL ||
    value instanceof Date
  )
    return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isBinary(value, name) ? one : mapTexts(one, change)]),
  )
}
/** Pictures and files are base64 or bytes; ids and names of tools are no text of anybody. */
const isBinary = (of: object, name: string) =>
  name === 'image' ||
  name === 'type' ||
  name === 'role' ||
  name === 'toolCallId' ||
  name === 'toolName' ||
  name === 'mediaType' ||
  name === 'providerOptions' ||
  (name === 'data' && 'mediaType' in of)
