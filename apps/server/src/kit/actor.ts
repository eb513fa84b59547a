import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Permission, Profile } from '@balcao/contract/permissions.ts'

/** Who is acting, proven by the access token; read again from the user's row at most a few seconds ago. */
export type Actor = {
  tenantId: number
  userId: string
  name: string
  email: string
  profile: Profile
  isSupport: boolean
  queueIds: string[]
  permissions: ReadonlySet<Permission>
  /** Refresh-token family of this session. */
  sessionId: string
  impersonatorId: string | null
}

/** As the author of what they do and write. */
export const byUser = ({ userId, name }: Pick<Actor, 'userId' | 'name'>): Author => ({ kind: 'user', id: userId, name })
/** What the company set up to happen by itself, by the name it goes by on the screens. */
export const byRule = (name: string): Author => ({ kind: 'rule', id: null, name })
/** The product itself: what it puts right, and what nobody decided. */
export const bySystem: Author = { kind: 'system', id: null, name: 'Sistema' }
