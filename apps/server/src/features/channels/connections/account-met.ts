import type { Tx } from '../../../db/database.ts'

type Follow = (tx: Tx, connectionId: string) => Promise<void>
let follow: Follow = async () => {}
/** What follows when a connection learns whose account it has: its number was nobody it knew before. */
export const registerAccountMet = (given: Follow) => {
  follow = given
}
export const accountMet: Follow = (tx, connectionId) => follow(tx, connectionId)
