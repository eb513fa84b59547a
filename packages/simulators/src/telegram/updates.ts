import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { DeliveredWebhook } from '../simulator.ts'
import { TelegramError } from './errors.ts'
import { flag, parse, pollParams, webhookParams } from './params.ts'
import type { Method, Methods, State, TelegramUpdate } from './state.ts'

export type Updates = ReturnType<typeof createUpdates>

/** What happens is told by webhook, or waits until it is asked for. */
export const createUpdates = (state: State) => {
  const { core, webhook, updates } = state
  const pending: { update: TelegramUpdate; onAccepted?: () => void }[] = []
  /** Posted, and not taken by anybody yet: without an address it waits to be asked for. */
  const undelivered = new Map<number, (typeof pending)[number]>()
  let nextUpdateId = randomInt(100_000_000, 900_000_000)
  let unconfirmed = 0
  let wakePoller: ((reason: 'update' | 'replaced') => void) | undefined

  const isWanted = (kind: string) =>
    webhook.allowedUpdates?.length
      ? webhook.allowedUpdates.includes(kind)
      : !['message_reaction', 'message_reaction_count', 'chat_member'].includes(kind)

  const post = (update: TelegramUpdate, onAccepted?: () => void): Promise<void> => {
    const secret = core.delivery.badSignature ? 'wrong-secret' : webhook.secretToken
    unconfirmed++
    undelivered.set(update.update_id, { update, onAccepted })
    return core.deliver({
      url: webhook.url,
      body: JSON.stringify(update),
      headers: { 'content-type': 'application/json', ...(secret && { 'x-telegram-bot-api-secret-token': secret }) },
      onAccepted: () => {
        unconfirmed--
        undelivered.delete(update.update_id)
        onAccepted?.()
      },
    })
  }

  const emit = async (kind: string, body: object, onAccepted?: () => void): Promise<number> => {
    if (!isWanted(kind)) return 0
    const update = { update_id: nextUpdateId++, [kind]: structuredClone(body) }
    if (kind === 'callback_query' && 'id' in body) state.openCallbacks.add(String(body.id))
    updates.push(update)
    if (updates.length > 10_000) updates.splice(0, 5_000)
    if (webhook.url) await post(update, onAccepted)
    else {
      pending.push({ update, onAccepted })
      wakePoller?.('update')
    }
    return update.update_id
  }

  const flushPending = () => {
    for (const { update, onAccepted } of pending.splice(0)) void post(update, onAccepted)
  }

  const getUpdates: Method = async (params) => {
    const p = parse(pollParams, params)
    if (webhook.url) {
      throw new TelegramError(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      )
    }
    wakePoller?.('replaced')
    if (p.allowed_updates) webhook.allowedUpdates = p.allowed_updates
    const confirmed =
      p.offset < 0 ? pending.length + p.offset : pending.findIndex(({ update }) => update.update_id >= p.offset)
    for (const { onAccepted } of pending.splice(0, confirmed === -1 ? pending.length : Math.max(confirmed, 0)))
      onAccepted?.()
    if (pending.length === 0 && p.timeout > 0) {
      const reason = await new Promise<string>((resolve) => {
        const timer = setTimeout(resolve, p.timeout * 1000, 'timeout')
        wakePoller = (why) => {
          clearTimeout(timer)
          resolve(why)
        }
        core.closing.addEventListener('abort', () => wakePoller?.('update'), { once: true })
      })
      if (reason === 'replaced') {
        throw new TelegramError(
          409,
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
        )
      }
      wakePoller = undefined
    }
    return pending.slice(0, p.limit).map(({ update }) => update)
  }

  const methods: Methods = {
    setwebhook: (params) => {
      const p = parse(webhookParams, params)
      if (p.url && !/^https:|^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(p.url)) {
        throw new TelegramError(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook')
      }
      if (p.drop_pending_updates) pending.length = 0
      Object.assign(webhook, {
        url: p.url,
        secretToken: p.secret_token,
        maxConnections: p.max_connections,
        ...(p.allowed_updates && { allowedUpdates: p.allowed_updates }),
      })
      if (webhook.url) flushPending()
      return true
    },
    deletewebhook: (params) => {
      pending.unshift(...undelivered.values())
      undelivered.clear()
      if (parse(z.object({ drop_pending_updates: flag }), params).drop_pending_updates) pending.length = 0
      Object.assign(webhook, { url: '', secretToken: undefined })
      return true
    },
    getwebhookinfo: () => {
      const failed = core.webhooks.findLast(
        ({ status, error }) => error !== undefined || (status !== undefined && status >= 300),
      )
      return {
        url: webhook.url,
        has_custom_certificate: false,
        pending_update_count: pending.length + unconfirmed,
        max_connections: webhook.maxConnections,
        ...(webhook.allowedUpdates && { allowed_updates: webhook.allowedUpdates }),
        ...(failed && {
          last_error_date: Math.floor(failed.at / 1000),
          last_error_message: failed.error ?? `Wrong response from the webhook: ${failed.status}`,
        }),
      }
    },
    getupdates: getUpdates,
  }

  return {
    methods,
    emit,
    skip: (count: number) => {
      nextUpdateId += count
    },
    repeat: async (updateId?: number) => {
      const update = updateId === undefined ? updates.at(-1) : updates.find(({ update_id }) => update_id === updateId)
      if (!update) throw new Error('no such update')
      await post(update)
    },
    postRaw: async (payload: object | string, { secret }: { secret?: string | null } = {}) => {
      const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      const token = secret === undefined ? webhook.secretToken : secret
      if (token) headers['x-telegram-bot-api-secret-token'] = token
      const log: DeliveredWebhook = { at: Date.now(), body, attempts: 1 }
      const answer = await fetch(webhook.url, { method: 'POST', headers, body, redirect: 'manual' })
      await answer.arrayBuffer()
      log.status = answer.status
      core.webhooks.push(log)
      return log
    },
  }
}
