import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'

/** Who is gone, and the colleague who goes on with what was theirs. */
export type HandedOver = { userId: string; heirId: string; note: string }
type Follow = (tx: Tx, by: Pick<Actor, 'userId' | 'impersonatorId'>, handed: HandedOver) => Promise<void>

let follow: Follow = async () => {}
/** What higher features keep in somebody's name follows to their heir: handed in by the one file that knows them all. */
export const onHandedOver = (given: Follow) => {
  follow = given
}
export const tellHandedOver: Follow = (tx, by, handed) => follow(tx, by, handed)
