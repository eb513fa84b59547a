import type { Place } from '@balcao/contract/conversations/places.ts'

export const searchUrl = (query: string) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(query)}`

/** A place as a message: a card where its point is known, else its words with a link that finds it. */
export const asMessage = ({
  name,
  address,
  latitude,
  longitude,
}: Pick<Place, 'name' | 'address' | 'latitude' | 'longitude'>) => {
  const [title, where] = [name.trim(), address.trim()]
  if (latitude !== null && longitude !== null) {
    const location = { latitude, longitude, ...(title && { name: title }), ...(where && { address: where }) }
    return { type: 'location' as const, location }
  }
  return { body: [title && `*${title}*`, where, searchUrl(where || title)].filter(Boolean).join('\n') }
}
