import type { InboundEvent } from '../../../channels/adapter.ts'
import type { Tx } from '../../../db/database.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import type { Batch } from './arrivals.ts'

type GroupChange = Extract<InboundEvent, { kind: 'group' }>
/** Rules of a company for its groups: asked with the very words and notices they are about, never of history. */
export type GroupWatch = {
  heard: (tx: Tx, batch: Batch) => Promise<void>
  /** A member changed what they had said. */
  edited: (tx: Tx, connection: OpenConnection, said: { messageId: string; body: string; at: Date }) => Promise<void>
  changed: (tx: Tx, connection: OpenConnection, told: { groupId: string; event: GroupChange }) => Promise<void>
}
const nobody: GroupWatch = { heard: async () => {}, edited: async () => {}, changed: async () => {} }
let watch = nobody
/** A feature above this one watches over groups. */
export const registerGroupWatch = (given: GroupWatch) => {
  watch = given
}
export const groupWatch = () => watch
