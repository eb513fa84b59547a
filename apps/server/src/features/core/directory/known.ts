import { databaseOpenings } from '../../../db/database.ts'
import { allParts, type Part, type Parts, readParts, readVersions, type Versions } from './parts.ts'

/** Other processes' changes are seen after this long at the latest; a change of ours is seen at once. */
const freshMs = 2_000
/** A company nobody asked for in this time is forgotten. */
const keptMs = 10 * 60_000

export type Known<View> = { tenantId: number; parts: Parts; changed: ReadonlySet<Part>; before: View | undefined }
type State<View> = { parts: Parts; versions: Versions; view: View }
type Entry<View> = {
  state: Promise<State<View> | undefined>
  /** When what we hold was last asked for: by the clock, and in the order of questions and doubts. */
  readAt: number
  question: number
  doubt: number
  usedAt: number
}

/**
 * Companies in memory, each by parts. When one is no longer fresh, one statement asks for the versions of all that are
 * not, and only parts that changed are read again. `build` makes of the parts what callers get.
 */
export const knownCompanies = <View>(build: (known: Known<View>) => View) => {
  const entries = new Map<number, Entry<View>>()
  let order = 0
  let opening = 0

  const isFresh = (entry: Entry<View>, now: number) => now - entry.readAt < freshMs && entry.question > entry.doubt

  const load = async (tenantId: number, wanted: readonly Part[], before?: State<View>) => {
    const row = await readParts(tenantId, wanted)
    if (!row) return undefined
    const read = Object.fromEntries(wanted.map((part) => [part, row[part]])) as Partial<Parts> // the statement gives every part it was asked for
    const parts = { ...before?.parts, ...read } as Parts // without a state before, all are asked for
    const versions = { ...before?.versions, ...pick(row.versions ?? {}, wanted) }
    return { parts, versions, view: build({ tenantId, parts, changed: new Set(wanted), before: before?.view }) }
  }

  const renew = async (tenantId: number, before: Entry<View>['state'], all: Promise<ReadonlyMap<number, Versions>>) => {
    const [state, versions] = await Promise.all([before, all.then((known) => known.get(tenantId) ?? {})])
    if (!state) return load(tenantId, allParts)
    const changed = allParts.filter((part) => versions[part] !== state.versions[part])
    return changed.length ? load(tenantId, changed, state) : state
  }

  const keep = (tenantId: number, entry: Entry<View>) => {
    entries.set(tenantId, entry)
    entry.state.catch(() => {
      if (entries.get(tenantId) === entry) entries.delete(tenantId)
    })
    return entry
  }

  /** Asks anew about every company that is due, this one among them. */
  const ask = (tenantId: number, now: number): Entry<View> => {
    order += 1
    const question = order
    const asked = entries.get(tenantId)
    if (!asked) return keep(tenantId, { state: load(tenantId, allParts), readAt: now, question, doubt: 0, usedAt: now })
    for (const [id, entry] of entries) if (id !== tenantId && now - entry.usedAt > keptMs) entries.delete(id)
    const due = [...entries].filter(([, entry]) => !isFresh(entry, now))
    const versions = readVersions(due.map(([id]) => id))
    versions.catch(() => undefined) // each of the entries tells it
    for (const [id, entry] of due)
      keep(id, { ...entry, state: renew(id, entry.state, versions), readAt: now, question })
    return entries.get(tenantId) ?? asked
  }

  return {
    find: async (tenantId: number): Promise<View | undefined> => {
      if (opening !== databaseOpenings()) entries.clear()
      opening = databaseOpenings()
      const now = Date.now()
      const known = entries.get(tenantId)
      const entry = known && isFresh(known, now) ? known : ask(tenantId, now)
      entry.usedAt = now
      return (await entry.state)?.view
    },
    /** What we hold may be old from now on; an answer that is on its way may be too. */
    doubt: (tenantId: number) => {
      order += 1
      const entry = entries.get(tenantId)
      if (entry) entry.doubt = order
    },
  }
}

const pick = (versions: Versions, parts: readonly Part[]): Versions =>
  Object.fromEntries(parts.map((part) => [part, versions[part]]))
