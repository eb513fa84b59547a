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

/** What its owner waits for is here: due now, if it has anything left to do about the conversation. */
export const hastenTurn = async (tx: Tx, ticketId: string, owner: NewTurn['owner']) => {
  const [hastened] = await tx.rows(hasten, [tx.tenantId, ticketId, owner])
  if (hastened) tx.afterCommit(() => announce('turns.left'))
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
const hasten: Prepared = {
  name: 'turn_hasten',
  text: `update turns set due_at = now(), version = version + 1, attempts = 0
    where tenant_id = $1 and ticket_id = $2 and owner = $3 and state = 'waiting' returning ticket_id`,
}
const leaveOwn: Prepared = { name: 'turn_leave_own', text: `${left} where t.owner = excluded.owner` }
