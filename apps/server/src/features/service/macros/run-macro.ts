import { type MacroRun, macroRun, type macroRunBody } from '@balcao/contract/service/macros.ts'
import { and, eq, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { audit } from '../../../db/schema/core/audit.ts'
import { macros } from '../../../db/schema/service/library.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import { runActions } from '../../conversations/actions/run-actions.ts'
import { byPerson } from '../../conversations/tickets/action-catalogue.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { getVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { getDirectory } from '../../core/directory/directory.ts'

type Asked = z.output<typeof macroRunBody>

/**
 * Does the steps of a macro in order and stops at the first refusal: what was done stays done. One transaction, so that
 * a run is all there or not begun; the same run id answers what it answered.
 */
export const runMacro = async (
  actor: Actor,
  macroId: string,
  { ticketId, runId }: Asked,
  mayUse: SQL | undefined,
): Promise<MacroRun> => {
  const directory = await getDirectory(actor.tenantId)
  const run = async (tx: Tx): Promise<MacroRun> => {
    const [macro] = await tx.db
      .select({ name: macros.name, actions: macros.actions })
      .from(macros)
      .where(and(eq(macros.tenantId, tx.tenantId), eq(macros.id, macroId), mayUse))
    if (!macro) throw new AppError('ERR_NOT_FOUND')
    // Runs of one conversation come one after the other: the second of the same id finds the first.
    await lockTicket(tx, ticketId)
    const before = await findRun(tx, actor, runId)
    // Whoever asks again after a transfer may no longer see the conversation; what was done is told all the same.
    if (before) return before
    await getVisibleTicket(tx, actor, ticketId)
    const outcome = await runActions(tx, {
      directory,
      by: byPerson(actor),
      ticketId,
      actions: macro.actions,
      cause: { kind: 'macro', id: macroId },
      runId,
    })
    await writeAudit(tx, actor, {
      action: 'macro.run',
      entity: 'macroRun',
      entityId: runId,
      after: { ...outcome, macroId, ticketId, name: macro.name },
    })
    return outcome
  }
  return withTenant(actor.tenantId, run)
}

const findRun = async (tx: Tx, { userId }: Actor, runId: string): Promise<MacroRun | undefined> => {
  const [ended] = await tx.db
    .select({ after: audit.after, userId: audit.userId })
    .from(audit)
    .where(and(eq(audit.tenantId, tx.tenantId), eq(audit.entity, 'macroRun'), eq(audit.entityId, runId)))
  if (ended && ended.userId !== userId) throw new AppError('ERR_DUPLICATED')
  return ended && macroRun.parse(ended.after)
}
