import type { User } from '@balcao/contract/people/users.ts'
import { type Permission, permissionsOf, profileOf, rightsOf } from '@balcao/contract/permissions.ts'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { roles } from '../../../db/schema/people/users.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { getDirectory, rightsIn } from '../../core/directory/directory.ts'

/** Nobody grants more than they were given themselves, nor changes somebody who was: with their password one would be them. */
export const requireNotBeyond = async (actor: Actor, rights: readonly Permission[]) => {
  const directory = await getDirectory(actor.tenantId)
  const self = directory.people.get(actor.userId)
  const own = new Set(self ? rightsIn(directory, self) : [])
  if (!rights.every((name) => own.has(name))) throw new AppError('ERR_RIGHTS_BEYOND')
}

export const requireNotAbove = async (actor: Actor, user: Pick<User, 'profile' | 'isSupport' | 'role'>) => {
  const directory = await getDirectory(actor.tenantId)
  await requireNotBeyond(actor, rightsIn(directory, { ...user, roleId: user.role?.id ?? null }))
}

type Given = { profile?: 'user' | 'super' | 'admin'; roleId?: string | null }
/**
 * What a form says of somebody's role, as it is stored: of a role of the company's own the profile it comes nearest to;
 * a profile alone takes the role away. Undefined when it says nothing.
 */
export const chosenRole = async (tx: Tx, { profile, roleId }: Given) => {
  if (roleId) {
    const [role] = await tx.db
      .select({ permissions: roles.permissions })
      .from(roles)
      .where(and(eq(roles.tenantId, tx.tenantId), eq(roles.id, roleId)))
      .for('share')
    if (!role) throw fieldErrors({ path: 'roleId', message: 'Este perfil não existe mais. Escolha outro.' })
    const rights = rightsOf({ profile: 'user', isSupport: false, role: role.permissions })
    return { profile: profileOf(role.permissions), roleId, rights }
  }
  return profile && { profile, roleId: null, rights: permissionsOf[profile] as readonly Permission[] }
}
