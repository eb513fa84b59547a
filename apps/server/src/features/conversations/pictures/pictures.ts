import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'

/**
 * Their picture is to be asked for, unless that was done in the last week: each in its turn, because an account that
 * looks at many people at once is taken for a machine.
 */
export const wantPicture = async (
  tx: Tx,
  { id, adapter }: Pick<OpenConnection, 'id' | 'adapter'>,
  contactId: string,
) => {
  if (adapter.profile) await tx.rows(want, [tx.tenantId, v7(), id, contactId])
}
/** It was told that it changed. */
export const wantNewPicture = async (
  tx: Tx,
  { id, adapter }: Pick<OpenConnection, 'id' | 'adapter'>,
  contactId: string,
) => {
  if (adapter.profile) await tx.rows(wantAnew, [tx.tenantId, v7(), id, contactId])
}
const wantAnew: Prepared = {
  name: 'picture_want_anew',
  text: `insert into pictures (tenant_id, id, connection_id, contact_id, due_at) values ($1, $2, $3, $4, now())
    on conflict (tenant_id, contact_id) where contact_id is not null
      do update set connection_id = excluded.connection_id, due_at = least(pictures.due_at, now()), attempts = 0`,
}
const want: Prepared = {
  name: 'picture_want',
  text: `insert into pictures (tenant_id, id, connection_id, contact_id, due_at)
    values ($1, $2, $3, $4, greatest(now(), interval '3 seconds' +
      (select max(p.due_at) from pictures p where p.tenant_id = $1 and p.connection_id = $3 and p.due_at is not null)))
    on conflict (tenant_id, contact_id) where contact_id is not null
      do update set connection_id = excluded.connection_id, due_at = excluded.due_at, attempts = 0
      where pictures.due_at is null and pictures.asked_at < now() - interval '7 days'`,
}
