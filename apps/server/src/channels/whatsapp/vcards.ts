import type { Outbound } from '../adapter.ts'
import { cardOf } from '../content.ts'

type Card = Outbound['contacts'][number]

/** A contact as phones write it (RFC 2426), within the contract's limits. */
export const readVcard = (vcard: string, shownAs?: string): Card => {
  const lines = vcard.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const of = (name: string) =>
    lines.flatMap((line) => {
      // Whoever sends it writes the line: what looks for both ends at once would look for minutes.
      const at = line.indexOf(':')
      const [, found] = /^(?:item\d+\.)?([a-z-]+)/i.exec(line.slice(0, Math.max(0, at))) ?? []
      const value = line.slice(at + 1, at + 1 + longestValue).trim()
      return found?.toUpperCase() === name && value ? [unescaped(value)] : []
    })
  return cardOf({
    name: of('FN')[0] ?? shownAs ?? '',
    phones: of('TEL'),
    emails: of('EMAIL'),
    organization: of('ORG')[0]?.replace(/;+$/, ''),
  })
}
const longestValue = 1_000
const unescaped = (value: string) =>
  value.replace(/\\([\\,;nN])/g, (_, one: string) => (one.toLowerCase() === 'n' ? ' ' : one))

/** `waid` is what makes the card's "message" button. */
export const writeVcard = ({ name, phones, emails, organization }: Card): string =>
  [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escaped(name)}`,
    `N:;${escaped(name)};;;`,
    ...(organization ? [`ORG:${escaped(organization)};`] : []),
    ...phones.map((phone) => `TEL;type=CELL;type=VOICE;waid=${phone.replace(/\D/g, '')}:${escaped(phone)}`),
    ...emails.map((email) => `EMAIL:${escaped(email)}`),
    'END:VCARD',
  ].join('\n')
const escaped = (value: string) => value.replace(/\s*\n\s*/g, ' ').replace(/[\\,;]/g, (one) => `\\${one}`)
