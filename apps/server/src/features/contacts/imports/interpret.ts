import { email as emailText } from '@balcao/contract/common.ts'
import { type ContactField, no, valueProblem, yes } from '@balcao/contract/contacts/contact-fields.ts'
import type { ContactAddress } from '@balcao/contract/contacts/contacts.ts'
import type { ContactImportMapping, ImportTarget } from '@balcao/contract/contacts/imports.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { isIdentity, plainIdentity } from '@balcao/contract/identity.ts'
import { parsePhone } from '../contacts/phone.ts'
import { plainHeading } from './reading/headings.ts'
import { isFormulaError } from './reading/refused.ts'
import { stateCodes } from './states.ts'

/** What a row says, in the form contacts have it; what it does not say is not there. */
export type ImportedFields = {
  name?: string
  /** The first is the one to write to. */
  phones?: string[]
  email?: string
  businessName?: string
  document?: string
  birthdayDate?: string
  notes?: string
  address?: Partial<ContactAddress>
  tagIds?: string[]
  /** Tags that are to be made. */
  newTags?: string[]
  walletIds?: string[]
  laneId?: string
  extra?: Record<string, string>
}

/** What the words of a file are looked up in. */
export type Words = {
  fields: ReadonlyMap<string, Pick<ContactField, 'name' | 'key' | 'type' | 'options'>>
  /** By their names, plain. */
  tags: ReadonlyMap<string, string>
  lanes: ReadonlyMap<string, string>
  /** Also by their addresses. */
  people: ReadonlyMap<string, string>
  mayCreateTags: boolean
}

export type Interpreted = { fields: ImportedFields; keys: string[]; problems: string[] }

/** A row by its mapping: its values, whom it is about, and what of it cannot be. */
export const interpret = (cells: string[], mapping: ContactImportMapping, words: Words): Interpreted => {
  const fields: ImportedFields = {}
  const problems: string[] = []
  let firstName = ''
  let lastName = ''
  const say = (problem: string | undefined) => {
    if (problem) problems.push(problem)
  }
  for (const [at, target] of mapping.entries()) {
    const text = cells[at]?.trim()
    if (!target || !text) continue
    if (isFormulaError(text)) say(`A fórmula da coluna ${at + 1} não tem resultado`)
    else if (target === 'firstName') firstName = text
    else if (target === 'lastName') lastName = text
    else say(take(fields, target, text, words))
  }
  const name = wholeName({ name: fields.name, firstName, lastName })
  const tidy = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  if (tidy.length > 120) say('Nome com mais de 120 letras')
  fields.name = cutText(tidy, 120) || undefined
  return { fields, keys: keysOf(fields), problems }
}

/** "Nome" beside "Sobrenome" is the first part of a name, unless it has the other part in it already. */
const wholeName = ({ name, firstName, lastName }: { name?: string; firstName: string; lastName: string }): string => {
  const isWhole = name && (firstName || ` ${plainHeading(name)} `.includes(` ${plainHeading(lastName)} `))
  return isWhole ? name : [name || firstName, lastName].filter(Boolean).join(' ')
}

/** By what the same person is known in two rows, or in a row and among the contacts. */
const keysOf = ({ phones = [], document, email }: ImportedFields): string[] => {
  const sure = [
    ...phones.map((phone) => `phone:${phone}`),
    ...(document?.length === 11 ? [`document:${document}`] : []),
  ]
  return sure.length || !email ? sure : [`email:${email}`]
}

const take = (fields: ImportedFields, target: ImportTarget, text: string, words: Words): string | undefined => {
  if (target.startsWith('extra.')) return takeExtra(fields, target.slice('extra.'.length), text, words)
  if (target.startsWith('address.')) return takeAddress(fields, target.slice('address.'.length), text)
  switch (target) {
    case 'name':
      fields.name = text
      return undefined
    case 'phone':
      return takePhones(fields, text)
    case 'email': {
      const [first = ''] = text.split(/:::|[;,\s]+/).filter(Boolean)
      const parsed = emailText.safeParse(first)
      if (!parsed.success) return `E-mail inválido: “${short(text)}”`
      fields.email = parsed.data
      return undefined
    }
    case 'businessName':
      fields.businessName = cutText(text, 120)
      return text.length > 120 ? 'Empresa com mais de 120 letras' : undefined
    case 'document':
      return takeDocument(fields, text)
    case 'birthdayDate': {
      const day = dateOf(text)
      if (!day || day > new Date().toISOString().slice(0, 10)) return `Aniversário inválido: “${short(text)}”`
      fields.birthdayDate = day
      return undefined
    }
    case 'notes':
      fields.notes = text
      return undefined
    case 'tags':
      return takeTags(fields, text, words)
    case 'wallets': {
      const named = namesIn(text)
      const found = named.flatMap(
        (one) => words.people.get(one.toLowerCase()) ?? words.people.get(plainHeading(one)) ?? [],
      )
      fields.walletIds = [...new Set([...(fields.walletIds ?? []), ...found])].slice(0, 50)
      return found.length < named.length ? `Responsável não encontrado: “${short(text)}”` : undefined
    }
    case 'lane': {
      const laneId = words.lanes.get(plainHeading(text))
      if (!laneId) return `Etapa não encontrada: “${short(text)}”`
      fields.laneId = laneId
      return undefined
    }
  }
}

const short = (text: string) => (text.length > 60 ? `${cutText(text, 60)}…` : text)
const namesIn = (text: string) => [...new Set(text.split(/:::|[,;|\n]/).flatMap((one) => one.trim() || []))]

const mostPhones = 11
const takePhones = (fields: ImportedFields, text: string): string | undefined => {
  if (/^\d([.,]\d+)?e\+?\d+$/i.test(text))
    return `O Excel encurtou o telefone “${text}”: formate a coluna como texto ou número e salve de novo`
  const typed = text.split(/:::|[;,/|\n]|\s(?:e|ou)\s/).flatMap((one) => one.trim() || [])
  const phones = typed.map((one) => parsePhone(one.replace(/[^\d+().\s-]/g, '')))
  const known = phones.flatMap((phone) => phone ?? [])
  fields.phones = [...new Set([...(fields.phones ?? []), ...known])].slice(0, mostPhones)
  if (!fields.phones.length) fields.phones = undefined
  const wrong = typed.find((_, at) => !phones[at])
  return wrong === undefined ? undefined : `Telefone inválido: “${short(wrong)}” (informe com DDD)`
}

/** Spreadsheets take the zeros in front away. */
const takeDocument = (fields: ImportedFields, text: string): string | undefined => {
  if (text.includes('*')) return undefined // as our own files show it
  const plain = plainIdentity(text)
  const filled = [plain, plain.padStart(11, '0'), plain.padStart(14, '0')].find(isIdentity)
  if (!filled || plain.length < 8) return `CPF ou CNPJ inválido: “${short(text)}”`
  fields.document = filled
  return undefined
}

const takeTags = (fields: ImportedFields, text: string, words: Words): string | undefined => {
  const named = namesIn(text)
  const known = named.flatMap((one) => words.tags.get(plainHeading(one)) ?? [])
  const unknown = named.filter((one) => !words.tags.has(plainHeading(one)))
  fields.tagIds = [...new Set([...(fields.tagIds ?? []), ...known])].slice(0, 50)
  const tooLong = unknown.filter((one) => one.length > 60 || !plainHeading(one))
  if (unknown.length && (!words.mayCreateTags || tooLong.length))
    return `Etiqueta não encontrada: “${short((words.mayCreateTags ? tooLong : unknown).join(', '))}”`
  if (unknown.length) fields.newTags = [...new Set([...(fields.newTags ?? []), ...unknown])].slice(0, 50)
  return undefined
}

const addressLimits: Record<string, number> = { street: 200, number: 20, complement: 100, district: 100, city: 100 }
const takeAddress = (fields: ImportedFields, part: string, text: string): string | undefined => {
  const put = (value: string) => {
    fields.address = { ...fields.address, [part]: value }
    return undefined
  }
  if (part === 'cep') {
    const digits = text.replace(/\D/g, '').padStart(8, '0')
    return digits.length === 8 && /^[\d\s.-]+$/.test(text) ? put(digits) : `CEP inválido: “${short(text)}”`
  }
  if (part === 'state') {
    const plain = plainHeading(text)
    const [code] =
      Object.entries(stateCodes).find(([code, name]) => code.toLowerCase() === plain || name === plain) ?? []
    return code ? put(code) : `Estado inválido: “${short(text)}”`
  }
  return put(cutText(text, addressLimits[part] ?? 100))
}

const takeExtra = (fields: ImportedFields, key: string, text: string, words: Words): string | undefined => {
  const field = words.fields.get(key)
  const value = field ? extraValue(field, text) : cutText(text, 500)
  const problem = field && valueProblem(field, value)
  if (problem) return `${field.name}: ${problem}`
  fields.extra = { ...fields.extra, [key]: value }
  return undefined
}
const extraValue = ({ type, options }: Pick<ContactField, 'type' | 'options'>, text: string): string => {
  if (type === 'date') return dateOf(text) ?? text
  if (type === 'list') return options.find((one) => plainHeading(one) === plainHeading(text)) ?? text
  if (type === 'number') return numberOf(text)
  if (type !== 'boolean') return cutText(text, 500)
  if (/^(s|sim|x|1|true|verdadeiro|yes)$/i.test(text)) return yes
  return /^(n|n[ãa]o|0|false|falso|no)$/i.test(text) ? no : text
}
/** "R$ 1.234,50" and "1234.5" are 1234,5. */
const numberOf = (text: string) => {
  const bare = text.replace(/^R\$\s*/, '').replace(/\s/g, '')
  if (/^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(bare)) return bare.replaceAll('.', '')
  return /^-?\d+\.\d+$/.test(bare) ? bare.replace('.', ',') : bare
}

/** "28/02/1990", "28-2-90" or "1990-02-28" as `1990-02-28`; undefined when there is no such day. */
export const dateOf = (text: string): string | undefined => {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?$/.exec(text) ?? []
  const [, day, month, year] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?: .*)?$/.exec(text) ?? []
  const parts = isoYear ? [isoYear, isoMonth, isoDay] : [year, month, day]
  const [y, m, d] = parts.map(Number)
  if (!y || !m || !d) return undefined
  const whole = y < 100 ? y + (y > new Date().getFullYear() % 100 ? 1900 : 2000) : y
  const at = new Date(Date.UTC(whole, m - 1, d))
  const isReal = whole >= 1900 && at.getUTCMonth() === m - 1 && at.getUTCDate() === d
  return isReal ? at.toISOString().slice(0, 10) : undefined
}
