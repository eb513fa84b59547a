import type { User } from '@balcao/contract/people/users.ts'
import { profilesWith } from '@balcao/contract/permissions.ts'
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { users } from '../../../db/schema/people/users.ts'
import { AppError } from '../../../kit/errors.ts'

/** Who can give others access to the company: whoever has a role of its own stands under the profile nearest to it. */
const isAdmin = inArray(users.profile, profilesWith('users.write'))

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
export const checkLastAdmin = async (tx: Tx, user: Pick<User, 'id' | 'profile' | 'isBlocked'>) => {
  if (profilesWith('users.write').includes(user.profile) && !user.isBlocked) await requireAdmin(tx, user.id)
}
