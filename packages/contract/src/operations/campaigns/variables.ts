import { cutText } from '../../core/cut-text.ts'
import { placeholdersIn } from '../../variables.ts'
import type { Skipped } from './audience.ts'
import type { CampaignContent, CampaignStep } from './content.ts'

/** Always there, whoever is written to. */
const always = new Set(['saudacao', 'greeting', 'protocol'])

/** What could be sent of a content: its own messages, or its template. */
export type ContentWay = 'parts' | 'template'

/** All texts of a content that may have variables, by the path of their field. */
export const contentTexts = (content: CampaignContent, way?: ContentWay): { path: string; text: string }[] => {
  const { parts, template, subject } = content
  const ofParts = [
    ...parts.map(({ body }, at) => ({ path: `parts.${at}.body`, text: body })),
    { path: 'subject', text: subject },
  ]
  const ofTemplate = template
    ? [
        ...template.header.map((text, at) => ({ path: `template.header.${at}`, text })),
        ...template.body.map((text, at) => ({ path: `template.body.${at}`, text })),
        ...Object.entries(template.buttons).map(([at, text]) => ({ path: `template.buttons.${at}`, text })),
      ]
    : []
  return [...(way === 'template' ? [] : ofParts), ...(way === 'parts' ? [] : ofTemplate)].filter(
    ({ text }) => text !== '',
  )
}

/** The variables of a content that somebody may lack, each once. */
export const contentVariables = (content: CampaignContent, way?: ContentWay): string[] => [
  ...new Set(
    contentTexts(content, way).flatMap(({ text }) =>
      placeholdersIn(text).flatMap(({ name }) => (always.has(name) ? [] : [name])),
    ),
  ),
]

/** Those of all steps and variants: what fallbacks are asked for. */
export const campaignVariables = (steps: readonly CampaignStep[]): string[] => [
  ...new Set(steps.flatMap(({ variants }) => variants.flatMap(({ content }) => contentVariables(content)))),
]

/** Each variable that is named is a count of its own: of a content with more of them the others are not told apart. */
const mostNamed = 20
const longestName = 100
/** Why somebody is left out who lacks this variable of a content. */
export const missingOf = (content: CampaignContent, name: string): Skipped => ({
  reason: 'missingVariable',
  missing: contentVariables(content).indexOf(name) < mostNamed ? cutText(name, longestName) : null,
})

/** A name that is none: whoever has no name goes by their number, or by a word for nobody in particular. */
export const isMadeUpName = (name: string): boolean =>
  /^[+\d\s().-]*$/.test(name) || /^(Visitante|Contato)\b/.test(name)
