import type { CampaignRow } from '@balcao/contract/operations/campaigns/campaigns.ts'

type Run = Pick<
  CampaignRow,
  'id' | 'name' | 'state' | 'startsAt' | 'startedAt' | 'endsAt' | 'endsAbout' | 'connections'
>
export type Conflict = { one: Run; other: Run; connection: string; from: string }

/** Two that send by one channel at the same time; those that are over disturb nobody. */
export const conflictsOf = (rows: readonly Run[]): Conflict[] => {
  const open = rows.filter(({ state }) => ['scheduled', 'preparing', 'running', 'paused'].includes(state))
  return open.flatMap((one, at) =>
    open.slice(at + 1).flatMap((other) => {
      const [a, b] = [spanOf(one), spanOf(other)]
      if (a.from > b.until || b.from > a.until) return []
      return one.connections
        .filter(({ id }) => other.connections.some((shared) => shared.id === id))
        .map(({ name }) => ({ one, other, connection: name, from: new Date(Math.max(a.from, b.from)).toISOString() }))
    }),
  )
}

/** One of which nobody knows the end takes a day. */
const spanOf = ({ startedAt, startsAt, endsAt, endsAbout }: Run) => {
  const from = Date.parse(startedAt ?? startsAt ?? '')
  return { from, until: Date.parse(endsAbout ?? endsAt ?? '') || from + 86_400_000 }
}
