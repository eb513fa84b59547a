import type { Outbound } from '../adapter.ts'
import { cardOf } from '../content.ts'

type Card = Outbound['contacts'][number]

/** A contact as phones write it (RFC 2426), within the contract's limits. */
export const readVcard = (vcard: string, shownAs?: string): Card => {
  const lines = vcard.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const of = (name: string) =>
    lines.flatMap((line) => {
      const [, found, value] = /^(?:item\d+\.)?([A-Za-z-]+)[^:]*:(.*)$/.exec(line) ?? []
      return found?.toUpperCase() === name && value?.trim() ? [unescaped(value.trim())] : []
    })
  return cardOf({
    name: of('FN')[0] ?? shownAs ?? '',
    phones: of('TEL'),
    emails: of('EMAIL'),
    organization: of('ORG')[0]?.replace(/;+$/, ''),
  })
}
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
