import type { FieldProblem } from '../errors.ts'
import { fillVariables, unknownVariables, type VariableContext } from '../variables.ts'
import type { TemplateCategory, TemplateShape, TemplateUse } from './templates.ts'

const placeholder = /\{\{\s*(\w+)\s*\}\}/g
/** The places of a text, each once: numbered ones by number, named ones as they come. */
export const placesOf = (text: string): string[] => {
  const names = [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))]
  return isNumbered(names) ? names.toSorted((a, b) => Number(a) - Number(b)) : names
}
export const isNumbered = (names: readonly string[]) => names.every((name) => /^\d+$/.test(name))

/** A text cut at its places; an empty value keeps the place's own mark. */
export const filledParts = (
  { text, places }: { text: string; places: readonly string[] },
  values: readonly string[],
): { text: string; place: string | null }[] => {
  const parts: { text: string; place: string | null }[] = []
  let from = 0
  for (const match of text.matchAll(placeholder)) {
    const [mark, place = ''] = match
    parts.push({ text: text.slice(from, match.index), place: null })
    parts.push({ text: values[places.indexOf(place)] || mark, place })
    from = match.index + mark.length
  }
  parts.push({ text: text.slice(from), place: null })
  return parts.filter((part) => part.text)
}
const filled = (...given: Parameters<typeof filledParts>) =>
  filledParts(...given)
    .map((part) => part.text)
    .join('')

export type TemplateValues = Pick<TemplateUse, 'header' | 'body' | 'buttons'>
/** What the customer reads, in parts. */
export const renderTemplate = (shape: TemplateShape, use: TemplateValues) => ({
  header: shape.header?.kind === 'text' ? filled(shape.header, use.header) : '',
  body: filled(shape.body, use.body),
  footer: shape.footer,
  buttons: shape.buttons.map((button, at) => ({
    ...button,
    value: button.takesValue ? button.value.replace(placeholder, '') + (use.buttons[at] ?? '') : button.value,
  })),
})

/** The same as one text: what lists, search and exports know of the message. */
export const templateText = (shape: TemplateShape, use: TemplateValues): string => {
  const { header, body, footer } = renderTemplate(shape, use)
  return [header, body, footer].filter(Boolean).join('\n\n')
}

/** The values with our placeholders filled in, as text: nothing is escaped. */
export const filledValues = ({ header, body, buttons }: TemplateValues, context: VariableContext): TemplateValues => {
  const fill = (text: string) => fillVariables(text, context).trim()
  return {
    header: header.map(fill),
    body: body.map(fill),
    buttons: Object.fromEntries(Object.entries(buttons).map(([at, text]) => [at, fill(text)])),
  }
}

/** Placeholders of ours that stand for nothing, or for what this contact lacks, at their field. */
export const variableProblems = ({ header, body, buttons }: TemplateValues, context: VariableContext): FieldProblem[] =>
  [
    ...header.map((text, at) => [`header.${at}`, text] as const),
    ...body.map((text, at) => [`body.${at}`, text] as const),
    ...Object.entries(buttons).map(([at, text]) => [`buttons.${at}`, text] as const),
  ].flatMap(([place, text]): FieldProblem[] => {
    const path = `template.${place}`
    const [unknown] = unknownVariables(text)
    if (unknown) return [{ path, message: `A variável {{${unknown}}} não existe.` }]
    if (!text.trim() || fillVariables(text, context).trim()) return []
    return [{ path, message: 'O contato não tem o dado desta variável.' }]
  })

const longestBody = 1_024
const longestHeader = 60
const fileNames = { image: 'a imagem', video: 'o vídeo', document: 'o documento' } as const

/** What is missing or does not fit, at the field it belongs to; both sides ask. */
export const templateProblems = (
  shape: TemplateShape,
  use: TemplateValues,
  fileKind: string | null,
): FieldProblem[] => {
  const problems: FieldProblem[] = []
  const complain = (path: string, message: string) => problems.push({ path, message })
  const { header, body, buttons } = shape
  const headerPlaces = header?.places.length ?? 0
  if (header && header.kind !== 'text' && fileKind !== header.kind)
    complain('mediaId', `Escolha ${fileNames[header.kind]} do cabeçalho.`)
  if ((!header || header.kind === 'text') && fileKind !== null) complain('mediaId', 'Este modelo não leva arquivo.')
  if (use.header.length !== headerPlaces) complain('template.header', countText('O cabeçalho', headerPlaces))
  if (use.body.length !== body.places.length) complain('template.body', countText('O texto', body.places.length))
  for (const [at, button] of buttons.entries()) {
    if (button.takesValue && !use.buttons[at]?.trim())
      complain(`template.buttons.${at}`, `Preencha o botão “${button.text}”.`)
  }
  for (const at of Object.keys(use.buttons)) {
    if (!buttons[Number(at)]?.takesValue) complain(`template.buttons.${at}`, 'Este botão não leva variável.')
  }
  const shown = renderTemplate(shape, use)
  if (shown.body.length > longestBody)
    complain('template.body', `Com as variáveis, o texto passa de ${longestBody} caracteres. Encurte os valores.`)
  if (shown.header.length > longestHeader)
    complain('template.header.0', `Com a variável, o cabeçalho passa de ${longestHeader} caracteres.`)
  for (const [name, values] of [
    ['header', use.header],
    ['body', use.body],
  ] as const) {
    for (const [at, value] of values.entries()) {
      // Meta refuses them (132018): a value is one line.
      if (/[\n\t]| {5}/.test(value)) complain(`template.${name}.${at}`, 'Use uma linha só, sem tabulações.')
    }
  }
  return problems
}
const countText = (what: string, count: number) =>
  count === 0
    ? `${what} deste modelo não tem variáveis.`
    : `${what} deste modelo tem ${count} ${count === 1 ? 'variável' : 'variáveis'}.`

/** "R$ 0,34": a price in hundredths of a cent, with the digits it needs. */
export const priceText = (price: number): string =>
  new Intl.NumberFormat('pt-BR', {
    style: 'currency',
    currency: 'BRL',
    maximumFractionDigits: price % 100 && price < 1_000 ? 4 : 2,
  }).format(price / 10_000)

export const templateCategoryLabels: Record<TemplateCategory, string> = {
  MARKETING: 'Marketing',
  UTILITY: 'Utilidade',
  AUTHENTICATION: 'Autenticação',
}
/** What a provider says of a template; one it has invented since is shown as it came. */
export const templateStatusLabels: Partial<Record<string, string>> = {
  APPROVED: 'Aprovado',
  PENDING: 'Em análise',
  REJECTED: 'Recusado',
  PAUSED: 'Pausado',
  DISABLED: 'Desativado',
  IN_APPEAL: 'Em recurso',
  LIMIT_EXCEEDED: 'Limite atingido',
  PENDING_DELETION: 'Em exclusão',
}

export const templateQualityLabels: Partial<Record<string, string>> = { GREEN: 'Alta', YELLOW: 'Média', RED: 'Baixa' }

/** Why Meta refused a template; what it has invented since is shown as it came. */
const rejectionTexts: Partial<Record<string, string>> = {
  ABUSIVE_CONTENT: 'O conteúdo foi considerado abusivo.',
  INVALID_FORMAT: 'As variáveis ou o formato não estão como a Meta pede.',
  PROMOTIONAL: 'É uma promoção: escreva-o como Marketing.',
  TAG_CONTENT_MISMATCH: 'O texto não combina com a categoria ou o idioma escolhidos.',
  INCORRECT_CATEGORY: 'A categoria não é a deste texto.',
  SCAM: 'O conteúdo parece golpe.',
}
export const rejectionText = (reason: string | null): string | null =>
  !reason || reason === 'NONE' ? null : (rejectionTexts[reason] ?? `Motivo da Meta: ${reason}.`)
