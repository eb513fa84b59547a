import { setTimeout as sleep } from 'node:timers/promises'
import { keep } from './keep.ts'

/** How webhooks leave the provider. Change the fields at any time. */
export type DeliveryPolicy = {
  /** Wait before each webhook; a pair is a random range. */
  delayMs: number | [number, number]
  /** Extra copies of each webhook, posted at the same instant. */
  duplicate: number
  /** Hold what arrives within 40 ms and post it backwards. */
  reorder: boolean
  /** Never tell `delivered` (statuses go from sent to read). */
  skipDelivered: boolean
  /** Sign with the wrong secret. */
  badSignature: boolean
  /** Statuses reach the webhook before the answer to the send. */
  statusBeforeAnswer: boolean
  /** Waits before each repetition of a webhook that was not answered with 2xx; its length bounds the repetitions. */
  retryDelaysMs: number[]
  timeoutMs: number
}

export type DeliveredWebhook = { at: number; body: string; attempts: number; status?: number; error?: string }

export type Outgoing = {
  url: string
  body: string
  headers: Record<string, string>
  /** Called once, when the receiver first answers 2xx. */
  onAccepted?: () => void
}

const reorderWindowMs = 40
const usual: DeliveryPolicy = {
  delayMs: 0,
  duplicate: 0,
  reorder: false,
  skipDelivered: false,
  badSignature: false,
  statusBeforeAnswer: false,
  retryDelaysMs: [1_000, 2_000, 5_000, 15_000, 60_000, 300_000],
  timeoutMs: 20_000,
}

type Around = { closing: AbortSignal; track: <T>(work: Promise<T>) => Promise<T> }

/** Posts webhooks by the policy, and keeps what became of each. */
export const createDelivery = (policy: Partial<DeliveryPolicy> | undefined, { closing, track }: Around) => {
  const delivery: DeliveryPolicy = { ...usual, ...policy }
  const webhooks: DeliveredWebhook[] = []
  const openPosts = new Set<AbortController>()

  const postOnce = async (outgoing: Outgoing, log: DeliveredWebhook): Promise<boolean> => {
    log.attempts++
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(new Error('timeout')), delivery.timeoutMs)
    openPosts.add(abort)
    try {
      const answer = await fetch(outgoing.url, {
        method: 'POST',
        headers: outgoing.headers,
        body: outgoing.body,
        redirect: 'manual',
        signal: abort.signal,
      })
      await answer.arrayBuffer()
      log.status = answer.status
      log.error = undefined
      return answer.ok
    } catch (error) {
      log.status = undefined
      log.error = error instanceof Error ? error.message : String(error)
      return false
    } finally {
      clearTimeout(timer)
      openPosts.delete(abort)
    }
  }

  /** First attempt, then the retries behind it. */
  const post = async (outgoing: Outgoing): Promise<void> => {
    const log: DeliveredWebhook = { at: Date.now(), body: outgoing.body, attempts: 0 }
    keep(webhooks, log)
    if (await postOnce(outgoing, log)) return outgoing.onAccepted?.()
    void track(retry(outgoing, log)).catch(() => undefined)
  }
  const retry = async (outgoing: Outgoing, log: DeliveredWebhook): Promise<void> => {
    for (const delayMs of delivery.retryDelaysMs) {
      await sleep(delayMs, undefined, { signal: closing, ref: false })
      if (await postOnce(outgoing, log)) return outgoing.onAccepted?.()
    }
  }

  let held: (() => Promise<void>)[] = []
  const hold = (work: () => Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      held.push(() => work().finally(resolve))
      if (held.length > 1) return
      setTimeout(async () => {
        const batch = held.reverse()
        held = []
        for (const send of batch) await send()
      }, reorderWindowMs)
    })

  const deliver = (outgoing: Outgoing): Promise<void> => {
    const once = onlyOnce(outgoing)
    const work = async () => {
      const delayMs = pickDelay(delivery.delayMs)
      if (delayMs > 0) await sleep(delayMs, undefined, { signal: closing })
      if (delivery.duplicate === 0) return post(once)
      await Promise.all(Array.from({ length: delivery.duplicate + 1 }, () => post(once)))
    }
    return track((delivery.reorder ? hold(work) : work()).catch(() => undefined))
  }

  const cutPosts = () => {
    for (const post of openPosts) post.abort()
  }
  return { delivery, webhooks, deliver, cutPosts }
}

/** Copies of one webhook are one event: the first 2xx counts. */
const onlyOnce = (outgoing: Outgoing): Outgoing => {
  let accepted = false
  return {
    ...outgoing,
    onAccepted: () => {
      if (accepted) return
      accepted = true
      outgoing.onAccepted?.()
    },
  }
}

const pickDelay = (delayMs: DeliveryPolicy['delayMs']): number =>
  typeof delayMs === 'number' ? delayMs : delayMs[0] + Math.random() * (delayMs[1] - delayMs[0])
