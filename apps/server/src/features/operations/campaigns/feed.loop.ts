import { setTimeout as sleep } from 'node:timers/promises'
import { platformRows, withTenant } from '../../../db/database.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { paces } from '../../conversations/messages/pace.ts'
import { feedable, type Lane, postponeFirst } from './feed.queries.ts'
import { writeBatch } from './write-batch.ts'

/** Of one transaction: others' requests come in between. */
const mostAtOnce = 20
/** Of one connection in a round, so that a campaign that begins meanwhile is not kept waiting. */
const mostInRound = 100
const mostRestMs = 200
/** Connections that are fed at one time. */
const inTurn = createLimit(8)

/** Each connection gets what it can send in the next seconds of the campaigns that run by it, in turn. */
export const feedCampaigns = async (): Promise<Round> => {
  const lanes = await platformRows<Lane>(feedable, [paces])
  const ways = [...Map.groupBy(lanes, ({ tenantId, connectionId }) => `${tenantId}:${connectionId}`).values()]
  const fed = await Promise.all(ways.map((some) => inTurn(() => feedWay(some))))
  const rests = fed.flatMap(({ againInMs }) => againInMs ?? [])
  return {
    did: fed.reduce((sum, { taken }) => sum + taken, 0),
    isMore: fed.some(({ taken }) => taken >= mostInRound),
    ...(rests.length && { againInMs: Math.min(...rests) }),
  }
}

/** What one connection has room for, shared evenly; what one does not need goes to those after it. */
const feedWay = async (lanes: Lane[]) => {
  let free = Math.min(lanes[0]?.free ?? 0, mostInRound)
  let taken = 0
  const rests: number[] = []
  for (const [at, lane] of lanes.entries()) {
    const share = Math.ceil(free / (lanes.length - at))
    const done = await feedLane(lane, share)
    free -= done.taken
    taken += done.taken
    if (done.againInMs) rests.push(done.againInMs)
  }
  return { taken, againInMs: rests.length ? Math.min(...rests) : undefined }
}

const feedLane = async (lane: Lane, share: number) => {
  let taken = 0
  try {
    while (taken < share) {
      const limit = Math.min(mostAtOnce, share - taken)
      const done = await writeBatch({ ...lane, limit })
      taken += done.taken
      if (done.taken < limit) return { taken, againInMs: done.againInMs }
      // Twice as fast as they leave: all in one go would be felt by whoever writes meanwhile.
      if (taken < share) await sleep(Math.min(mostRestMs, (limit * lane.restMs) / 2))
    }
    return { taken }
  } catch (error) {
    return { taken: taken + (await feedOneByOne(lane, error)) }
  }
}

/** A slip of ours with one of them must not hold up the others. */
const feedOneByOne = async (lane: Lane, error: unknown): Promise<number> => {
  const { tenantId, campaignId, connectionId, step, isRest } = lane
  log.error({ err: error, tenantId, campaignId, connectionId }, 'campaign not fed at once')
  try {
    let taken = 0
    for (let one = 0; one < 10; one += 1) taken += (await writeBatch({ ...lane, limit: 1 })).taken
    return taken
  } catch (failure) {
    log.error({ err: failure, tenantId, campaignId, connectionId }, 'recipient of a campaign not written')
    await withTenant(tenantId, (tx) =>
      tx.rows(postponeFirst, [tenantId, campaignId, connectionId, step, isRest ? 1 : 0]),
    )
    return 0
  }
}
