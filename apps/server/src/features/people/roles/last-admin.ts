import type { User } from '@balcao/contract/people/users.ts'
import { profilesWith } from '@balcao/contract/permissions.ts'
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { users } from '../../../db/schema/people/users.ts'
import { AppError } from '../../../kit/errors.ts'

/**
 * Who can give others access to the company: whoever has a role of its own stands under the profile nearest to it, and a
 * hidden menu takes the right away.
 */
const isAdmin = and(
  inArray(users.profile, profilesWith('users.write')),
  sql`(${users.menuPermissions} ->> 'usuarios') is distinct from 'false'`,
)

/** Throws ERR_LAST_ADMIN when nobody, or nobody else than `exceptId`, could still administrate the company. */
export const requireAdmin = async (tx: Tx, exceptId?: string) => {
  const [row] = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.tenantId, tx.tenantId),
        isNull(users.deletedAt),
        eq(users.isBlocked, false),
        isAdmin,
        exceptId ? ne(users.id, exceptId) : undefined,
      ),
    )
    .limit(1)
  if (!row) throw new AppError('ERR_LAST_ADMIN')
}

/** Throws ERR_LAST_ADMIN when the company could not do without them. */
export const checkLastAdmin = async (
  tx: Tx,
  { id, profile, isBlocked, menuPermissions }: Pick<User, 'id' | 'profile' | 'isBlocked' | 'menuPermissions'>,
) => {
  const counts = profilesWith('users.write').includes(profile) && !isBlocked && menuPermissions.usuarios !== false
  if (counts) await requireAdmin(tx, id)
}
