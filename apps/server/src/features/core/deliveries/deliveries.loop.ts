import { type Prepared, platformRows } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { type ConsumerKind, consumerKindOf, type Delivery, type Outcome } from './consumer-kinds.ts'
import {
  bury,
  claimDue,
  type DeliveryRow,
  dropOne,
  keepDelivered,
  putOff,
  removeConsumer,
  settle,
  stopConsumer,
} from './deliveries.queries.ts'
import { tellTried } from './tell-tried.ts'

/** In one process: of all, of one consumer. What one company may hold of them depends on what is free (`claimDue`). */
const atOnce = 60
const perConsumer = 4
/** So many failures in a row are said to the company. */
const troubleAfter = 3

/** Carries events to the machines that are to hear of them; many processes may do so. */
export const createDeliverer = () => {
  const inHand = new Map<string, { delivery: Delivery; done: Promise<void> }>()
  const held = <K>(keyOf: (one: Delivery) => K) =>
    [...Map.groupBy(inHand.values(), ({ delivery }) => keyOf(delivery))].map(
      ([key, those]) => [key, those.length] as const,
    )

  /** Nobody waits for an answer: the next round finds room for the others meanwhile. */
  const run = async (again: () => void): Promise<Round> => {
    const free = atOnce - inHand.size
    if (free <= 0) return { did: 0 }
    const full = held((one) => one.consumerId).flatMap(([id, places]) => (places < perConsumer ? [] : [id]))
    const companies = held((one) => one.tenantId)
    const due = await platformRows<Delivery>(claimDue, [
      ...[free, full],
      ...[companies.map(([id]) => id), companies.map(([, places]) => places)],
    ])
    for (const delivery of due) {
      const key = `${delivery.tenantId} ${delivery.seq} ${delivery.id}`
      const done = handle(delivery)
        .catch((error) => log.error({ err: error, ...whose(delivery) }, 'delivery not settled')) // its lease ends
        .finally(() => {
          inHand.delete(key)
          again() // the next of its lane
        })
      inHand.set(key, { delivery, done })
    }
    return { did: due.length }
  }
  const finish = async () => {
    await Promise.all([...inHand.values()].map(({ done }) => done))
  }
  return { run, finish }
}

const handle = async (delivery: Delivery) => {
  const kind = consumerKindOf(delivery.kind)
  const { tenantId, seq, id, consumerId, failures } = delivery
  const isLate = Date.now() - delivery.livesFrom.getTime() > kind.livesS * 1_000
  const outcome: Outcome = isLate
    ? { is: 'failed', error: 'O prazo acabou antes da entrega.' }
    : await attempt(kind, delivery)

  const { is, againInS = 0, answer = null, error = 'Não conseguimos entregar.' } = outcome
  const ours = [tenantId, seq, id]
  const note = async (statement: Prepared, ...more: unknown[]) => {
    const values = [...ours, consumerId, answer && JSON.stringify(answer), ...more]
    tellTried(delivery, await platformRows<DeliveryRow>(statement, values))
  }
  if (is === 'dropped') return void (await platformRows(dropOne, ours))
  if (is === 'delivered') {
    if (kind.isKept) await note(keepDelivered)
    else await platformRows(settle, [...ours, consumerId])
    if (failures >= troubleAfter) await kind.onState?.(delivery, null)
    return
  }
  if (is === 'gone') {
    // A browser that is gone is forgotten; what a company set up stays, stopped, until somebody looks at it.
    if (!kind.isKept) return void (await platformRows(removeConsumer, [tenantId, consumerId]))
    const text = 'O endereço respondeu que não existe mais.'
    await note(stopConsumer, text)
    return kind.onState?.(delivery, text)
  }
  const pauseS = isLate ? undefined : kind.pausesS[delivery.attempts - 1]
  if (pauseS !== undefined) await note(putOff, error, Math.min(kind.livesS, Math.max(againInS, pauseS)))
  else if (kind.isKept) await note(bury, error, 0)
  else await platformRows(dropOne, ours)
  if (pauseS === undefined || failures + 1 === troubleAfter) await kind.onState?.(delivery, error)
}

const attempt = async (kind: ConsumerKind, delivery: Delivery): Promise<Outcome> => {
  try {
    return await kind.deliver(delivery)
  } catch (error) {
    log.error({ err: error, ...whose(delivery) }, 'delivery not made')
    return { is: 'failed' }
  }
}

const whose = ({ tenantId, consumerId, topic, id }: Delivery) => ({ tenantId, consumerId, topic, deliveryId: id })
