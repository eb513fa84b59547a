import type { Cause } from '@balcao/contract/conversations/authors.ts'
import { messageSend } from '@balcao/contract/conversations/messages.ts'
import type { Permission } from '@balcao/contract/permissions.ts'
import { type MacroAction, type MacroRun, macroRun, type macroRunBody } from '@balcao/contract/service/macros.ts'
import { fillVariables, type VariableContext } from '@balcao/contract/variables.ts'
import { and, eq, type SQL } from 'drizzle-orm'
import { v5 } from 'uuid'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { audit } from '../../../db/schema/core/audit.ts'
import { macros } from '../../../db/schema/service/library.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors, sentenceOf } from '../../../kit/errors.ts'
import { sendMessage } from '../../conversations/messages/send-message.ts'
import { readVariables } from '../../conversations/messages/variable-context.ts'
import { emptyText } from '../../conversations/messages/write-outgoing.ts'
import { pauseTicket } from '../../conversations/tickets/pause.ts'
import { getVisibleTicket, updateTicket } from '../../conversations/tickets/tickets.service.ts'
import { getDirectory } from '../../core/directory/directory.ts'

type Asked = z.output<typeof macroRunBody>

/** Runs under way in this process: who asks again meanwhile waits for the same answer. */
const underWay = new Map<string, Promise<MacroRun>>()

/**
 * Does the steps of a macro in order, each by the service that does it by hand, and stops at the first refusal. Once
 * per run id: its messages have ids that follow from it, and a run that ended answers what it answered.
 */
export const runMacro = (actor: Actor, macroId: string, asked: Asked, mayUse: SQL | undefined): Promise<MacroRun> => {
  const key = `${actor.tenantId}:${actor.userId}:${asked.runId}`
  const running = underWay.get(key) ?? run(actor, macroId, asked, mayUse).finally(() => underWay.delete(key))
  underWay.set(key, running)
  return running
}

const run = async (actor: Actor, macroId: string, { ticketId, runId }: Asked, mayUse: SQL | undefined) => {
  const directory = await getDirectory(actor.tenantId)
  const begun = await withTenant(actor.tenantId, async (tx) => {
    const [macro] = await tx.db
      .select({ name: macros.name, actions: macros.actions })
      .from(macros)
      .where(and(eq(macros.tenantId, tx.tenantId), eq(macros.id, macroId), mayUse))
    if (!macro) throw new AppError('ERR_NOT_FOUND')
    const [ended] = await tx.db
      .select({ after: audit.after, userId: audit.userId })
      .from(audit)
      .where(and(eq(audit.tenantId, tx.tenantId), eq(audit.entity, 'macroRun'), eq(audit.entityId, runId)))
    if (ended && ended.userId !== actor.userId) throw new AppError('ERR_DUPLICATED')
    const before = ended ? macroRun.safeParse(ended.after).data : undefined
    // Whoever asks again after a transfer may no longer see the conversation; what was done is told all the same.
    if (before) return { before }
    await getVisibleTicket(tx, actor, ticketId)
    return { macro, context: await readVariables(tx, actor, directory, ticketId) }
  })
  if (begun.before) return begun.before

  const { macro, context } = begun
  const outcome = await doSteps(actor, macro.actions, { ticketId, runId, macroId, context })
  await withTenant(actor.tenantId, (tx) =>
    writeAudit(tx, actor, {
      action: 'macro.run',
      entity: 'macroRun',
      entityId: runId,
      after: { ...outcome, macroId, ticketId, name: macro.name },
    }),
  )
  return outcome
}

type Run = { ticketId: string; runId: string; macroId: string; context: VariableContext }

const doSteps = async (actor: Actor, actions: MacroAction[], run: Run): Promise<MacroRun> => {
  const total = actions.length
  for (const [at, action] of actions.entries()) {
    try {
      await doStep(actor, action, { ...run, messageId: v5(`${actor.tenantId}:${at}`, run.runId) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { done: at, total, refused: { step: at + 1, kind: action.kind, message: sentenceOf(error) } }
    }
  }
  return { done: total, total, refused: null }
}

const doStep = async (
  actor: Actor,
  action: MacroAction,
  { ticketId, messageId, macroId, context }: Run & { messageId: string },
): Promise<unknown> => {
  const because = { cause: { kind: 'macro' as const, id: macroId } }
  const isWriting = action.kind === 'send' || action.kind === 'note'
  requirePermission(actor, isWriting ? 'messages.write' : 'tickets.write')
  switch (action.kind) {
    case 'send':
    case 'note': {
      const body = fillVariables(action.body, context).trim()
      if (!body) throw fieldErrors({ path: 'body', message: emptyText })
      const type = action.kind === 'note' ? 'note' : 'text'
      const sign = type === 'text' && (await signs(actor))
      const input = messageSend.safeParse({ id: messageId, type, body, sign })
      if (!input.success)
        throw fieldErrors({ path: 'body', message: 'O texto ficou longo demais com os dados do contato.' })
      return sendMessage(actor, ticketId, input.data)
    }
    case 'addTags':
      return retag(actor, ticketId, because, (tagIds) => [...new Set([...tagIds, ...action.tagIds])])
    case 'removeTags':
      return retag(actor, ticketId, because, (tagIds) => tagIds.filter((id) => !action.tagIds.includes(id)))
    case 'transfer':
      return updateTicket(
        actor,
        ticketId,
        {
          ...(action.queueId && { queueId: action.queueId }),
          ...(action.userId && { userId: action.userId }),
          isTransference: true,
        },
        because,
      )
    case 'priority':
      return updateTicket(actor, ticketId, { priority: action.priority }, because)
    case 'pause': {
      const until = action.minutes === null ? null : new Date(Date.now() + action.minutes * 60_000).toISOString()
      return pauseTicket(actor, ticketId, { until, wakesOnReply: true })
    }
    case 'close':
      return updateTicket(
        actor,
        ticketId,
        { status: 'closed', ...(action.reasonId && { reasonId: action.reasonId }) },
        because,
      )
  }
}

const requirePermission = (actor: Actor, can: Permission) => {
  if (!actor.permissions.has(can)) throw new AppError('ERR_NO_PERMISSION')
}

const signs = async (actor: Actor) => {
  const { people } = await getDirectory(actor.tenantId)
  return people.get(actor.userId)?.configs.signature ?? true
}

const retag = async (
  actor: Actor,
  ticketId: string,
  because: { cause: Cause },
  change: (tagIds: string[]) => string[],
) => {
  const ticket = await withTenant(actor.tenantId, (tx) => getVisibleTicket(tx, actor, ticketId))
  return updateTicket(actor, ticketId, { tagIds: change(ticket.tags.map((tag) => tag.id)) }, because)
}
