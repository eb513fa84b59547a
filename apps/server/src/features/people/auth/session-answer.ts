import type { SessionAnswer } from '@balcao/contract/people/auth.ts'
import { userConfigs } from '@balcao/contract/people/users.ts'
import type { MenuVisibility } from '@balcao/contract/permissions.ts'
import { AppError } from '../../../kit/errors.ts'
import { type Directory, findDirectory, type Person } from '../../core/directory/directory.ts'
import { pictureUrl } from '../../core/media/media.present.ts'
import { type Claims, issueAccessToken } from './access-token.ts'

/** What a log-in answers: the token, the person, what they may do and how their company is set up. */
export const answerSession = async (claims: Claims): Promise<SessionAnswer> => ({
  token: await issueAccessToken(claims),
  ...(await describeSession(claims)),
})

/** The same without a token. */
export const describeSession = async (
  session: Pick<Claims, 'tenantId' | 'userId' | 'impersonatorId'>,
): Promise<Omit<SessionAnswer, 'token'>> => {
  const directory = await findDirectory(session.tenantId)
  const person = directory?.people.get(session.userId)
  if (!directory || !person) throw new AppError('ERR_SESSION_EXPIRED')
  return {
    username: person.name,
    email: person.email,
    profile: person.profile,
    roleName: (person.roleId && directory.roles.get(person.roleId)?.name) || null,
    userId: person.id,
    tenantId: session.tenantId,
    isSupport: person.isSupport,
    queues: person.queueIds.flatMap((id) => directory.queues.get(id) ?? []),
    // Voice does not exist yet: nobody is offered a telephone.
    blockWavoip: true,
    whatsappAllowed: person.permissions.has('connections.read') && directory.maxConnections > 0,
    configs: userConfigs.parse(person.configs),
    ...describeRights(directory, person),
    otherProfile: session.impersonatorId ? null : await nameOfOther(person),
    impersonatedBy: session.impersonatorId ? await nameOfSuperadmin(session.impersonatorId) : null,
  }
}

/** What may change while somebody works: rights, menus, settings, the company's face. */
export const describeRights = (directory: Directory, person: Person) => ({
  permissions: [...person.permissions],
  menuVisibility: visibleMenus(directory, person),
  configuracoes: directory.settings,
  tenant: {
    name: directory.name,
    status: directory.status,
    logoUrl: directory.logoMediaId ? pictureUrl(directory.tenantId, directory.logoMediaId) : null,
    colors: directory.settings.systemColors,
    timezone: directory.timezone,
    allowedChannels: directory.allowedChannels,
  },
})

/** A menu is hidden when the company does not have it or the person may not use it; the platform's people are exempt. */
const visibleMenus = (directory: Directory, person: Person): MenuVisibility => {
  if (directory.tenantId === 0) return {}
  const hiddenForAll = Object.entries(directory.menuVisibility).filter(([, isShown]) => !isShown)
  return { ...person.menuPermissions, ...Object.fromEntries(hiddenForAll) }
}

const nameOfSuperadmin = async (userId: string) => (await findDirectory(0))?.people.get(userId)?.name ?? 'Suporte'

const nameOfOther = async ({ otherTenantId }: Person) => {
  const other = otherTenantId === null ? undefined : await findDirectory(otherTenantId)
  return other ? { tenantId: other.tenantId, name: other.name } : null
}
