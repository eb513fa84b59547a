import type { UserInvite } from '@balcao/contract/people/users.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { canSendMail } from '../auth/mail.ts'
import { issueInvite } from '../auth/reset.service.ts'
import { sendResetMail } from '../auth/reset-mail.ts'
import { lockUser } from './users.queries.ts'

/** A link for a colleague who was never here; a new one ends the last. Whoever has been here asks for a new password. */
export const inviteUser = async (actor: Actor, userId: string): Promise<UserInvite> => {
  const { link, email } = await withTenant(actor.tenantId, async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw new AppError('ERR_NO_USER_FOUND')
    if (user.lastLoginAt || user.isBlocked)
      throw new AppError('ERR_CONFLICT', { message: 'Só se convida quem ainda não entrou e não está bloqueado.' })
    const issued = await issueInvite(tx, userId)
    await writeAudit(tx, actor, { action: 'user.invited', entity: 'user', entityId: userId })
    return { link: issued, email: user.email }
  })
  const isMailed = canSendMail()
  if (isMailed) {
    const mail = { to: email, tenantId: actor.tenantId, userId, link, kind: 'invite' } as const
    void sendResetMail(mail).catch((error) => log.error({ err: error, userId }, 'invitation not sent'))
  }
  return { link, isMailed }
}
