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
