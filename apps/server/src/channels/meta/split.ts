import { z } from 'zod'
import type { JournalPiece } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'

export const objects = { page: 'messenger', instagram: 'instagram' } as const
type PageObject = keyof typeof objects

const list = z.array(z.unknown()).optional().catch(undefined)
const time = z.number().optional().catch(undefined)
const entry = z.object({ id: z.string(), time, messaging: list, standby: list, changes: list })
const envelope = z.object({ object: z.enum(['page', 'instagram']), entry: z.array(entry) })

/** Cuts a call into what happened to each account; what another app of the page has in hand (`standby`) is ours to know, too. */
export const split = (body: unknown): JournalPiece[] => {
  const { data } = envelope.safeParse(body)
  if (!data) return [{ key: `unknown:${fingerprint(body)}`, payload: body }]
  return data.entry.flatMap(({ id: account, time, messaging = [], standby = [], changes = [] }) => {
    const kind = objects[data.object]
    const events = [...messaging, ...standby].map((event) => ({
      key: keyOf(event),
      payload: { kind, account, event },
      conversation: conversationOf(event, account),
    }))
    const others = changes.map((change) => ({
      key: `change:${fingerprint(change)}`,
      payload: { kind, account, time, change },
      conversation: commenterIn(change),
    }))
    return [...events, ...others]
  })
}

const named = z.object({ id: z.string() }).optional().catch(undefined)
const written = z.object({ mid: z.string().min(1).max(400), is_deleted: z.boolean().optional().catch(undefined) })
const keyed = z.object({
  sender: named,
  recipient: named,
  message: written.optional().catch(undefined),
  reaction: z.unknown().optional(),
})

/** A message has a name of its own; anything else is the same event when all of it is the same. */
const keyOf = (event: unknown): string => {
  const { message } = keyed.safeParse(event).data ?? {}
  if (!message) return `event:${fingerprint(event)}`
  return `${message.is_deleted ? 'delete' : 'message'}:${message.mid}`
}

const said = z.object({ value: z.object({ from: named }) })
const commenterIn = (change: unknown): string | undefined => said.safeParse(change).data?.value.from?.id

/** With the person, whoever of both speaks; states of our own messages wait for nobody. */
const conversationOf = (event: unknown, account: string): string | undefined => {
  const { data } = keyed.safeParse(event)
  if (!data || (!data.message && !data.reaction)) return undefined
  const { sender, recipient } = data
  return sender?.id === account ? recipient?.id : sender?.id
}

/** The accounts of this product a call speaks of, each with its own part of the envelope: one app has many pages. */
export const partsOfApp = (object: PageObject) => (body: unknown) => {
  const numbers = new Map<string, { object: PageObject; entry: unknown[] }>()
  const { data } = envelope.safeParse(body)
  for (const one of data?.object === object ? data.entry : []) {
    const part = numbers.get(one.id) ?? { object, entry: [] }
    part.entry.push(one)
    numbers.set(one.id, part)
  }
  return { numbers, accounts: new Map<string, unknown>() }
}
