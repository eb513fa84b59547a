import { email } from '../../common.ts'
import type { MessageType } from '../../conversations/messages.ts'
import { readNumber } from '../../core/number.ts'
import { plainWords } from '../../core/plain-words.ts'
import { wallTimeOf } from '../../core/wall-time.ts'
import { isIdentity, plainIdentity } from '../../identity.ts'
import type { AnswerKind } from './graph.ts'
import { showNumber } from './numbers.ts'
import type { Said } from './run.ts'

export const answerLabels: Record<AnswerKind, string> = {
  text: 'Texto',
  name: 'Nome',
  email: 'E-mail',
  cpf: 'CPF',
  cnpj: 'CNPJ',
  phone: 'Telefone',
  date: 'Data',
  number: 'Número',
  file: 'Arquivo ou foto',
  location: 'Localização',
}
/** What is said to an answer that is not of its kind, where the step says nothing of its own. */
export const invalidTexts: Record<AnswerKind, string> = {
  text: 'Escreva sua resposta em texto, por favor.',
  name: 'Escreva seu nome, por favor.',
  email: 'Esse e-mail não parece certo. Escreva como nome@exemplo.com, por favor.',
  cpf: 'Esse CPF não confere. Escreva os 11 números, por favor.',
  cnpj: 'Esse CNPJ não confere. Escreva os 14 caracteres, por favor.',
  phone: 'Escreva o telefone com DDD, como (11) 98765-4321, por favor.',
  date: 'Escreva a data como dia/mês/ano, por favor. Exemplo: 25/12/2026.',
  number: 'Escreva só o número, por favor.',
  file: 'Envie o arquivo ou a foto por aqui, por favor.',
  location: 'Envie sua localização pelo clipe do aplicativo, por favor.',
}

const fileLabels: Partial<Record<MessageType, string>> = {
  image: 'Foto',
  video: 'Vídeo',
  audio: 'Áudio',
  sticker: 'Figurinha',
}
/** An answer as people read it: a day is kept as `2026-12-25`, a file by the id of its message. */
export const answerWords = (kind: AnswerKind, answer: string, said: readonly Said[] = []): string => {
  if (kind === 'date') return answer.split('-').reverse().join('/')
  const file = kind === 'file' ? said.find(({ fileId }) => fileId === answer) : undefined
  if (!file) return answer
  return [fileLabels[file.type] ?? 'Arquivo', file.text.trim()].filter(Boolean).join(': ')
}

type Reading = { now: Date; timezone: string }
/** The answer in the words of a customer, as it is kept: the newest that is one, else all their words together. */
export const readAnswer = (kind: AnswerKind, said: readonly Said[], at: Reading): string | undefined => {
  if (kind === 'text') {
    const whole = said.flatMap(({ text }) => text.trim() || []).join('\n')
    return whole || undefined
  }
  for (const one of said.toReversed()) {
    const read = readers[kind](one, at)
    if (read !== undefined) return read
  }
  return undefined
}

type Reader = (said: Said, at: Reading) => string | undefined
const ofText =
  (read: (text: string, at: Reading) => string | undefined): Reader =>
  ({ text }, at) => {
    const given = text.trim().slice(0, mostRead)
    return given ? read(given, at) : undefined
  }
/** An answer of a kind is short, and looking for it costs the square of what is looked through. */
const mostRead = 1_000

const identity = (length: number) =>
  ofText((text) => {
    const found = text.match(/[\dA-Za-z][\dA-Za-z\s./-]{9,}[\dA-Za-z]/)?.[0] ?? ''
    const plain = plainIdentity(/^[^A-Za-z]*$/.test(found) || length === 14 ? found : text.replace(/[^\d]/g, ''))
    return plain.length === length && isIdentity(plain) ? plain : undefined
  })

const readers: Record<Exclude<AnswerKind, 'text'>, Reader> = {
  name: ofText((text) => {
    const name = text
      .replace(/^(oi|ol[aá]|bom dia|boa tarde|boa noite)[\s,!.]+/i, '')
      .replace(/^(meu nome (é|e)|me chamo|eu sou|sou|aqui (é|e)|nome:?)\s+(o |a )?/i, '')
      .replace(/[\s.,!]+$/, '')
      .replace(/\s+/g, ' ')
    return /^\p{L}[\p{L}\p{M}.'’ -]{1,119}$/u.test(name) ? name : undefined
  }),
  email: ofText((text) => email.safeParse(text.match(/[^\s<>,;:()]+@[^\s<>,;:()]+/)?.[0].replace(/[.!?]+$/, '')).data),
  cpf: identity(11),
  cnpj: identity(14),
  phone: ofText((text) => {
    const digits = text.replace(/\D/g, '').replace(/^0+/, '')
    return /^(\d{10,11}|55\d{10,11}|[1-9]\d{11,14})$/.test(digits) ? digits : undefined
  }),
  date: ofText(readDate),
  number: ofText((text) => {
    const value = numberSaid(text)
    return value === undefined ? undefined : showNumber(value)
  }),
  file: ({ fileId }) => fileId ?? undefined,
  location: ({ location }) => (location ? `${location.latitude},${location.longitude}` : undefined),
}

const ones = 'zero um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze'.split(' ')
const tens = 'dez vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem'.split(' ')
const numberWords = new Map<string, number>([
  ...tens.map((word, at) => [word, (at + 1) * 10] as const),
  ...ones.map((word, at) => [word, at] as const),
  ...['dezesseis', 'dezessete', 'dezoito', 'dezenove'].map((word, at) => [word, at + 16] as const),
  ...([
    ['uma', 1],
    ['duas', 2],
    ['catorze', 14],
  ] as const),
])
/** With these beside it a number is another one, or none. */
const otherNumber = /^(mil|milhao|milhoes|bilhao|bilhoes|cento|duzias?|meia|meio|menos|mais|entre|quase|ou)$/
/** One number, in digits, as an emoji or a word, and what is counted beside it: "2", "duas pessoas", "R$ 50", "10kg". */
function numberSaid(text: string): number | undefined {
  const plain = text
    .replaceAll('🔟', '10')
    .normalize('NFKC')
    .replace(/[\uFE0F\u20E3]/g, '')
  const whole = readNumber(plain.replace(/^r\$\s*/i, ''))
  if (whole !== undefined) return whole
  const words = plain.trim().split(/\s+/).slice(0, 7)
  const bare = words.map(plainWords)
  if (words.length > 6 || bare.some((word) => otherNumber.test(word))) return undefined
  const found = words.flatMap((word, at) => numberIn(word) ?? numberWords.get(bare[at] ?? '') ?? [])
  return found.length === 1 ? found[0] : undefined
}
const numberIn = (word: string) =>
  readNumber(word.replace(/^r\$/i, '').replace(/([\d])(reais|anos?|un|kg|g|km|m|cm|l|x|%)?[.,!?]*$/i, '$1'))

const months = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']
const aroundToday: Record<string, number> = { hoje: 0, amanha: 1, ontem: -1, 'depois de amanha': 2 }
/** A day as people write it, as `2026-12-25`; without its year, that of today. */
function readDate(text: string, { now, timezone }: Reading): string | undefined {
  const today = wallTimeOf(now, timezone).slice(0, 10)
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[.!,]+$/, '')
    .trim()
  const away = aroundToday[plain]
  if (away !== undefined)
    return new Date(Date.parse(`${today}T12:00:00Z`) + away * 86_400_000).toISOString().slice(0, 10)
  const iso = plain.match(/^(\d{4})-(\d{1,2})-(\d{1,2})$/)
  if (iso) return realDay(iso[1], iso[2], iso[3])
  const numbers = plain.match(/\b(\d{1,2})[/.\- ](\d{1,2})(?:[/.\- ](\d{4}|\d{2}))?\b/)
  if (numbers) return realDay(fullYear(numbers[3], today), numbers[2], numbers[1])
  const packed = plain.match(/^(\d{2})(\d{2})(\d{4})$/)
  if (packed) return realDay(packed[3], packed[2], packed[1])
  const worded = plain.match(/\b(\d{1,2})º? (?:de )?([a-z]{3,9})(?: (?:de )?(\d{4}|\d{2}))?\b/)
  const month = months.indexOf(worded?.[2]?.slice(0, 3) ?? '')
  return worded && month >= 0 ? realDay(fullYear(worded[3], today), String(month + 1), worded[1]) : undefined
}
/** Two digits are of this century up to ten years ahead, else of the last. */
const fullYear = (year: string | undefined, today: string) => {
  const current = Number(today.slice(0, 4))
  if (!year) return String(current)
  if (year.length === 4) return year
  const here = Math.floor(current / 100) * 100 + Number(year)
  return String(here > current + 10 ? here - 100 : here)
}
const realDay = (year = '', month = '', day = ''): string | undefined => {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${text}T12:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}
