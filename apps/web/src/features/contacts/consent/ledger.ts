import type { ConsentEntry, Purpose } from '@balcao/contract/contacts/consent.ts'

/** What was said at one moment, of all identities and purposes it was said for. */
export type Said = Omit<ConsentEntry, 'identity' | 'purpose'> & { purposes: Purpose[] }
/** The ledger as people read it, newest first: one line for one word. */
export const linesOf = (entries: readonly ConsentEntry[]): Said[] => {
  const lines = new Map<string, Said>()
  for (const { identity: _, purpose, ...entry } of entries) {
    const { channel, isGiven, source, proof, author, at } = entry
    const key = JSON.stringify([channel, isGiven, source, proof, author.id, at])
    const line = lines.get(key) ?? { ...entry, purposes: [] }
    if (!line.purposes.includes(purpose)) line.purposes.push(purpose)
    lines.set(key, line)
  }
  return [...lines.values()]
}

export type Standing = Pick<ConsentEntry, 'channel' | 'purpose'> & { isGiven: boolean }
/** What holds now of each channel and purpose somebody spoke of: a no by any identity is a no. */
export const standingOf = (entries: readonly ConsentEntry[]): Standing[] => {
  const seen = new Set<string>()
  const standing = new Map<string, Standing>()
  for (const { identity, channel, purpose, isGiven } of entries) {
    const place = `${channel}:${purpose}`
    const own = `${place}:${identity.kind}:${identity.value}`
    if (seen.has(own)) continue
    seen.add(own)
    if (isGiven === null) continue
    const known = standing.get(place)
    standing.set(place, { channel, purpose, isGiven: isGiven && (known?.isGiven ?? true) })
  }
  return [...standing.values()]
}
