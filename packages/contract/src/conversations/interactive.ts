import type { Abilities } from '../channels/abilities.ts'
import type { FieldProblem } from '../errors.ts'
import type { Interactive } from './messages.ts'

/** Words with choices under them; the answers of a poll are votes. */
export const choiceKinds = ['buttons', 'list', 'poll'] as const
/**
 * Words with one thing to do under them: share a place, open a link, fill in a form of the channel's, see its catalogue or
 * products of it, give an address.
 */
export const requestKinds = ['place', 'link', 'form', 'catalog', 'products', 'address'] as const
export type RequestKind = (typeof requestKinds)[number]

export const mostChoices = 10
/** The longest title of a button, or of a row of a list. */
export const longestChoice = 24
export const tooManyChoices = `Use no máximo ${mostChoices} opções.`

/** What is wrong with buttons or a list, in one sentence. */
export const choiceProblem = ({ kind, options }: Interactive): string | undefined => {
  if (kind !== 'buttons' && kind !== 'list') return 'Escolha botões ou lista.'
  if (!options.length) return 'Escreva pelo menos uma opção.'
  if (options.length > mostChoices) return tooManyChoices
  if (options.some(({ title }) => title.length > longestChoice))
    return `Cada opção tem no máximo ${longestChoice} caracteres.`
  return repeatedChoice(options)
}

/** Two options that read the same, or that come back as the same. */
export const repeatedChoice = (options: Interactive['options']): string | undefined => {
  const isRepeated = (values: string[]) => new Set(values).size < values.length
  if (isRepeated(options.map(({ title }) => title.toLowerCase()))) return 'Escreva opções diferentes.'
  return isRepeated(options.map(({ id }) => id)) ? 'Cada opção precisa do seu próprio código.' : undefined
}

type Request = Interactive & { kind: RequestKind }
/** It has one thing to do under its words, and no choices. */
export const isRequest = (asked: Interactive): asked is Request => requestKinds.some((kind) => kind === asked.kind)
/** A channel without it sends these as words; every other one it cannot send at all. */
const sayableRequests: readonly RequestKind[] = ['place', 'link']
/** What the channel has to have for it, whatever becomes of its form. */
export const needsRequests = (asked: Interactive) => isRequest(asked) && !sayableRequests.includes(asked.kind)

export const longestRequest = 1_024
const mostProducts = 30
/** What is wrong with a request, by the path of its field in a message; by what Meta takes. */
export const requestProblems = ({ kind, header, button, url, form, catalog, country }: Request, body: string) => {
  const problems: FieldProblem[] = []
  const refuse = (isWrong: boolean, path: string, message: string) => {
    if (isWrong) problems.push({ path, message })
  }
  refuse(body.length > longestRequest, 'body', `Use no máximo ${longestRequest.toLocaleString('pt-BR')} caracteres.`)
  refuse((kind === 'link' || kind === 'form') && !button, 'interactive.button', 'Escreva o texto do botão.')
  refuse(kind === 'link' && !isWebAddress(url), 'interactive.url', 'Escreva o endereço inteiro, com https://.')
  refuse(kind === 'form' && !form?.id, 'interactive.form', 'Escolha o formulário.')
  refuse(kind === 'address' && !country, 'interactive.country', 'Escolha o país.')
  if (kind !== 'products') return problems
  const sections = catalog?.sections ?? []
  const products = sections.flatMap((section) => section.products)
  refuse(!products.length, 'interactive.catalog', 'Escolha pelo menos um produto.')
  refuse(products.length > mostProducts, 'interactive.catalog', `Escolha no máximo ${mostProducts} produtos.`)
  refuse(
    new Set(products.map(({ id }) => id)).size < products.length,
    'interactive.catalog',
    'O mesmo produto está duas vezes na lista.',
  )
  refuse(products.length > 1 && !header, 'interactive.header', 'Uma lista de produtos precisa de um título.')
  refuse(sections.length > 1 && sections.some(({ title }) => !title), 'interactive.catalog', 'Dê um nome a cada seção.')
  return problems
}

const isWebAddress = (url = '') => /^https?:\/\/[^\s]+$/i.test(url) && URL.canParse(url)

/** What stands under the words of a request, in words. */
const requestLines = ({ kind, button, url, form, catalog }: Request): string[] => {
  switch (kind) {
    case 'place':
      return ['Envie sua localização.']
    case 'link':
      return [`${button}: ${url}`]
    case 'form':
      return [`[Formulário: ${form?.name || button}]`]
    case 'address':
      return ['[Pedido de endereço]']
    case 'catalog':
      return ['[Catálogo]']
    case 'products':
      return (catalog?.sections ?? []).flatMap(({ title, products }) => [
        ...(title ? [`${title}:`] : []),
        ...products.map(({ id, name }) => `• ${name || id}`),
      ])
  }
}
/** The choices, or what stands in their place, a line each. */
export const linesOf = (asked: Interactive): string[] =>
  isRequest(asked) ? requestLines(asked) : asked.options.map(({ title }) => title)

/** What a channel makes of a message with choices: as asked where it can, else the other way, else a numbered text. */
export const carriedAs = (
  channel: Pick<Abilities, 'supports' | 'buttonLimits'>,
  { kind, options }: Interactive,
  body: string,
): Interactive['kind'] | 'text' => {
  const { supports, buttonLimits: limits } = channel
  if (kind !== 'buttons' && kind !== 'list') {
    // Whoever presses a button has not voted: what cannot be a poll is read.
    const needed = kind === 'poll' ? kind : 'requests'
    return supports.includes(needed) ? kind : 'text'
  }
  const fitsButtons =
    supports.includes('buttons') &&
    (!limits ||
      (options.length <= limits.most &&
        body.length <= limits.body &&
        options.every(({ title }) => title.length <= limits.title)))
  const can = { buttons: fitsButtons, list: supports.includes('list') }
  const other = kind === 'buttons' ? 'list' : 'buttons'
  if (can[kind]) return kind
  return can[other] ? other : 'text'
}

/** Why choices do not look as they were asked for. */
export const insteadOf = (way: ReturnType<typeof carriedAs>): string => {
  if (way === 'text') return 'as opções vão numeradas no texto.'
  return `as opções vão como ${way === 'buttons' ? 'botões' : way === 'list' ? 'lista' : 'enquete'}.`
}

/** The choices as a text: "1. Sim"; or what stands in their place. */
export const numberedText = (asked: Interactive, body: string): string => {
  const { header, footer, options } = asked
  const lines = isRequest(asked)
    ? requestLines(asked)
    : options.map(({ title, description }, at) =>
        description ? `${at + 1}. ${title} – ${description}` : `${at + 1}. ${title}`,
      )
  return [header, body, lines.join('\n'), footer].filter(Boolean).join('\n\n')
}
