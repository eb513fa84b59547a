import { paceOf } from '@balcao/contract/channels/define.ts'
import { channelKinds, channels } from '@balcao/contract/channels/index.ts'

/** How fast each kind may send, for the claims. */
export const paces = JSON.stringify(Object.fromEntries(channelKinds.map((kind) => [kind, paceOf(channels[kind])])))

/** How fast a connection `n` may send, of kind pace `k`: by its own options, else as its kind may. */
export const pacedColumns = `coalesce((n.options->>'restSeconds')::float * 1000, 1000 / (k.pace->>'perSecond')::float) as rest_ms,
  coalesce((n.options->>'restVaries')::int, 0) as jitter,
  case when n.options ? 'restSeconds' then 1 else (k.pace->>'burst')::int end as burst,
  (n.options->>'pairSeconds')::int as pair_seconds`
