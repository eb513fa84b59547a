import { z } from 'zod'
import { GraphError } from './errors.ts'
import type { TemplateParameter, TemplateUse } from './outbound.ts'

const button = z.looseObject({
  type: z.enum(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'FLOW', 'OTP', 'CATALOG', 'MPM', 'VOICE_CALL']),
  text: z.string().max(25).optional(),
  url: z.string().optional(),
})

const component = z.looseObject({
  type: z.enum(['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL']),
  format: z.enum(['TEXT', 'IMAGE', 'VIDEO', 'GIF', 'DOCUMENT', 'LOCATION']).optional(),
  text: z.string().optional(),
  example: z.looseObject({}).optional(),
  buttons: z.array(button).max(10).optional(),
})
export type TemplateComponent = z.infer<typeof component>

export const templateInput = z.object({
  name: z
    .string()
    .max(512)
    .regex(/^[a-z0-9_]+$/),
  language: z.string().min(2),
  category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']),
  parameter_format: z.enum(['NAMED', 'POSITIONAL']).default('POSITIONAL'),
  components: z.array(component).min(1),
})
export type TemplateInput = z.input<typeof templateInput>

export type TemplateStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'PAUSED' | 'DISABLED'

export type Template = z.output<typeof templateInput> & {
  id: string
  status: TemplateStatus
  rejected_reason: string
  quality_score: { score: string }
}

/** Checks a new template against the limits of section 5; refuses with code 100. */
export const parseTemplate = (body: unknown): z.output<typeof templateInput> => {
  const parsed = templateInput.safeParse(body)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new GraphError(100, `${issue?.path.join('.')}: ${issue?.message}`)
  }
  if (parsed.data.category === 'AUTHENTICATION')
    return { ...parsed.data, components: parsed.data.components.map(accessComponent) }
  for (const part of parsed.data.components) checkComponent(part)
  if (!parsed.data.components.some((part) => part.type === 'BODY')) throw new GraphError(100, 'A BODY is required')
  return parsed.data
}

/** Of an access code only these are chosen: Meta writes the words, and gives its button an address. */
const accessComponent = (part: TemplateComponent): TemplateComponent => {
  const refuse = (what: string): never => {
    throw new GraphError(100, `${what} is not allowed in an AUTHENTICATION template`, { subcode: 2388042 })
  }
  switch (part.type) {
    case 'BODY': {
      const parsed = z.looseObject({ add_security_recommendation: z.boolean().default(false) }).parse(part)
      const warning = parsed.add_security_recommendation ? ' Para sua segurança, não o compartilhe.' : ''
      const example = { body_text: [['123456']] }
      return { ...part, text: `*{{1}}* é seu código de verificação.${warning}`, example }
    }
    case 'FOOTER': {
      const { data } = z.looseObject({ code_expiration_minutes: z.int().min(1).max(90) }).safeParse(part)
      return data
        ? { ...part, text: `Este código expira em ${data.code_expiration_minutes} minutos.` }
        : refuse('This footer')
    }
    case 'BUTTONS': {
      const [button, ...others] = part.buttons ?? []
      if (others.length || (button?.type !== 'OTP' && button?.type !== 'URL')) return refuse('These buttons')
      const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}'
      return { ...part, buttons: [{ ...button, type: 'URL', text: button.text ?? 'Copiar código', url }] }
    }
    default:
      return refuse(part.type)
  }
}

/** A place at either end of the body is refused when a template is written. */
export const checkEdges = ({ category, components }: z.output<typeof templateInput>) => {
  if (category === 'AUTHENTICATION') return
  const text = components.find(({ type }) => type === 'BODY')?.text ?? ''
  if (/^\s*\{\{|\}\}\s*$/.test(text))
    throw new GraphError(100, 'Variables cannot be at the start or end of the template.', { subcode: 2388299 })
}

const limits = { HEADER: 60, BODY: 1024, FOOTER: 60 } as const

const checkComponent = (part: TemplateComponent) => {
  if (part.type === 'BUTTONS' || part.type === 'CAROUSEL') return
  const text = part.text ?? ''
  if (text.length > limits[part.type]) throw new GraphError(100, `${part.type} is longer than ${limits[part.type]}`)
  const names = placeholders(text)
  if (part.type === 'FOOTER' && names.length > 0) throw new GraphError(100, 'FOOTER takes no parameters')
  if (part.type === 'HEADER' && names.length > 1) throw new GraphError(100, 'HEADER takes one parameter')
  const needsExample = names.length > 0 || (part.format && part.format !== 'TEXT' && part.format !== 'LOCATION')
  if (needsExample && !part.example) throw new GraphError(100, `${part.type} has parameters and no example`)
}

const placeholders = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{\s*([a-z0-9_]+)\s*\}\}/g)].map((match) => match[1] ?? '')),
]

/** What the phone shows of a template message, once its parameters are known to fit. */
export type RenderedTemplate = {
  header?: string
  headerMedia?: { id?: string; link?: string; filename?: string }
  text: string
  footer?: string
  buttons: { id: string; title: string; url?: string }[]
}

/** Fits parameters to a template: 132000 when the number differs, 132012 when the kind does. */
export const renderTemplate = (template: Template, use: TemplateUse): RenderedTemplate => {
  const rendered: RenderedTemplate = { text: '', buttons: [] }
  const given = (type: string) => use.components?.find((part) => part.type.toLowerCase() === type)?.parameters ?? []
  for (const part of template.components) {
    if (part.type === 'BODY') rendered.text = fill(template, part.text ?? '', given('body'), 'body')
    if (part.type === 'FOOTER') rendered.footer = part.text
    if (part.type === 'HEADER') {
      if (!part.format || part.format === 'TEXT')
        rendered.header = fill(template, part.text ?? '', given('header'), 'header')
      else if (part.format !== 'LOCATION') rendered.headerMedia = headerMedia(part.format, given('header'))
    }
    if (part.type === 'BUTTONS') rendered.buttons = renderButtons(part, use)
  }
  return rendered
}

const fill = (template: Template, text: string, parameters: TemplateParameter[], where: string): string => {
  const names = placeholders(text)
  if (parameters.length !== names.length) {
    throw new GraphError(
      132000,
      `${where}: number of localizable_params (${parameters.length}) does not match the expected number of params (${names.length})`,
    )
  }
  const values = new Map<string, string>()
  for (const [index, parameter] of parameters.entries()) {
    const name = template.parameter_format === 'NAMED' ? parameter.parameter_name : String(index + 1)
    if (!name || !names.includes(name)) throw new GraphError(132012, `${where}: parameter name is missing or unknown`)
    values.set(name, parameterText(parameter, where))
  }
  return text.replace(/\{\{\s*([a-z0-9_]+)\s*\}\}/g, (whole, name) => values.get(name) ?? whole)
}

const parameterText = (parameter: TemplateParameter, where: string): string => {
  const value =
    parameter.type === 'text' ? parameter.text : Reflect.get(Object(parameter[parameter.type]), 'fallback_value')
  if (typeof value !== 'string' || value === '') throw new GraphError(132012, `${where}: text parameter expected`)
  return value
}

const headerMedia = (format: string, parameters: TemplateParameter[]) => {
  const expected = format === 'GIF' ? 'video' : format.toLowerCase()
  const [parameter] = parameters
  if (!parameter) throw new GraphError(132000, `header: a parameter of type ${expected} is expected`)
  const media = z
    .looseObject({ id: z.string().optional(), link: z.string().optional(), filename: z.string().optional() })
    .safeParse(parameter[expected])
  if (parameter.type !== expected || !media.success) {
    throw new GraphError(
      132012,
      `header: Format mismatch, expected ${format}, received ${parameter.type.toUpperCase()}`,
    )
  }
  return media.data
}

const renderButtons = (part: TemplateComponent, use: TemplateUse) =>
  (part.buttons ?? []).map((button, index) => {
    const given = use.components?.find(
      (component) => component.type.toLowerCase() === 'button' && String(component.index) === String(index),
    )
    const [parameter] = given?.parameters ?? []
    const title = button.text ?? button.type
    if (button.type === 'URL') {
      const takesOne = placeholders(button.url ?? '').length === 1
      if (takesOne !== (parameter !== undefined))
        throw new GraphError(132000, `button ${index}: url parameter mismatch`)
      const url = (button.url ?? '').replace(
        /\{\{.*?\}\}/,
        parameter ? parameterText(parameter, `button ${index}`) : '',
      )
      return { id: String(index), title, url }
    }
    if (button.type === 'COPY_CODE' && (parameter?.type !== 'coupon_code' || !parameter.coupon_code)) {
      throw new GraphError(132000, `button ${index}: coupon_code parameter expected`)
    }
    const payload = parameter?.type === 'payload' && typeof parameter.payload === 'string' ? parameter.payload : title
    return { id: payload, title }
  })

/** `GET …/message_templates` with its filters and cursor. */
export const listTemplates = (templates: Template[], query: Record<string, string>) => {
  const matching = templates.filter(
    ({ name, status, language }) =>
      (!query.name || name.includes(query.name)) &&
      (!query.status || status === query.status) &&
      (!query.language || language === query.language),
  )
  const limit = Math.min(Number(query.limit ?? 25), 100)
  const start = query.after ? Number(Buffer.from(query.after, 'base64').toString()) : 0
  const end = start + limit
  const cursor = (index: number) => Buffer.from(String(index)).toString('base64')
  return {
    data: matching.slice(start, end).map((template) => pick(template, query.fields)),
    paging: {
      cursors: { before: cursor(start), after: cursor(Math.min(end, matching.length)) },
      ...(end < matching.length && { next: `message_templates?after=${cursor(end)}` }),
    },
  }
}

/** Graph's `fields` parameter. */
export const pick = (row: object, fields: string | undefined) => {
  if (!fields) return row
  const wanted = new Set(['id', ...fields.split(',')])
  return Object.fromEntries(Object.entries(row).filter(([key]) => wanted.has(key)))
}
