import type { Tx } from '../../../db/database.ts'

type Distributor = (tenantId: number) => void
let distribute: Distributor = () => {}
/** The worker's distributor registers here; in a process without one, the next round of another finds the work. */
export const onDistribution = (handler: Distributor) => {
  distribute = handler
}

/** Something began to wait, or somebody is free again: once this transaction is committed, who waits finds a person. */
export const wakeDistribution = (tx: Tx) => {
  const { tenantId } = tx
  // Not before everybody else who waits for this commit: the company's cards are forgotten then.
  tx.afterCommit(() => void setImmediate(() => distribute(tenantId)))
}
