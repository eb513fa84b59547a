import type { draft } from '@balcao/contract/conversations/messages.ts'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { drafts } from '../../../db/schema/conversations/messages.ts'
import type { Actor } from '../../../kit/actor.ts'
import { emit } from '../../../kit/outbox.ts'
import { getVisibleTicket } from '../tickets/tickets.service.ts'

type Draft = z.output<typeof draft>
type Place = Pick<Draft, 'ticketId' | 'kind'>

/** What this person has begun to write here, on any device; an empty one, older than everything, when nothing. */
export const readDraft = (actor: Actor, place: Place): Promise<Draft> =>
  withTenant(actor.tenantId, async (tx) => {
    await getVisibleTicket(tx, actor, place.ticketId)
    const [row] = await tx.db
      .select()
      .from(drafts)
      .where(own(tx, actor, place))
    return { ...place, body: row?.body ?? '', updatedAt: (row?.updatedAt ?? new Date(0)).toISOString() }
  })

/** Keeps the draft and tells the person's other windows; an empty one is deleted. */
export const saveDraft = (actor: Actor, place: Place, text: string): Promise<Draft> =>
  withTenant(actor.tenantId, async (tx) => {
    await getVisibleTicket(tx, actor, place.ticketId)
    const body = text.replaceAll('\0', '')
    const updatedAt = new Date()
    if (body.trim()) {
      await tx.db
        .insert(drafts)
        .values({ tenantId: tx.tenantId, userId: actor.userId, ...place, body, updatedAt })
        .onConflictDoUpdate({
          target: [drafts.tenantId, drafts.userId, drafts.ticketId, drafts.kind],
          set: { body, updatedAt },
        })
    } else await tx.db.delete(drafts).where(own(tx, actor, place))
    await emit(tx, 'draft.updated', { ...place, body }, { kind: 'user', userId: actor.userId })
    return { ...place, body, updatedAt: updatedAt.toISOString() }
  })

const own = (tx: Tx, actor: Actor, { ticketId, kind }: Place) =>
  and(
    eq(drafts.tenantId, tx.tenantId),
    eq(drafts.userId, actor.userId),
    eq(drafts.ticketId, ticketId),
    eq(drafts.kind, kind),
  )
