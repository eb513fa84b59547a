import { z } from 'zod'
import type { JournalPiece } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'

const text = z.string()
const envelope = z.object({
  entry: z.array(
    z.object({
      id: text.optional(),
      changes: z.array(z.object({ field: text, value: z.record(text, z.unknown()) })),
    }),
  ),
})
const waContact = z.object({
  profile: z
    .object({ name: text.optional().catch(undefined) })
    .optional()
    .catch(undefined),
  wa_id: text.optional().catch(undefined),
  user_id: text.optional().catch(undefined),
})
type WaContact = z.output<typeof waContact>

/** Cuts a call into messages and statuses; other fields are kept whole. */
export const split = (body: unknown): JournalPiece[] => {
  const parsed = envelope.safeParse(body)
  if (!parsed.success) return [{ key: `unknown:${fingerprint(body)}`, payload: body }]
  return parsed.data.entry.flatMap(({ changes }) => changes.flatMap(({ field, value }) => piecesOf(field, value)))
}

const piecesOf = (field: string, value: Record<string, unknown>): JournalPiece[] => {
  const contacts = list(value.contacts).flatMap((one) => waContact.safeParse(one).data ?? [])
  const isEcho = field === 'smb_message_echoes'
  const messages = list(isEcho ? value.message_echoes : value.messages).map((message) => ({
    key: `message:${idOf(message) ?? fingerprint(message)}`,
    payload: { kind: 'message', message, contact: contactOf(message, contacts), isEcho },
    conversation: conversationOf(message, isEcho),
  }))
  const statuses = list(value.statuses).map((status) => {
    const name = named.safeParse(status).data?.status
    return {
      key: `status:${idOf(status) ?? fingerprint(status)}:${name}`,
      payload: { kind: 'status', status },
    }
  })
  const errors = list(value.errors).map((error) => ({
    key: `error:${fingerprint([error, value.metadata])}`,
    payload: { kind: 'error', error },
  }))
  const known = [...messages, ...statuses, ...errors]
  return known.length ? known : [{ key: `${field}:${fingerprint(value)}`, payload: { field, value } }]
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
// Made once: a schema costs more to make than what it reads, and receipts come by the hundred a second.
const [withId, named, ofNumber] = [
  z.object({ id: text }),
  z.object({ status: text }),
  z.object({ phone_number_id: text }),
]
const idOf = (value: unknown) => withId.safeParse(value).data?.id

const conversationOf = (message: unknown, isEcho: boolean) => {
  const { group_id, to, from, from_user_id } = waNames.safeParse(message).data ?? {}
  return group_id ?? (isEcho ? to : (from ?? from_user_id))
}
const contactOf = (message: unknown, contacts: WaContact[]): WaContact | undefined => {
  const { from, from_user_id } = waNames.safeParse(message).data ?? {}
  const named = contacts.find((one) => (from && one.wa_id === from) || (from_user_id && one.user_id === from_user_id))
  const [only, ...others] = contacts
  const isSomebodyElse = (from && only?.wa_id) || (from_user_id && only?.user_id)
  return named ?? (others.length || isSomebodyElse ? undefined : only)
}
const waName = text.optional().catch(undefined)
const waNames = z.object({ group_id: waName, to: waName, from: waName, from_user_id: waName })

/** The phone number ids a call speaks of, each with its own part of the envelope: `/hooks/waba` serves a whole app. */
export const byPhoneNumber = (body: unknown) => partsBy(body, ({ change }) => numberOf(change))

/** What is said of no number but of a whole account (templates, reviews, limits), by the account's id. */
export const byAccount = (body: unknown) =>
  partsBy(body, ({ entry, change }) => (numberOf(change) ? undefined : entry.id))

type Entry = z.output<typeof envelope>['entry'][number]
type Change = Entry['changes'][number]
const numberOf = ({ value }: Change) => ofNumber.safeParse(value.metadata).data?.phone_number_id

const partsBy = (body: unknown, keyOf: (place: { entry: Entry; change: Change }) => string | undefined) => {
  const found = new Map<string, { entry: { id?: string; changes: unknown[] }[] }>()
  for (const entry of envelope.safeParse(body).data?.entry ?? []) {
    for (const change of entry.changes) {
      const key = keyOf({ entry, change })
      if (!key) continue
      const part = found.get(key) ?? { entry: [] }
      part.entry.push({ id: entry.id, changes: [change] })
      found.set(key, part)
    }
  }
  return found
}
