import type { Prepared } from '../../../db/database.ts'
import { platformRows } from '../../../db/database.ts'
import { leaseSeconds } from '../../channels/sessions/leases.ts'
import type { FromSession } from '../../channels/sessions/received.ts'
import { sealedChanges } from '../../channels/sessions/state.ts'
import { processJournal, settleOld } from './inbound.service.ts'
import { type Inserted, journalEntries, withPayloads } from './journal.ts'

/**
 * Journals what a session brought, exactly as a webhook's: the provider's state (an offset, a key) commits with it, so
 * that nothing is skipped or asked for twice. A process that lost the session writes nothing.
 */
export const journalFromSession = async ({
  connection,
  owner,
  pieces,
  changes,
  untilHandled,
}: FromSession): Promise<boolean> => {
  const { tenantId, id: connectionId } = connection
  const { entries, payloads } = journalEntries({ tenantId, connectionId }, pieces)
  const { names, values, dropped } = sealedChanges(connectionId, changes)
  const [outcome] = await platformRows<{ isHeld: boolean; stored: Inserted[] | null }>(statement, [
    tenantId,
    connectionId,
    owner,
    leaseSeconds.takerWaits,
    entries.map((entry) => entry.id),
    entries.map((entry) => entry.key),
    entries.map((entry) => entry.payload),
    entries.map((entry) => entry.conversation),
    names,
    values,
    dropped,
  ])
  if (!outcome?.isHeld) return false
  const fresh = withPayloads(entries, payloads, outcome.stored ?? [])
  if (untilHandled) {
    processJournal(connection, fresh)
    await settleOld(connectionId)
  } else setImmediate(() => processJournal(connection, fresh))
  for (const { payload } of fresh) connection.adapter.acknowledge?.(payload, connection.context).catch(() => {}) // a courtesy
  return true
}

const statement: Prepared = {
  name: 'session_receive',
  text: `with lease as (
      select from connection_leases where tenant_id = $1 and connection_id = $2 and owner = $3
        and renewed_at > now() - make_interval(secs => $4) for share
    ), stored as (
      insert into journal (tenant_id, id, connection_id, event_key, payload, conversation)
      select $1, p.id, $2, p.event_key, p.payload, p.conversation
      from unnest($5::uuid[], $6::text[], $7::jsonb[], $8::text[]) as p(id, event_key, payload, conversation), lease
      on conflict do nothing returning id, connection_id, conversation, seq
    ), kept as (
      insert into session_state (tenant_id, connection_id, name, value, updated_at)
      select $1, $2, s.name, s.value, now() from unnest($9::text[], $10::text[]) as s(name, value), lease
      on conflict (tenant_id, connection_id, name) do update set value = excluded.value, updated_at = now()
    ), dropped as (
      delete from session_state where tenant_id = $1 and connection_id = $2 and name = any($11::text[]) and exists (select from lease)
    )
    select exists (select from lease) as "isHeld",
      (select jsonb_agg(jsonb_build_object('tenantId', $1::int, 'id', s.id, 'connectionId', s.connection_id, 'seq', s.seq,
        'behind', array(select o.id from journal o where o.tenant_id = $1 and o.connection_id = s.connection_id
          and o.conversation = s.conversation and o.state = 'received' order by o.seq desc limit 20)) order by s.seq) from stored s) as stored`,
}
