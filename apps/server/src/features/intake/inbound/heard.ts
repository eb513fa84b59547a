import type { Tx } from '../../../db/database.ts'
import type { Batch } from './arrivals.ts'

/** What a feature above does about words of customers that are stored: in their transaction, after what belongs to them. */
type Hearer = (tx: Tx, batch: Batch) => Promise<void>
let hearer: Hearer = async () => {}
export const onHeard = (given: Hearer) => {
  hearer = given
}
export const tellHeard: Hearer = (tx, batch) => hearer(tx, batch)
