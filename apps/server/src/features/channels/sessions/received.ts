import type { JournalPiece } from '../../../channels/adapter.ts'
import type { OpenConnection } from '../connections/context.ts'
import type { StateChanges } from './state.ts'

/** Pieces of a session with the provider's state that goes with them, by the process that owns it. */
export type FromSession = {
  connection: OpenConnection
  owner: string
  pieces: JournalPiece[]
  changes: StateChanges
  untilHandled?: boolean
}
/** False: the session is no longer ours, and nothing was written. */
type Store = (given: FromSession) => Promise<boolean>

let store: Store = async () => {
  throw new Error('Nobody takes what sessions receive')
}
/** Who journals it; a feature above this one registers it. */
export const onSessionReceived = (handler: Store) => {
  store = handler
}
export const storeFromSession: Store = (given) => store(given)
