import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { email } from '@balcao/contract/common.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { isMeantAsPhone, parsePhone } from '../contacts/phone.ts'

export type Read = { identities: Identity[] } | { problem: string }

/** Whom a line of a list names: every phone and e-mail in it, in whatever column. */
export const readLine = (line: string): Read => {
  const cells = line.split(/[;,\t|]/).map((cell) =>
    cell
      .trim()
      .replace(/^["']|["']$/g, '')
      .trim(),
  )
  const identities = cells.flatMap((cell): Identity[] => {
    if (cell.includes('@')) {
      const { data } = email.safeParse(cell.replace(/^.*<(.+)>$/, '$1'))
      return data ? [{ kind: 'email', value: data }] : []
    }
    const phone = isMeantAsPhone(cell) ? parsePhone(cell) : undefined
    return phone ? [{ kind: 'phone', value: phone }] : []
  })
  if (identities.length) return { identities }
  const isMeant = cells.some((cell) => cell.includes('@') || isMeantAsPhone(cell))
  return { problem: isMeant ? 'O telefone ou e-mail não é válido.' : 'A linha não tem telefone nem e-mail.' }
}

/** The lines of a text as they are numbered for people, without empty ones and headings. */
export const linesOf = (text: string): { place: number; body: string }[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((body, at) => ({ place: at + 1, body: cutText(body.replaceAll('\0', '').trim(), 500) }))
    .filter(({ body }, at) => body && !(at === 0 && !/[\d@]/.test(body)))

/** Where an identity can be written to at all; an e-mail holds on every channel for whoever is known by it. */
export const channelsFor = ({ kind }: Identity, chosen: readonly ChannelKind[]): ChannelKind[] =>
  kind === 'email' ? [...chosen] : chosen.filter((channel) => kind in channels[channel].identities)
