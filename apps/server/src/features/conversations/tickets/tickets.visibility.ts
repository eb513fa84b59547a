import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { type Decision, decide, viewerOf } from './tickets.policy.ts'
import { getVisibleTicket } from './tickets.service.ts'

/** "Por que vejo / não vejo este atendimento": the rule that decides for somebody of the team, told to an administrator. */
export const explainVisibility = async (actor: Actor, ticketId: string, userId: string): Promise<Decision> => {
  const directory = await getDirectory(actor.tenantId)
  const viewer = viewerOf(directory, userId)
  const ticket = await withTenant(actor.tenantId, (tx) => getVisibleTicket(tx, actor, ticketId))
  const person = directory.people.get(userId)
  if (person?.isBlocked) return { isVisible: false, rule: 'blocked', text: 'O usuário está bloqueado.' }
  if (!person?.permissions.has('tickets.read')) {
    return { isVisible: false, rule: 'permission', text: 'O usuário não tem acesso aos atendimentos.' }
  }
  return decide(viewer, factsOf(ticket), { showAll: true })
}
