/** As much of JSON Schema as zod writes. */
export type JsonSchema = {
  type?: string | string[]
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  minLength?: number
  maxLength?: number
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  propertyNames?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  $ref?: string
  /** It stands in the place of another property, which the example shows. */
  'x-not-in-example'?: boolean
}

/** Where a value stands: what it is called, and of whom it is told. */
type Place = { name?: string; isPerson?: boolean; depth?: number }

/** A believable value of a schema: what a schema says itself (`examples`), else from its rules and its name. */
export const exampleOf = (schema: JsonSchema, place: Place = {}): unknown => {
  const { depth = 0 } = place
  if (schema.examples?.length) return schema.examples[0]
  if ('const' in schema) return schema.const
  if ('default' in schema && schema.default !== '') return schema.default
  if (schema.enum) return schema.enum[0]
  if (depth > 20) return null
  const inner = { ...place, depth: depth + 1 }
  const [first] = (schema.anyOf ?? schema.oneOf ?? []).filter((one) => one.type !== 'null')
  if (first) return exampleOf(first, inner)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => exampleOf(one, inner)))
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema, inner)
    case 'array':
      return arrayOf(schema, inner)
    case 'string':
      return textOf(schema, place)
    case 'integer':
    case 'number':
      return numberOf(schema, place)
    case 'boolean':
      return true
    default:
      return null
  }
}

const objectOf = (schema: JsonSchema, { depth }: Place) => {
  const { properties, additionalProperties, propertyNames } = schema
  if (!properties && additionalProperties && additionalProperties !== true) {
    const key = propertyNames ? String(exampleOf(propertyNames, { name: 'key' })) : 'chave'
    return { [key]: exampleOf(additionalProperties, { name: key, depth }) }
  }
  const isPerson = ['email', 'number', 'phone', 'profile'].some((name) => name in (properties ?? {}))
  return Object.fromEntries(
    Object.entries(properties ?? {})
      .filter(([, one]) => !one['x-not-in-example'])
      .map(([name, one]) => [name, exampleOf(one, { name, isPerson, depth })]),
  )
}

const arrayOf = ({ items, prefixItems, minItems = 1 }: JsonSchema, place: Place) => {
  if (prefixItems) return prefixItems.map((one) => exampleOf(one, place))
  const name = place.name?.replace(/s$/, '')
  return items ? Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items, { ...place, name })) : []
}

const numberOf = ({ minimum, maximum, exclusiveMinimum }: JsonSchema, { name = '' }: Place) => {
  if (name === 'hour') return 9
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1)
  return Math.min(Math.max(1, least), maximum ?? Infinity)
}

const formats: Record<string, string> = {
  uuid: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b',
  'date-time': '2026-03-10T14:30:00.000Z',
  date: '2026-03-10',
  time: '14:30:00',
  email: 'maria@exemplo.com.br',
  uri: 'https://exemplo.com.br',
}
/** By the name a field has everywhere. */
const words: Record<string, string> = {
  adminEmail: 'maria@exemplo.com.br',
  adminName: 'Maria Souza',
  address: 'Rua das Flores, 100, São Paulo',
  base64: 'dGV4dG8=',
  body: 'Bom dia! Como posso ajudar?',
  channelKey: 'wc_7Qd0pXn2',
  color: '#0b7a75',
  comment: 'Atendimento rápido e gentil.',
  contactName: 'Maria Souza',
  description: 'Ligar para confirmar a entrega.',
  email: 'maria@exemplo.com.br',
  identity: '11222333000181',
  key: 'bomdia',
  language: 'pt_BR',
  message: 'Bom dia! Como posso ajudar?',
  number: '5511987654321',
  nextCursor: 'WyIyMDI2LTAzLTEwIl0',
  origin: 'https://loja.exemplo.com.br',
  phone: '5511987654321',
  profilePicUrl: '/media/019a2b3c/foto.jpg',
  protocol: '2026031000000042',
  title: 'Fale com a gente',
  timezone: 'America/Sao_Paulo',
  url: '/media/019a2b3c/comprovante.pdf',
  userName: 'Ana Lima',
  username: 'Ana Lima',
  whatsappName: 'WhatsApp da loja',
}
/** By the rule alone. */
const samples = ['#0b7a75', '14:30', '2026-03-10', '2026-03-10T14:30', '5511987654321', '01310100', 'a'.repeat(64), '1']

const textOf = ({ format, pattern, minLength = 0, maxLength }: JsonSchema, place: Place): string => {
  const { name = '', isPerson } = place
  const known = (format && formats[format]) || words[name] || (name === 'name' && isPerson && 'Maria Souza')
  const fits = (text: string) => !pattern || new RegExp(pattern, 'u').test(text)
  const text = known && fits(known) ? known : pattern ? (samples.find(fits) ?? 'Vendas') : 'Vendas'
  return text.padEnd(minLength, 'a').slice(0, maxLength)
}
