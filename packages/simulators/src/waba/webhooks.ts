import { createHmac, randomInt } from 'node:crypto'
import type { Line, LineState } from '../handset.ts'
import type { DeliveredWebhook } from '../simulator.ts'
import type { Item, WabaCustomer } from './customer.ts'
import { changeOf, groupChanges, newWamid, priceOf } from './envelope.ts'
import { statusError } from './errors.ts'
import type { State, WabaStatus } from './state.ts'

export type Webhooks = ReturnType<typeof createWebhooks>

/** What Meta tells the business: signed, alone or many in one POST. */
export const createWebhooks = (state: State) => {
  const { core, options, metadata } = state
  let collecting: { item: Item; onAccepted?: () => void }[] | undefined
  let batchDone: Promise<void> = Promise.resolve()

  const sign = (body: string) => `sha256=${createHmac('sha256', options.appSecret).update(body).digest('hex')}`

  const post = (body: string, onAccepted?: () => void): Promise<void> => {
    if (!state.webhookUrl) return Promise.resolve()
    const signature = core.delivery.badSignature
      ? `sha256=${createHmac('sha256', 'wrong').update(body).digest('hex')}`
      : sign(body)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'facebookexternalua',
      'x-hub-signature-256': signature,
    }
    return core.deliver({ url: state.webhookUrl, body, headers, onAccepted })
  }

  const envelope = (changes: object[][]) =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: changes.map((group) => ({ id: options.wabaId, changes: group })),
    })

  const emit = (item: Item, onAccepted?: () => void): Promise<void> => {
    if (!collecting) return post(envelope([[changeOf([item], metadata)]]), onAccepted)
    collecting.push({ item, onAccepted })
    return batchDone
  }

  const emitStatus = (id: string, status: WabaStatus, error?: { code: number; details: string }): Promise<void> => {
    const sent = state.known.get(id)
    if (sent) advance(sent.line, status, error?.details)
    core.changed()
    const payload = {
      id,
      status,
      timestamp: String(Math.floor(core.now() / 1000)),
      ...(sent?.customer.waId && { recipient_id: sent.customer.waId }),
      ...(sent?.customer.userId && { recipient_user_id: sent.customer.userId }),
      ...(sent?.callbackData !== undefined && { biz_opaque_callback_data: sent.callbackData }),
      ...(status === 'failed'
        ? { errors: [statusError(error?.code ?? 131000, error?.details ?? '')] }
        : priceOf(sent?.category, core.now())),
    }
    return emit({ kind: 'status', payload, contact: status === 'failed' ? undefined : sent?.customer.contact() })
  }

  /** The life of an accepted message, in order; with `reorder` on, all at once for the shuffler. */
  const tellLife = async (id: string, customer: WabaCustomer, failure?: { code: number; details: string }) => {
    const say = (status: WabaStatus) => {
      const told = emitStatus(id, status, status === 'failed' ? failure : undefined)
      return core.delivery.reorder ? undefined : told
    }
    if (failure) return say('failed')
    if (!state.policy.emitsStatuses) return
    await say('sent')
    if (!core.delivery.skipDelivered) await say('delivered')
    else advance(state.known.get(id)?.line, 'delivered')
    if (customer.autoRead) await customer.read()
  }

  return {
    sign,
    emit,
    emitStatus,
    tellLife,
    /** The GET handshake. */
    verify: async (verifyToken = options.verifyToken) => {
      if (!state.webhookUrl) throw new Error('call setWebhook first')
      const challenge = String(randomInt(1_000_000_000))
      const url = new URL(state.webhookUrl)
      url.searchParams.set('hub.mode', 'subscribe')
      url.searchParams.set('hub.challenge', challenge)
      url.searchParams.set('hub.verify_token', verifyToken)
      const answer = await fetch(url)
      const body = await answer.text()
      return { isVerified: answer.status === 200 && body === challenge, status: answer.status, body }
    },
    /** The business wrote from the phone app. */
    echo: async (to: WabaCustomer, text: string) => {
      const id = newWamid(to.waId)
      const message = {
        from: state.businessPhone,
        to: to.waId,
        id,
        timestamp: String(Math.floor(core.now() / 1000)),
        type: 'text',
        text: { body: text },
      }
      const line: Line = {
        id,
        from: 'business',
        at: core.now(),
        type: 'text',
        text,
        reactions: {},
        state: 'delivered',
        payload: message,
      }
      state.known.set(id, { customer: to, line })
      to.receive(line)
      core.changed()
      await emit({
        kind: 'change',
        field: 'smb_message_echoes',
        value: { messaging_product: 'whatsapp', metadata, message_echoes: [message] },
      })
      return id
    },
    batch: (work: () => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const collected: NonNullable<typeof collecting> = []
      collecting = collected
      batchDone = promise
      try {
        work()
      } finally {
        collecting = undefined
      }
      const accepted = () => {
        for (const { onAccepted } of collected) onAccepted?.()
      }
      const posted = post(
        envelope(
          groupChanges(
            collected.map(({ item }) => item),
            metadata,
          ),
        ),
        accepted,
      )
      void posted.then(resolve)
      return posted
    },
    postRaw: async (payload: object | string, { signature }: { signature?: string | null } = {}) => {
      if (!state.webhookUrl) throw new Error('call setWebhook first')
      const body =
        typeof payload === 'string'
          ? payload
          : 'entry' in payload
            ? JSON.stringify(payload)
            : envelope([[{ field: 'messages', value: payload }]])
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (signature !== null) headers['x-hub-signature-256'] = signature ?? sign(body)
      const log: DeliveredWebhook = { at: Date.now(), body, attempts: 1 }
      const answer = await fetch(state.webhookUrl, { method: 'POST', headers, body, redirect: 'manual' })
      await answer.arrayBuffer()
      log.status = answer.status
      core.webhooks.push(log)
      return log
    },
  }
}

const ranks: LineState[] = ['sending', 'sent', 'delivered', 'read', 'played']

/** A state only moves forward. */
export const advance = (line: Line | undefined, state: WabaStatus, failure?: string) => {
  if (!line) return
  if (state === 'failed') {
    line.state = 'failed'
    line.failure = failure
  } else if (ranks.indexOf(state) > ranks.indexOf(line.state)) line.state = state
}
