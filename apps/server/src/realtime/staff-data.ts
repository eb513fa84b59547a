import type { Namespace, Socket } from 'socket.io'
import type { Claims } from '../features/people/auth/access-token.ts'
import type { Actor } from '../kit/actor.ts'

/** What a staff socket carries. Other processes read it too, so what they ask for is plain JSON. */
export type StaffData = {
  claims: Claims
  actor: Actor
  /** What decided about tickets when last looked at. */
  rights: string
  /** The conversations this window has on screen, and whose they are. */
  viewing: Map<string, Viewed>
  /** Of these, where somebody is writing. */
  typing: string[]
  /** And of those, where the customer may see it. */
  shown: Set<string>
  /** The window is out of sight: behind another tab, or on a locked screen. */
  isHidden: boolean
  /** The flow this window has open, and the step it stands on. */
  look: { flowId: string; nodeId: string | null } | null
}
export type Viewed = { connectionId: string; contactId: string }

export type Said = Record<string, (payload: unknown) => void>
export type StaffSocket = Socket<Said, Said, Said, StaffData>
export type StaffNamespace = Namespace<Said, Said, Said, StaffData>
