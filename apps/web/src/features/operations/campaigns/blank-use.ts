import type { MessageTemplate, TemplateShape, TemplateUse } from '@balcao/contract/channels/templates.ts'
import { plainText } from '../../../kit/plain-text.ts'

/**
 * A template as one begins with it: a place called like a column of the list takes that column, one that is for a name the
 * name, and the first of those that are only numbered too, as a name comes first more often than not.
 */
export const blankUse = (
  { name, language }: Pick<MessageTemplate, 'name' | 'language'>,
  { header, body, buttons }: TemplateShape,
  columns: readonly string[],
): TemplateUse => {
  const byName = new Map(columns.map((column) => [plainText(column.replace(/^extra\./, '')), column]))
  const valueFor = (place: string) => {
    const column = byName.get(plainText(place))
    if (column) return `{{${column}}}`
    return /nome/i.test(place) ? '{{primeiro_nome}}' : ''
  }
  return {
    name,
    language,
    header: header?.kind === 'text' ? header.places.map(valueFor) : [],
    body: body.places.map((place) => (place === '1' ? '{{primeiro_nome}}' : valueFor(place))),
    buttons: Object.fromEntries(buttons.flatMap((button, at) => (button.takesValue ? [[at, '']] : []))),
  }
}
