import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { UserTenant, UserTenantCreate, UserTenantUpdate } from '@balcao/contract/people/user-tenants.ts'
import type { User } from '@balcao/contract/people/users.ts'
import { profilesWith } from '@balcao/contract/permissions.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Tx, withPlatform } from '../../../db/database.ts'
import { users } from '../../../db/schema/people/users.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { countHeld, releaseTickets } from '../../conversations/tickets/release-tickets.ts'
import { findDirectory, invalidateDirectory } from '../../core/directory/directory.ts'
import { reserve } from '../../core/limits/reserve.ts'
import { inTenant, writePlatformAudit } from '../../core/platform-audit/platform-audit.ts'
import { openPassword } from '../auth/login.service.ts'
import { hashPassword } from '../auth/passwords.ts'
import { checkNotOfPlatform } from '../auth/profiles.ts'
import { dropResetTokens } from '../auth/reset.service.ts'
import { checkLastAdmin } from '../roles/last-admin.ts'
import { tellHandedOver } from '../users/handed-over.ts'
import { emailTaken, insertUser } from '../users/insert-user.ts'
import { endSessionsAfter, lockTenant, lockUser, retireUser } from '../users/users.service.ts'
import { findUserTenant } from './user-tenants.queries.ts'

/** A new person of a company, within its seats. Its own switch against new users binds its people, not the platform. */
export const createUserTenant = async (actor: Actor, input: UserTenantCreate): Promise<UserTenant> => {
  const { tenantId, password, ...fields } = input
  const passwordHash = await hashPassword(await openPassword(password))
  return within(tenantId, async (tx) => {
    await reserve(tx, 'users')
    const id = v7()
    await insertUser(tx, { tenantId, id, ...fields, passwordHash })
    return record(tx, actor, 'create', undefined, id)
  })
}

/** Changes what is named; whoever is blocked, or gets another password, is logged out everywhere. */
export const updateUserTenant = async (actor: Actor, id: string, input: UserTenantUpdate): Promise<UserTenant> => {
  const { tenantId, password, version, handOverTo = null, ...fields } = input
  const passwordHash = password === undefined ? undefined : await hashPassword(await openPassword(password))
  if (fields.isBlocked) await checkNotOfPlatform(tenantId, id)
  return within(tenantId, async (tx) => {
    await lockTenant(tx) // seats and the last administrator are counted by one at a time
    const before = await getUser(tx, id)
    if (version !== undefined && version !== before.version) {
      throw new AppError('ERR_CONFLICT', { details: { current: await findUserTenant(tx, tenantId, id) } })
    }
    const isDisarmed = fields.profile !== undefined && !profilesWith('users.write').includes(fields.profile)
    if (isDisarmed || fields.isBlocked) await checkLastAdmin(tx, before)
    const isNewProfile = fields.profile !== undefined && fields.profile !== before.profile
    await tx.db
      .update(users)
      .set({
        ...fields,
        ...(isNewProfile && { roleId: null }),
        passwordHash,
        version: sql`${users.version} + 1`,
        updatedAt: new Date(),
      })
      .where(and(eq(users.tenantId, tx.tenantId), eq(users.id, id)))
      .catch(emailTaken)
    if (fields.isBlocked && !before.isBlocked)
      await releaseTickets(tx, byPlatform, {
        userId: id,
        note: `Usuário ${before.name} bloqueado pela plataforma`,
        handOverTo,
      })
    const action = passwordHash ? 'update+password' : 'update'
    const after = await record(tx, actor, action, before, id)
    if (passwordHash) await dropResetTokens(tx, id)
    await endSessionsAfter(tx, id, {
      isBlocked: after.isBlocked && !before.isBlocked,
      isPassword: Boolean(passwordHash),
    })
    return after
  })
}

/** As the company's own administrator would: histories stay, open conversations go back to the waiting ones. */
export const deleteUserTenant = async (
  actor: Actor,
  id: string,
  { tenantId, handOverTo }: { tenantId: number; handOverTo: string | null },
) => {
  await checkNotOfPlatform(tenantId, id)
  await within(tenantId, async (tx) => {
    await lockTenant(tx)
    const before = await getUser(tx, id)
    await checkLastAdmin(tx, before)
    const note = `Usuário ${before.name} excluído pela plataforma`
    await releaseTickets(tx, byPlatform, { userId: id, note, handOverTo })
    if (handOverTo)
      await tellHandedOver(
        tx,
        { userId: handOverTo, impersonatorId: actor.userId },
        { userId: id, heirId: handOverTo, note },
      )
    await retireUser(tx, id)
    await writeBothAudits(tx, actor, { action: 'delete', id, before })
  })
}

/** What would wait for somebody else if they left, and who of their company could take it. */
export const readUserTenantWork = async (tenantId: number, id: string) => {
  const people = (await findDirectory(tenantId))?.people
  if (!people?.has(id)) throw new AppError('ERR_NO_USER_FOUND')
  const heirs = [...people.values()].filter(
    (one) => one.id !== id && !one.isBlocked && one.permissions.has('tickets.write'),
  )
  return {
    tickets: await within(tenantId, (tx) => countHeld(tx, id)),
    people: heirs.map(({ id, name }) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, 'pt-BR')),
  }
}

/** A platform transaction inside one company; 422 when there is none. */
const within = <T>(tenantId: number, work: (tx: Tx) => Promise<T>) =>
  withPlatform('userTenants', async (platform) => {
    const [company] = await platform.db.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId))
    if (!company) throw fieldErrors({ path: 'tenantId', message: 'Esta empresa não existe.' })
    const tx = inTenant(platform, tenantId)
    tx.afterCommit(() => invalidateDirectory(tenantId))
    return work(tx)
  })

/** The log of a conversation names people of its own company only. */
const byPlatform: Author = { kind: 'system', id: null, name: 'Plataforma' }

const getUser = async (tx: Tx, id: string): Promise<User> => {
  const user = await lockUser(tx, id)
  if (!user) throw new AppError('ERR_NO_USER_FOUND')
  return user
}

const record = async (tx: Tx, actor: Actor, action: string, before: User | undefined, id: string) => {
  const after = await findUserTenant(tx, tx.tenantId, id)
  if (!after) throw new AppError('ERR_NO_USER_FOUND')
  await writeBothAudits(tx, actor, { action, id, before, after })
  await emit(tx, 'user.updated', { id, name: after.name }, { kind: 'permission', can: 'users.read' })
  return after
}

type Change = { action: string; id: string; before?: User; after?: UserTenant }

/** The company reads that its support did it; the platform reads which superadmin. */
const writeBothAudits = async (tx: Tx, actor: Actor, { action, id, before, after }: Change) => {
  const visit = { userId: actor.userId, impersonatorId: actor.userId }
  await writeAudit(tx, visit, { action, entity: 'user', entityId: id, before, after })
  await writePlatformAudit(tx, {
    userId: actor.userId,
    tenantId: tx.tenantId,
    action: `user.${action}`,
    details: { userId: id, before, after },
  })
}
