import { platformRows } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { type ConsumerKind, consumerKindOf, type Delivery, type Outcome } from './consumer-kinds.ts'
import { bury, claimDue, dropOne, putOff, removeConsumer, settle, stopConsumer } from './deliveries.queries.ts'

/** In one process: of all, of one company, of one consumer. Who is slow takes its own places alone. */
const atOnce = 60
const perCompany = 12
const perConsumer = 4
/** So many failures in a row are said to the company. */
const troubleAfter = 3

/** Carries events to the machines that are to hear of them; many processes may do so. */
export const createDeliverer = () => {
  const inHand = new Map<string, { delivery: Delivery; done: Promise<void> }>()
  const full = <K>(keyOf: (one: Delivery) => K, most: number): K[] => {
    const held = Map.groupBy(inHand.values(), ({ delivery }) => keyOf(delivery))
    return [...held].flatMap(([key, those]) => (those.length < most ? [] : [key]))
  }

  /** Nobody waits for an answer: the next round finds room for the others meanwhile. */
  const run = async (again: () => void): Promise<Round> => {
    const free = atOnce - inHand.size
    if (free <= 0) return { did: 0 }
    const busy = [full((one) => one.consumerId, perConsumer), full((one) => one.tenantId, perCompany)]
    const due = await platformRows<Delivery>(claimDue, [free, ...busy])
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
  const { tenantId, seq, id, consumerId } = delivery
  const ours = [tenantId, seq, id]
  const isLate = Date.now() - delivery.createdAt.getTime() > kind.livesS * 1_000
  const outcome: Outcome = isLate ? { failed: 'O prazo acabou antes da entrega.' } : await attempt(kind, delivery)

  if (outcome === 'dropped') return void (await platformRows(dropOne, ours))
  if (outcome === 'delivered') {
    await platformRows(settle, [...ours, consumerId])
    if (delivery.failures >= troubleAfter) await kind.onState?.(delivery, null)
    return
  }
  if (outcome === 'gone') return leave(kind, delivery)
  const { failed, againInS = 0 } = outcome
  const pauseS = isLate ? undefined : kind.pausesS[delivery.attempts - 1]
  if (pauseS !== undefined)
    await platformRows(putOff, [...ours, consumerId, failed, Math.min(kind.livesS, Math.max(againInS, pauseS))])
  else if (kind.isKept) await platformRows(bury, [...ours, consumerId, failed, 0])
  else await platformRows(dropOne, ours)
  const isTold = pauseS === undefined || delivery.failures + 1 === troubleAfter
  if (isTold) await kind.onState?.(delivery, failed)
}

const attempt = async (kind: ConsumerKind, delivery: Delivery): Promise<Outcome> => {
  try {
    return await kind.deliver(delivery)
  } catch (error) {
    log.error({ err: error, ...whose(delivery) }, 'delivery not made')
    return { failed: 'Não conseguimos entregar.' }
  }
}

/** A browser that is gone is forgotten; what a company set up stays, stopped, until somebody looks at it. */
const leave = async (kind: ConsumerKind, delivery: Delivery) => {
  const { tenantId, consumerId } = delivery
  if (!kind.isKept) return void (await platformRows(removeConsumer, [tenantId, consumerId]))
  const text = 'O endereço respondeu que não existe mais.'
  await platformRows(stopConsumer, [tenantId, consumerId, text])
  await kind.onState?.(delivery, text)
}

const whose = ({ tenantId, consumerId, topic, id }: Delivery) => ({ tenantId, consumerId, topic, deliveryId: id })
