import { paceOf } from '@balcao/contract/channels/define.ts'
import { channelKinds, channels } from '@balcao/contract/channels/index.ts'

/** How fast each kind may send, for the claims. */
export const paces = JSON.stringify(Object.fromEntries(channelKinds.map((kind) => [kind, paceOf(channels[kind])])))

/** How fast a connection `n` may send, of kind pace `k`: by its own options, else as its kind may. */
export const pacedColumns = `coalesce((n.options->>'restSeconds')::float * 1000, 1000 / (k.pace->>'perSecond')::float) as rest_ms,
  coalesce((n.options->>'restVaries')::int, 0) as jitter,
  case when n.options ? 'restSeconds' then 1 else (k.pace->>'burst')::int end as burst,
  (n.options->>'pairSeconds')::int as pair_seconds`

type Claim = { connectionId: string; isOfMany: boolean; restsForMs: number }
/**
 * In how many milliseconds each of a claim leaves. What goes to many is spread over the time its connection rests for it:
 * twenty at once are twenty answers, records and receipts at once too, and whoever writes meanwhile waits behind them.
 */
export const oneByOne = <Taken extends Claim>(claimed: Taken[]): [taken: Taken, inMs: number][] =>
  [...Map.groupBy(claimed, ({ connectionId }) => connectionId).values()].flatMap((some) =>
    some.map((one, at): [Taken, number] => [one, one.isOfMany ? Math.max(0, (at * one.restsForMs) / some.length) : 0]),
  )
