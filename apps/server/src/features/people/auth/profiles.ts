import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { findDirectory, getDirectory, invalidateDirectory, mayEnter } from '../../core/directory/directory.ts'
import { isWithinAllowedHours } from './allowed-hours.ts'
import { checkOwnPassword } from './own-password.ts'
import { endSession, type OpenSession, openSession } from './sessions.ts'

/**
 * One person with one e-mail may be somebody in a company and on the platform. A session belongs to one of the two;
 * whoever goes to the platform, from where every company is reached, says their password again.
 */
export const switchProfile = async (actor: Actor, password: string | undefined): Promise<OpenSession> => {
  if (actor.impersonatorId) throw new AppError('ERR_NO_PERMISSION')
  const { people } = await getDirectory(actor.tenantId)
  const to = people.get(actor.userId)?.otherTenantId ?? null
  if (to === null) throw new AppError('ERR_NOT_FOUND')
  if (to === 0) await checkOwnPassword(actor, password ?? '', 'password')
  const session = await openProfile(to, actor.userId)
  await endSession(actor.tenantId, actor.sessionId)
  return session
}

/** Throws what stands in the way of this person in that company. */
export const openProfile = async (tenantId: number, userId: string): Promise<OpenSession> => {
  invalidateDirectory(tenantId) // as they are now
  const directory = await findDirectory(tenantId)
  const person = directory?.people.get(userId)
  if (!directory || !person) throw new AppError('ERR_NO_PERMISSION')
  if (person.isBlocked) throw new AppError('ERR_USER_BLOCKED')
  if (!mayEnter(directory.status, person)) throw new AppError('ERR_TENANT_INACTIVE')
  if (!isWithinAllowedHours(person, directory.timezone)) throw new AppError('OUT_RANGE')
  return withTenant(tenantId, (tx) => openSession(tx, person))
}

/** Name and password are changed where they are kept. */
export const checkOwnName = async ({ tenantId, userId }: Actor) => {
  const home = (await getDirectory(tenantId)).people.get(userId)?.otherTenantId
  if (!home) return
  const company = (await findDirectory(home))?.name
  throw new AppError('ERR_PLATFORM_PERSON', { message: `Mude o seu nome e a sua senha no seu perfil em ${company}.` })
}

const platformProfile: Prepared = {
  name: 'platform_profile',
  text: `select 1 from users where tenant_id = 0 and id = $1 and home_tenant_id = $2 and deleted_at is null and not is_blocked`,
}
/** Whether somebody of a company takes care of the platform too. */
export const findPlatformProfile = async (user: { tenantId: number; id: string }) =>
  (await platformRows(platformProfile, [user.id, user.tenantId])).length > 0

/**
 * Nobody of the company, nor a visitor in it, takes over or locks out who takes care of the platform: with their e-mail or
 * password one would get there.
 */
export const checkNotOfPlatform = async (tenantId: number, userId: string) => {
  if (await findPlatformProfile({ tenantId, id: userId })) throw new AppError('ERR_PLATFORM_PERSON')
}
