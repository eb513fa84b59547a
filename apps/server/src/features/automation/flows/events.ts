import type { flowEventBody } from '@balcao/contract/automation/flows/flows.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { lockVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { leaveOwnTurn } from '../../conversations/timeline/leave-turn.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { drive, lockLed } from './drive.ts'

/** POST /chat-flow-event: what the run of a conversation waits for has happened; refused where none waits for it. */
export const tellRun = async (
  actor: Actor,
  { ticketId, event, data }: z.output<typeof flowEventBody>,
): Promise<void> => {
  const directory = await getDirectory(actor.tenantId)
  await withTenant(actor.tenantId, async (tx) => {
    await lockVisibleTicket(tx, actor, ticketId)
    const led = await lockLed(tx, ticketId)
    const run = led?.run
    const wait = run?.state.wait
    if (!run || wait?.for !== 'time' || wait.event !== event)
      throw new AppError('ERR_INVALID_TRANSITION', {
        message: 'Nenhum fluxo espera por este evento nesta conversa agora.',
      })
    const alarm = await drive(tx, { ...led, run, directory }, { kind: 'told', event, vars: data })
    // An alarm of before that comes too early finds nothing due.
    if (alarm) await leaveOwnTurn(tx, ticketId, { owner: 'flow', ownerId: run.flowId, dueAt: alarm.dueAt })
  })
}
