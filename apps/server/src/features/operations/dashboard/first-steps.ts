import type { FirstSteps } from '@balcao/contract/operations/dashboard.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'

/** A web chat without a site opens nowhere, and what comes into a queue without people, or into none, is answered by nobody. */
const steps: Prepared = {
  name: 'first_steps',
  text: `select
      exists (select from connections c where c.tenant_id = $1 and c.deleted_at is null and c.status = 'CONNECTED'
        and (c.kind <> 'webchat' or c.config @> '{"allowAnyDomain": true}'
          or jsonb_array_length(coalesce(c.config -> 'domains', '[]')) > 0)) as channel,
      exists (select from connections c join queues q on q.tenant_id = c.tenant_id and q.id = c.queue_id and q.is_active
        join queue_members m on m.tenant_id = q.tenant_id and m.queue_id = q.id
        where c.tenant_id = $1 and c.deleted_at is null) as queue,
      t.settings @> '{"worksAlone": true}'
        or (select count(*) from (select from users u where u.tenant_id = $1 and u.deleted_at is null limit 2) two) > 1 as team,
      exists (select from tickets t where t.tenant_id = $1 and t.first_answered_at is not null) as answered,
      (select c.id from connections c where c.tenant_id = $1 and c.deleted_at is null
        order by c.created_at, c.id limit 1) as "channelId",
      (select jsonb_build_object('id', c.id, 'channelKey', c.channel_key) from connections c
        where c.tenant_id = $1 and c.deleted_at is null and c.kind = 'webchat'
        order by c.created_at, c.id limit 1) as webchat
    from tenants t where t.id = $1`,
}

/** How far the company is on its way to the first answered message. */
export const readFirstSteps = (tenantId: number) =>
  withTenant(tenantId, async (tx): Promise<FirstSteps> => {
    const [row] = await tx.rows<FirstSteps>(steps, [tenantId])
    return row ?? { channel: false, queue: false, team: false, answered: false, channelId: null, webchat: null }
  })
