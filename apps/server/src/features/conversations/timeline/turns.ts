import type { TurnOwner } from '../../../db/schema/conversations/turns.ts'

/** What is left to be done by itself about a conversation. */
export type NewTurn = {
  owner: TurnOwner
  ownerId?: string | null
  payload?: Record<string, unknown>
  /** Left out: at once. */
  dueAt?: Date
}
/** What a word means for its conversation: a turn in the place of what was left before, or nothing any more. */
export type Decided = { ticketId: string; turn: NewTurn | null }

export const turnRowOf = ({ ticketId, turn }: Decided) => ({
  ticket_id: ticketId,
  owner: turn?.owner ?? null,
  owner_id: turn?.ownerId ?? null,
  payload: turn?.payload ?? {},
  due_at: turn?.dueAt ?? null,
})

/** Parts of a statement that stores messages: `$1` is the tenant, `given` the rows of `turnRowOf` as JSON. */
export const turnParts = (given: string) => `decided as (
      select * from jsonb_to_recordset(${given}::jsonb) as d(ticket_id uuid, owner text, owner_id text, payload jsonb, due_at timestamptz)
    ), taken_back as (
      delete from turns t using decided d where t.tenant_id = $1 and t.ticket_id = d.ticket_id and d.owner is null
    ), left_over as (
      insert into turns as t (tenant_id, ticket_id, owner, owner_id, payload, due_at)
      select $1, ticket_id, owner, owner_id, payload, coalesce(due_at, now()) from decided where owner is not null
      on conflict (tenant_id, ticket_id) do update set owner = excluded.owner, owner_id = excluded.owner_id,
        payload = excluded.payload, due_at = excluded.due_at, version = t.version + 1, attempts = 0, state = 'waiting',
        error = null
    )`
