import { location, vcard } from '@balcao/contract/conversations/messages.ts'
import type { z } from 'zod'

const short = (text: string | undefined, max: number) => text?.trim().slice(0, max) || undefined

/** A place as our contract knows it, whatever length its name has at the provider; undefined when it is not on Earth. */
export const placeOf = (place: z.output<typeof location>): z.output<typeof location> | undefined =>
  location.safeParse({ ...place, name: short(place.name, 200), address: short(place.address, 500) }).data

/** A contact card within the contract's limits. */
export const cardOf = (card: { name: string; phones: string[]; emails?: string[]; organization?: string }) =>
  vcard.parse({
    name: short(card.name, 120) ?? 'Contato',
    phones: card.phones.map((phone) => phone.slice(0, 40)).slice(0, 10),
    emails: (card.emails ?? []).map((email) => email.slice(0, 254)).slice(0, 10),
    organization: short(card.organization, 120),
  })
