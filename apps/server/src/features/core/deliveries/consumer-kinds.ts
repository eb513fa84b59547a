import type { DeliveryAnswer, DeliveryTopic } from '../../../db/schema/core/deliveries.ts'

/** An event in the hands of a worker, and the consumer it is for. */
export type Delivery = {
  tenantId: number
  seq: number
  id: string
  consumerId: string
  topic: DeliveryTopic
  lane: string
  payload: unknown
  attempts: number
  createdAt: Date
  /** From when on its life counts. */
  livesFrom: Date
  /** Where it goes, if not where its consumer is. */
  url: string | null
  kind: string
  userId: string | null
  integrationId: string | null
  target: Record<string, string>
  /** Of its consumer, in a row, before this attempt. */
  failures: number
}

/** `dropped`: nobody needs it any more. `gone`: there is no such consumer any more, says whoever was called. */
export type Outcome = {
  is: 'delivered' | 'dropped' | 'gone' | 'failed'
  /** Why, in Portuguese. */
  error?: string
  againInS?: number
  answer?: DeliveryAnswer
}

export type ConsumerKind = {
  kind: string
  /** Pauses before each further attempt; after the last it is dead. */
  pausesS: readonly number[]
  /** Told later than this it helps nobody. */
  livesS: number
  /** What was delivered and what could not be is kept for some days, to be seen and sent anew. */
  isKept: boolean
  /** Called outside any transaction; an error counts as a failure. The same delivery may come twice, under one id. */
  deliver: (delivery: Delivery) => Promise<Outcome>
  /** It cannot be reached, with what to say of it; or it can again. */
  onState?: (delivery: Delivery, trouble: string | null) => Promise<void>
}

const kinds = new Map<string, ConsumerKind>()
/** The kinds there are, handed in by the one file that knows all features. */
export const registerConsumers = (given: ConsumerKind[]) => {
  for (const one of given) kinds.set(one.kind, one)
}
export const consumerKindOf = (kind: string): ConsumerKind => {
  const found = kinds.get(kind)
  if (!found) throw new Error(`No consumer of kind ${kind}`)
  return found
}
