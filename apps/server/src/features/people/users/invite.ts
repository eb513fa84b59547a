import type { UserInvite } from '@balcao/contract/people/users.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import { issueInvite } from '../auth/reset.service.ts'
import { queueLink } from '../auth/reset-mail.ts'
import { canMailCompany } from '../mail/transport.ts'
import { requireNotAbove } from '../roles/grant.ts'
import { lockUser } from './users.queries.ts'

/** A link for a colleague who was never here; a new one ends the last. Whoever has been here asks for a new password. */
export const inviteUser = async (actor: Actor, userId: string): Promise<UserInvite> => {
  const isMailed = await canMailCompany(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw new AppError('ERR_NO_USER_FOUND')
    await requireNotAbove(actor, user)
    if (user.lastLoginAt || user.isBlocked)
      throw new AppError('ERR_CONFLICT', { message: 'Só se convida quem ainda não entrou e não está bloqueado.' })
    const link = await issueInvite(tx, userId)
    await writeAudit(tx, actor, { action: 'user.invited', entity: 'user', entityId: userId })
    if (isMailed) await queueLink(tx, { to: user.email, userId, link, kind: 'invite' })
    return { link, isMailed }
  })
}
