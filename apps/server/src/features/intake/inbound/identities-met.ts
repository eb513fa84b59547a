import type { Tx } from '../../../db/database.ts'

type Two = { keptId: string; otherId: string }
let met: (tx: Tx, two: Two) => Promise<void> = async () => {}
/** A provider said that two contacts are one person; a feature above this one makes them one. */
export const onIdentitiesMet = (handler: typeof met) => {
  met = handler
}
export const identitiesMet = (tx: Tx, two: Two) => met(tx, two)
