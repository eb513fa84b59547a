import { createHash } from 'node:crypto'
import { type Interactive, location, vcard } from '@balcao/contract/conversations/messages.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { z } from 'zod'
import { ChannelError, type Chosen, type Content, type Outbound } from './adapter.ts'

const short = (text: string | undefined, max: number) => cutText(text?.trim() ?? '', max) || undefined

/** A place as our contract knows it, whatever length its name has at the provider; undefined when it is not on Earth. */
export const placeOf = (place: z.output<typeof location>): z.output<typeof location> | undefined =>
  location.safeParse({ ...place, name: short(place.name, 200), address: short(place.address, 500) }).data

/** A poll as our contract knows it; undefined when it asks nothing or offers nothing. `selectable`: 0 for any number. */
export const pollOf = (question: string, options: (string | undefined)[], selectable = 1): Content | undefined => {
  const titles = options.flatMap((one) => short(one, 100) ?? []).slice(0, 12)
  if (!question.trim() || !titles.length) return undefined
  const interactive: Interactive = {
    kind: 'poll',
    header: '',
    footer: '',
    button: '',
    options: titles.map((title, at) => ({ id: String(at + 1), title, description: '' })),
    selectable: Math.max(0, Math.min(Math.trunc(selectable), titles.length)),
  }
  return { type: 'poll', body: question, interactive }
}

/** What was chosen among these titles, by its places; what the poll does not offer was not chosen. */
export const placesOf = (chosen: Chosen[], titles: string[]): number[] => {
  const hashes = titles.map((title) => createHash('sha256').update(title).digest('hex'))
  const placeOf = (title: string) => titles.indexOf(cutText(title.trim(), 100))
  const places = chosen.flatMap((one) => {
    if (typeof one === 'number') return one
    if (typeof one !== 'string') return hashes.indexOf(one.sha256.toLowerCase())
    // Some write several into one text; a title may have a comma of its own.
    return placeOf(one) >= 0 ? placeOf(one) : one.split(/[,\n]/).map(placeOf)
  })
  return [...new Set(places)].filter((place) => place in titles).toSorted((a, b) => a - b)
}

/** The poll a message of ours asks, where a channel carries no other choices. Throws ChannelError. */
export const pollIn = ({ interactive, body }: Outbound): { name: string; options: string[]; selectable: number } => {
  if (interactive?.kind !== 'poll') throw new ChannelError('final', 'Este canal não envia botões nem listas.')
  const { options, selectable = 1 } = interactive
  return { name: body, options: options.map(({ title }) => title), selectable }
}

/** A contact card within the contract's limits. */
export const cardOf = (card: { name: string; phones: string[]; emails?: string[]; organization?: string }) =>
  vcard.parse({
    name: short(card.name, 120) ?? 'Contato',
    phones: card.phones.map((phone) => phone.slice(0, 40)).slice(0, 10),
    emails: (card.emails ?? []).map((email) => email.slice(0, 254)).slice(0, 10),
    organization: short(card.organization, 120),
  })
