import type { Prepared, Tx } from '../../../db/database.ts'
import { announce } from '../../../kit/signals/signals.ts'
import type { NewTurn } from './turns.ts'

/** Leaves something to be done by itself about a conversation that the caller has locked, in the place of what was left before. */
export const leaveTurn = async (tx: Tx, ticketId: string, turn: NewTurn) => {
  await tx.rows(leave, [...rowOf(tx, ticketId, turn)])
  wake(tx, turn)
}

/** The same where nobody else has anything to do about it. */
export const leaveOwnTurn = async (tx: Tx, ticketId: string, turn: NewTurn) => {
  await tx.rows(leaveOwn, [...rowOf(tx, ticketId, turn)])
  wake(tx, turn)
}

const rowOf = (tx: Tx, ticketId: string, { owner, ownerId, payload = {}, dueAt }: NewTurn) => [
  ...[tx.tenantId, ticketId, owner, ownerId ?? null, JSON.stringify(payload), dueAt ?? null],
]
const wake = (tx: Tx, { dueAt }: NewTurn) => {
  if (!dueAt) tx.afterCommit(() => announce('turns.left'))
}

const left = `insert into turns as t (tenant_id, ticket_id, owner, owner_id, payload, due_at)
    values ($1, $2, $3, $4, $5::jsonb, coalesce($6::timestamptz, now()))
    on conflict (tenant_id, ticket_id) do update set owner = excluded.owner, owner_id = excluded.owner_id,
      payload = excluded.payload, due_at = excluded.due_at, version = t.version + 1, attempts = 0, state = 'waiting', error = null`
const leave: Prepared = { name: 'turn_leave', text: left }
const leaveOwn: Prepared = { name: 'turn_leave_own', text: `${left} where t.owner = excluded.owner` }
