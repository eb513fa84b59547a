import type { Page } from '@balcao/contract/common.ts'
import type { Delivery } from '@balcao/contract/core/integrations/deliveries.ts'
import type { InfiniteData } from '@tanstack/react-query'

export type List = InfiniteData<Page<Delivery>>

/**
 * The list, newest first, with what was tried just now: in its place, or at the top where it is newer than all of it. One
 * that the filter no longer wants stays in sight until the list is read again.
 */
export const withDeliveries = (list: List, tried: readonly Delivery[], states: readonly string[]): List => {
  const known = new Map(tried.map((one) => [one.id, one]))
  const listed = new Set(list.pages.flatMap(({ items }) => items.map(({ id }) => id)))
  const newest = list.pages[0]?.items[0]?.id ?? 0
  const fresh = tried
    .filter(({ id, state }) => id > newest && !listed.has(id) && (!states.length || states.includes(state)))
    .toSorted((one, other) => other.id - one.id)
  const pages = list.pages.map((page, n) => {
    const items = page.items.map((one) => newer(one, known.get(one.id)))
    return { ...page, items: n === 0 ? [...fresh, ...items] : items }
  })
  return { ...list, pages }
}

/** Told out of order, the later attempt is the truth; one begun anew counts from the start. */
const newer = (now: Delivery, told: Delivery | undefined) =>
  told && (told.triedAt ?? '') >= (now.triedAt ?? '') ? told : now
