import type { Tx } from '../../../db/database.ts'
import { announce } from '../../../kit/signals/signals.ts'

/** Something began to wait, or somebody is free again: once this transaction is committed, who waits finds a person. */
export const wakeDistribution = (tx: Tx) => {
  const { tenantId } = tx
  tx.afterCommit(() => announce('distribution.wanted', { tenantId }))
}
