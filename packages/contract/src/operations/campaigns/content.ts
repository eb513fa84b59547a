import { z } from 'zod'
import { templateUse } from '../../channels/templates.ts'
import { part } from '../../conversations/parts.ts'

/** A template whose places may still be empty: what is missing is told before the start. */
const templateBegun = templateUse.extend({
  body: z.array(z.string().trim().max(1_024)).max(30).default([]),
  header: z.array(z.string().trim().max(60)).max(1).default([]),
  buttons: z.record(z.string(), z.string().trim().max(2_000)).default({}),
})

/** Messages of one send: words, a file, a voice note, buttons; or a template where the channel asks for one. */
export const campaignContent = z.object({
  /** One message after the other; none where a template says it all. */
  parts: z.array(part).max(5, 'Use no máximo 5 mensagens por envio.').default([]),
  /** What goes where the channel takes no other words: its places may have variables. */
  template: templateBegun.nullable().default(null),
  /** File of the template's header, or null. */
  templateMediaId: z.uuid().nullable().default(null),
  /** Of an e-mail. */
  subject: z.string().trim().max(200, 'Use no máximo 200 caracteres.').default(''),
})
export type CampaignContent = z.output<typeof campaignContent>

/** One way of saying it; several are tried against each other, each as often as its weight says. */
export const campaignVariant = z.object({
  weight: z.int('Informe um número inteiro.').min(1, 'O menor peso é 1.').max(100, 'O maior peso é 100.').default(1),
  content: campaignContent,
})
export type CampaignVariant = z.output<typeof campaignVariant>

export const mostVariants = 5
export const variantNames = ['A', 'B', 'C', 'D', 'E'] as const

/** `percent` of the audience gets the variants; after so many hours the rest gets the one that was read or answered most. */
export const abTest = z.object({
  percent: z.int().min(2, 'Teste com pelo menos 2%.').max(90, 'Deixe pelo menos 10% para a vencedora.').default(20),
  hours: z.int().min(1, 'Espere pelo menos 1 hora.').max(168, 'Espere no máximo 7 dias.').default(4),
  by: z.enum(['read', 'answered']).default('answered'),
})
export type AbTest = z.output<typeof abTest>

/** A send, or what follows it: so long after the one before, unless the contact has answered or read that one. */
export const campaignStep = z.object({
  /** Since the step before was sent; the first has none. */
  afterHours: z
    .int()
    .min(0)
    .max(24 * 60, 'Espere no máximo 60 dias.')
    .default(0),
  unless: z.enum(['answered', 'read', 'never']).default('answered'),
  variants: z
    .array(campaignVariant)
    .min(1, 'Escreva a mensagem.')
    .max(mostVariants, `Use no máximo ${mostVariants} variantes.`),
  test: abTest.nullable().default(null),
})
export type CampaignStep = z.output<typeof campaignStep>
export const mostSteps = 5

/** `{Olá|Oi|Bom dia}`: one of them, chosen for each recipient; may stand inside each other. `{{…}}` is a variable. */
const choice = /\{([^{}]*\|[^{}]*)\}/
const held = /\uE000(\d+)\uE000/g

/** The innermost choices first, each replaced by what `make` says of its ways; variables are out of sight meanwhile. */
const resolve = (text: string, make: (ways: string[]) => string): string => {
  const variables: string[] = []
  let rest = text.replace(/\{\{[^{}]*\}\}/g, (whole) => `\uE000${variables.push(whole) - 1}\uE000`)
  for (let found = choice.exec(rest); found; found = choice.exec(rest))
    rest = rest.slice(0, found.index) + make((found[1] ?? '').split('|')) + rest.slice(found.index + found[0].length)
  return rest.replace(held, (_, at: string) => variables[Number(at)] ?? '')
}

/**
 * The text with its choices made. `pick(n)` answers a number from 0 to n - 1; the same picks give the same text.
 * Done before variables are filled in, so that what a contact's data contain is never read as a choice.
 */
export const spin = (text: string, pick: (of: number) => number): string =>
  resolve(text, (ways) => ways[pick(ways.length)] ?? '')

/** A choice that is not closed, or not opened: whoever receives it reads the signs. */
export const hasOpenChoice = (text: string): boolean =>
  /\{[^{}]*\||\|[^{}]*\}/.test(resolve(text.replace(/\{\{[^{}]*\}\}/g, ''), () => ''))

/** How many different texts it can become, up to a million. */
export const waysToSpin = (text: string): number => {
  const counts: number[] = []
  const within = (part: string) =>
    [...part.matchAll(/\uE001(\d+)\uE001/g)].reduce((product, [, at]) => product * (counts[Number(at)] ?? 1), 1)
  const rest = resolve(text, (ways) => {
    const sum = ways.reduce((all, way) => all + within(way), 0)
    return `\uE001${counts.push(sum) - 1}\uE001`
  })
  return Math.min(1_000_000, within(rest))
}

/** The same picks for the same recipient, whoever asks: from its id. */
export const pickerOf = (seed: string) => {
  let state = 2_166_136_261
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return (of: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * of)
  }
}
