import type { Session } from '../kit/session.ts'
import type { Visitor } from './access.ts'

/** The session as the access rules see it. */
export const visitorOf = ({ profile, menuVisibility, user }: Session): Visitor => ({
  profile,
  menuVisibility,
  permissions: user.permissions,
})
