import type { Session } from '../kit/session.ts'
import type { Visitor } from './access.ts'

/** The session as the access rules see it. */
export const visitorOf = ({ menuVisibility, user }: Session): Visitor => ({
  menuVisibility,
  permissions: user.permissions,
})
