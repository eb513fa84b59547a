import type { Tx } from '../../../db/database.ts'
import { emit } from '../../../kit/outbox.ts'

/** Tells whoever has a list of those who wait on screen: once a round, however many were written to. */
export const emitAudience = (tx: Tx, rules: string[]) =>
  emit(tx, 'audience.changed', { rules }, { kind: 'permission', can: 'contacts.read' })
