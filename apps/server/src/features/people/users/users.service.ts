import type { UserSelf } from '@balcao/contract/people/auth.ts'
import { defaultSettings } from '@balcao/contract/people/settings.ts'
import {
  type User,
  type UserCreate,
  type UserUpdate,
  userConfigs,
  type userConfigsPatch,
} from '@balcao/contract/people/users.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { contactWallets } from '../../../db/schema/contacts/contacts.ts'
import { users } from '../../../db/schema/people/users.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { markDeadlinesStale } from '../../conversations/deadlines/mark-stale.ts'
import { countHeld, releaseTickets } from '../../conversations/tickets/release-tickets.ts'
import { wakeDistribution } from '../../conversations/tickets/wake-distribution.ts'
import { getDirectory, invalidateDirectory } from '../../core/directory/directory.ts'
import { reserve } from '../../core/limits/reserve.ts'
import { openPassword } from '../auth/login.service.ts'
import { checkOwnPassword } from '../auth/own-password.ts'
import { hashPassword } from '../auth/passwords.ts'
import { checkNotOfPlatform, checkOwnName } from '../auth/profiles.ts'
import { dropResetTokens } from '../auth/reset.service.ts'
import { describeRights } from '../auth/session-answer.ts'
import { endSessions } from '../auth/sessions.ts'
import { chosenRole, requireNotAbove, requireNotBeyond } from '../roles/grant.ts'
import { checkLastAdmin } from '../roles/last-admin.ts'
import { tellHandedOver } from './handed-over.ts'
import { emailTaken, insertUser } from './insert-user.ts'
import { countQueues, findUser, lockUser, setQueues } from './users.queries.ts'

export { lockUser }

const seen = { kind: 'permission', can: 'users.read' } as const

/** A colleague for administrators; oneself for everyone, with what the log-in told besides. */
export const getUser = async (actor: Actor, id: string): Promise<UserSelf> => {
  const user = await withTenant(actor.tenantId, (tx) => findUser(tx, id))
  if (!user) throw new AppError('ERR_NO_USER_FOUND')
  if (id !== actor.userId) {
    if (!actor.permissions.has('users.write')) throw new AppError('ERR_NO_PERMISSION')
    return user
  }
  const directory = await getDirectory(actor.tenantId)
  const person = directory.people.get(id)
  return person ? { ...user, name: person.name, email: person.email, ...describeRights(directory, person) } : user
}

export const createUser = async (actor: Actor, input: UserCreate): Promise<User> => {
  const { password, queueIds, ...fields } = input
  const { settings } = await getDirectory(actor.tenantId)
  if (!settings.userCreation) throw new AppError('ERR_USER_CREATION_DISABLED')
  const passwordHash = password === undefined ? '' : await hashPassword(await openPassword(password)) // nobody's hash until they chose one
  return withTenant(actor.tenantId, async (tx) => {
    const tenant = await lockTenant(tx)
    if (!{ ...defaultSettings, ...tenant.settings }.userCreation) throw new AppError('ERR_USER_CREATION_DISABLED')
    await reserve(tx, 'users')
    await checkQueues(tx, queueIds)
    const { rights, ...given } = (await chosenRole(tx, fields)) ?? {}
    await requireNotBeyond(actor, rights ?? [])
    const id = v7()
    await insertUser(tx, { tenantId: tx.tenantId, id, ...fields, ...given, passwordHash })
    await setQueues(tx, id, queueIds)
    return recordWrite(tx, actor, 'create', undefined, id)
  })
}

/** An administrator changes anything of a colleague; everybody else only their own name, whatever else they send. */
export const updateUser = async (actor: Actor, id: string, input: UserUpdate): Promise<User> => {
  const isAdmin = actor.permissions.has('users.write')
  if (id === actor.userId) await checkOwnName(actor)
  const {
    password,
    queueIds,
    version,
    handOverTo = null,
    ...fields
  }: UserUpdate = isAdmin ? input : { name: input.name, version: input.version }
  if (password !== undefined && id === actor.userId) {
    throw fieldErrors({
      path: 'password',
      message: 'Para trocar a sua senha, informe também a senha atual em "Meu perfil".',
    })
  }
  const passwordHash = password === undefined ? undefined : await hashPassword(await openPassword(password))

  return withTenant(actor.tenantId, async (tx) => {
    const { rights, ...given } = (await chosenRole(tx, fields)) ?? {}
    const isHidden = fields.menuPermissions?.usuarios === false
    const mayDisarm = (rights && !rights.includes('users.write')) || fields.isBlocked === true || isHidden
    if (mayDisarm) await lockTenant(tx) // two administrators cannot disarm each other at once
    const before = await getForWriting(tx, actor, id)
    if (version !== undefined && version !== before.version)
      throw new AppError('ERR_CONFLICT', { details: { current: before } })
    await requireNotBeyond(actor, rights ?? [])
    if (password !== undefined || fields.isBlocked || (fields.email ?? before.email) !== before.email)
      await checkNotOfPlatform(tx.tenantId, id)
    if (mayDisarm) await checkLastAdmin(tx, before)
    if (queueIds) await checkQueues(tx, queueIds)

    await tx.db
      .update(users)
      .set({ ...fields, ...given, passwordHash, version: sql`${users.version} + 1`, updatedAt: new Date() })
      .where(mine(tx, id))
      .catch(emailTaken)
    if (queueIds) await setQueues(tx, id, queueIds)
    if (fields.allowedHours) await markDeadlinesStale(tx)
    if (fields.isBlocked && !before.isBlocked)
      await releaseTickets(tx, byUser(actor), { userId: id, note: `Usuário ${before.name} bloqueado`, handOverTo })
    wakeDistribution(tx)
    const after = await recordWrite(tx, actor, passwordHash ? 'update+password' : 'update', before, id)
    if (passwordHash) await dropResetTokens(tx, id)
    await endSessionsAfter(tx, id, {
      isBlocked: after.isBlocked && !before.isBlocked,
      isPassword: Boolean(passwordHash),
    })
    return after
  })
}

/** What would wait for somebody else if they left. */
export const readUserWork = (actor: Actor, id: string) =>
  withTenant(actor.tenantId, async (tx) => {
    if (!(await findUser(tx, id))) throw new AppError('ERR_NO_USER_FOUND')
    return { tickets: await countHeld(tx, id) }
  })

/** Gone from every list, kept in every history; what they were working on waits for somebody else. */
export const deleteUser = (actor: Actor, id: string, handOverTo: string | null) =>
  withTenant(actor.tenantId, async (tx) => {
    await lockTenant(tx)
    const before = await getForWriting(tx, actor, id)
    await checkNotOfPlatform(tx.tenantId, id)
    await checkLastAdmin(tx, before)
    const note = `Usuário ${before.name} excluído`
    await releaseTickets(tx, byUser(actor), { userId: id, note, handOverTo })
    if (handOverTo) await tellHandedOver(tx, actor, { userId: id, heirId: handOverTo, note })
    wakeDistribution(tx)
    await markDeadlinesStale(tx)
    await retireUser(tx, id)
    await writeAudit(tx, actor, { action: 'delete', entity: 'user', entityId: id, before })
  })

/** Takes a person out of queues, wallets and sessions, and tells it; their conversations are released before. */
export const retireUser = async (tx: Tx, id: string) => {
  await setQueues(tx, id, [])
  await tx.db.delete(contactWallets).where(and(eq(contactWallets.tenantId, tx.tenantId), eq(contactWallets.userId, id)))
  await tx.db
    .update(users)
    .set({
      deletedAt: new Date(),
      isOnline: false,
      roleId: null,
      awaySince: null,
      awayReason: null,
      version: sql`${users.version} + 1`,
      updatedAt: new Date(),
    })
    .where(mine(tx, id))
  await dropResetTokens(tx, id)
  await endSessions(tx, id)
  await emit(tx, 'user.deleted', { id }, seen)
}

/** What a person keeps across devices; only named preferences change. */
export const saveConfigs = (actor: Actor, id: string, patch: z.output<typeof userConfigsPatch>) => {
  if (id !== actor.userId) throw new AppError('ERR_NO_USER_FOUND')
  return withTenant(actor.tenantId, async (tx) => {
    const [saved] = await tx.db
      .update(users)
      .set({ configs: sql`${users.configs} || ${JSON.stringify(patch)}::jsonb` })
      .where(mine(tx, id))
      .returning({ configs: users.configs })
    const configs = userConfigs.parse(saved?.configs ?? {})
    await emit(tx, 'preferences.updated', configs, { kind: 'user', userId: id })
    tx.afterCommit(() => invalidateDirectory(tx.tenantId))
    return configs
  })
}

/** One's own password, for who knows the current one. Every session ends, this one too. */
export const changeOwnPassword = async (actor: Actor, id: string, sealed: { current: string; next: string }) => {
  if (id !== actor.userId) throw new AppError('ERR_NO_USER_FOUND')
  await checkOwnName(actor)
  await checkOwnPassword(actor, sealed.current, 'current')
  const passwordHash = await hashPassword(await openPassword(sealed.next), 'next')
  await withTenant(actor.tenantId, async (tx) => {
    await tx.db.update(users).set({ passwordHash, updatedAt: new Date() }).where(mine(tx, id))
    await dropResetTokens(tx, id)
    await endSessions(tx, id)
    await writeAudit(tx, actor, { action: 'password.changed', entity: 'user', entityId: id })
  })
}

const mine = (tx: Tx, id: string) => and(eq(users.tenantId, tx.tenantId), eq(users.id, id), isNull(users.deletedAt))

const getForWriting = async (tx: Tx, actor: Actor, id: string) => {
  const user = await lockUser(tx, id)
  if (!user) throw new AppError('ERR_NO_USER_FOUND')
  if (id === actor.userId) return user
  if (!actor.permissions.has('users.write')) throw new AppError('ERR_NO_PERMISSION')
  await requireNotAbove(actor, user)
  return user
}

/** Holds the company's row: the last administrator is looked for by one at a time. */
export const lockTenant = async (tx: Tx) => {
  const [tenant] = await tx.db
    .select({ settings: tenants.settings })
    .from(tenants)
    .where(eq(tenants.id, tx.tenantId))
    .for('update')
  if (!tenant) throw new AppError('ERR_NOT_FOUND')
  return tenant
}

const checkQueues = async (tx: Tx, queueIds: string[]) => {
  const distinct = new Set(queueIds)
  if (distinct.size !== queueIds.length || (await countQueues(tx, queueIds)) !== distinct.size) {
    throw fieldErrors({ path: 'queueIds', message: 'Uma das filas não existe mais.' })
  }
}

const recordWrite = async (
  tx: Tx,
  actor: Actor,
  action: string,
  before: User | undefined,
  id: string,
): Promise<User> => {
  const after = await findUser(tx, id)
  if (!after) throw new AppError('ERR_NO_USER_FOUND')
  await writeAudit(tx, actor, { action, entity: 'user', entityId: id, before, after })
  await emit(tx, 'user.updated', { id, name: after.name }, seen)
  tx.afterCommit(() => invalidateDirectory(tx.tenantId))
  return after
}

/** Rights are read anew with every request: who has others goes on working with them. */
export const endSessionsAfter = async (tx: Tx, id: string, now: { isBlocked: boolean; isPassword: boolean }) => {
  if (now.isBlocked || now.isPassword) await endSessions(tx, id)
}
