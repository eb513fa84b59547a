import type { DeliveryState } from '@balcao/contract/core/integrations/deliveries.ts'
import type { Prepared } from '../../../db/database.ts'
import type { DeliveryTopic } from '../../../db/schema/core/deliveries.ts'
import { jumping } from '../../../kit/queue-sql.ts'

/** One that was taken and not spoken of again, because its process ended, is taken anew after this long. */
const leaseS = 60
/** Of one consumer in one round: so many lanes at once. */
const perConsumer = 4
/** For each place a company has, so many stay free for the others: one alone fills a fifth, and no few fill all. */
const freePerPlace = 4

export const isDeliveryDue = `select from deliveries where state = 'waiting' and due_at <= now()`

/**
 * The head of each lane that is due, for `$1` free places of this process: companies in turn, each after what it holds of
 * them (`$3`, `$4`); none of the consumers (`$2`) that have enough. Consumers are found by jumping from one to the next, so
 * that a backlog of one costs the others nothing.
 */
export const claimDue: Prepared = {
  name: 'deliveries_claim',
  text: `with recursive lanes as (
      ${jumping('deliveries', ['tenant_id', 'consumer_id'], "state = 'waiting'")}
    ), heads as (
      select d.tenant_id, d.seq, d.due_at,
        coalesce(h.places, 0) + row_number() over (partition by d.tenant_id order by d.due_at, d.seq) as place
      from lanes l
      join consumers c on c.tenant_id = l.tenant_id and c.id = l.consumer_id and c.state = 'active'
        and c.rests_until <= now() and c.id <> all($2::uuid[])
      left join unnest($3::int[], $4::int[]) as h(tenant_id, places) on h.tenant_id = l.tenant_id
      cross join lateral (
        select d.tenant_id, d.seq, d.due_at from deliveries d
        where d.tenant_id = c.tenant_id and d.consumer_id = c.id and d.state = 'waiting' and d.due_at <= now()
          and not exists (select from deliveries o where o.tenant_id = d.tenant_id and o.consumer_id = d.consumer_id
            and o.lane = d.lane and o.state = 'waiting' and o.seq < d.seq)
        order by d.seq limit ${perConsumer}) d
    ), ranked as (
      select *, row_number() over (order by place, due_at, seq) as rank from heads
    ), taken as (
      select tenant_id, seq from deliveries
      where (tenant_id, seq) in (select tenant_id, seq from ranked
          where rank <= $1 and (place = 1 or place * ${freePerPlace} <= $1 - rank))
        and state = 'waiting' and due_at <= now()
      for update skip locked
    )
    update deliveries d set attempts = d.attempts + 1, due_at = now() + interval '${leaseS} seconds'
    from taken t, consumers c
    where d.tenant_id = t.tenant_id and d.seq = t.seq and c.tenant_id = d.tenant_id and c.id = d.consumer_id
    returning d.tenant_id as "tenantId", d.seq, d.id, d.consumer_id as "consumerId", d.topic, d.lane, d.payload, d.attempts,
      d.created_at as "createdAt", coalesce(d.revived_at, d.created_at) as "livesFrom", d.url, c.kind, c.user_id as "userId", c.integration_id as "integrationId", c.target, c.failures`,
}

/** As lists show one. */
export type DeliveryRow = {
  id: number
  deliveryId: string
  topic: DeliveryTopic
  state: DeliveryState
  attempts: number
  error: string | null
  status: number | null
  triedAt: Date | null
  dueAt: Date
  createdAt: Date
}
export const deliveryColumns = (
  of: string,
) => `${of}.seq as id, ${of}.id as "deliveryId", ${of}.topic, ${of}.state, ${of}.attempts,
  ${of}.error, (${of}.answer ->> 'status')::int as status, ${of}.tried_at as "triedAt", ${of}.due_at as "dueAt",
  ${of}.created_at as "createdAt"`

/** Only the one that was sent: a newer one in its place has another id. */
const thisOne = 'tenant_id = $1 and seq = $2 and id = $3'
export const dropOne: Prepared = { name: 'deliveries_drop', text: `delete from deliveries where ${thisOne}` }
/** Its consumer is well; that is written once a minute, not with each. */
const well = `update consumers set failures = 0, error = null, rests_until = now(), delivered_at = now()
    where tenant_id = $1 and id = $4 and (failures > 0 or delivered_at is null or delivered_at < now() - interval '1 minute')`
export const settle: Prepared = {
  name: 'deliveries_settle',
  text: `with gone as (delete from deliveries where ${thisOne}) ${well}`,
}
/** What was tried, with what came of it; its consumer besides. */
const noted = (changes: string, consumer: string) =>
  `with d as (update deliveries set tried_at = now(), ${changes} where ${thisOne} returning *), c as (${consumer})
    select ${deliveryColumns('d')} from d`
export const keepDelivered: Prepared = {
  name: 'deliveries_keep',
  text: noted(`state = 'delivered', error = null, answer = $5`, well),
}
/** Its consumer rests as long as it does: a dead one costs one look, not one of each lane. Many at once fail once. */
const rest = `update consumers set error = $6, rests_until = now() + make_interval(secs => $7),
      failures = failures + case when rests_until <= now() then 1 else 0 end
    where tenant_id = $1 and id = $4`
export const putOff: Prepared = {
  name: 'deliveries_put_off',
  text: noted('answer = $5, error = $6, due_at = now() + make_interval(secs => $7)', rest),
}
export const bury: Prepared = {
  name: 'deliveries_bury',
  text: noted(`answer = $5, error = $6, state = 'dead'`, rest),
}
export const stopConsumer: Prepared = {
  name: 'consumers_stop',
  text: noted(
    'answer = $5, error = $6',
    `update consumers set state = 'stopped', error = $6 where tenant_id = $1 and id = $4`,
  ),
}
export const removeConsumer: Prepared = {
  name: 'consumers_remove',
  text: 'delete from consumers where tenant_id = $1 and id = $2',
}
