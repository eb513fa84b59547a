import { roleResource } from '@balcao/contract/people/roles.ts'
import { profileOf, rightsOf } from '@balcao/contract/permissions.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { roles, users } from '../../../db/schema/people/users.ts'
import { counted } from '../../../kit/counted.ts'
import { crud } from '../../../kit/crud.ts'
import { emit } from '../../../kit/outbox.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { requireNotBeyond } from './grant.ts'
import { requireAdmin } from './last-admin.ts'

/** The profiles that a company makes, beside the three that everybody has. */
export const roleRoutes = crud(roleResource, {
  table: roles,
  search: [roles.name],
  inUse: {
    users: {
      code: 'ERR_ROLE_IN_USE',
      says: (uses) =>
        `Este perfil é de ${counted(uses, 'pessoa', 'pessoas')}. Escolha outro para ${uses === 1 ? 'ela' : 'elas'} antes.`,
    },
  },
  beforeWrite: async (_tx, { actor, input, before }) => {
    for (const permissions of [before?.permissions, input.permissions])
      if (permissions) await requireNotBeyond(actor, rightsOf({ profile: 'user', isSupport: false, role: permissions }))
    return {}
  },
  afterWrite: (tx, { id, input, isNew }) =>
    !isNew && input.permissions ? followRole(tx, id, input.permissions) : Promise.resolve(),
  present: async (tx, rows) => {
    const uses = await countUsers(tx)
    return rows.map((row) => ({ ...row, usersCount: uses.get(row.id) ?? 0 }))
  },
  afterCommit: invalidateDirectory,
})

/** Its people stand under the profile it comes nearest to now, and their windows learn what they may do. */
const followRole = async (tx: Tx, roleId: string, permissions: readonly string[]) => {
  const people = await tx.db
    .update(users)
    .set({ profile: profileOf(permissions) })
    .where(and(eq(users.tenantId, tx.tenantId), eq(users.roleId, roleId), isNull(users.deletedAt)))
    .returning({ id: users.id, name: users.name })
  if (people.length) await requireAdmin(tx)
  for (const person of people) await emit(tx, 'user.updated', person, { kind: 'permission', can: 'users.read' })
}

const countUsers = async (tx: Tx) => {
  const rows = await tx.rows<{ id: string; uses: number }>(
    {
      name: 'role_uses',
      text: `select role_id as id, count(*)::int as uses from users
        where tenant_id = $1 and role_id is not null and deleted_at is null group by role_id`,
    },
    [tx.tenantId],
  )
  return new Map(rows.map(({ id, uses }) => [id, uses]))
}
