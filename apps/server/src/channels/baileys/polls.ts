import type { WAMessage } from '@whiskeysockets/baileys'
import { z } from 'zod'
import type { SessionHost } from '../adapter.ts'

type Me = { id: string; lid?: string } | undefined
type Changes = Record<string, string | null>

/** What opens the votes of a poll: everybody has until then to vote. */
const keptForMs = 365 * 24 * 3_600_000
const kept = z.object({ secret: z.string(), owners: z.array(z.string()), at: z.number() })
const nameOf = (id: string) => `poll:${id}`

/**
 * A vote is sealed for those who have the poll: the key of each, of theirs and of ours, is kept with the login, for votes
 * come for longer than a journal remembers. What cannot be opened stays a vote nobody can read.
 */
export const createPolls = (host: SessionHost) => {
  let isTidied = false

  /** Of these messages, the keys of polls among them; once, those nobody votes in any more go. */
  const learn = async (messages: WAMessage[], me: Me): Promise<Changes> => {
    const found = messages.flatMap(({ key, message }) => {
      const secret = hasPoll(message) && message?.messageContextInfo?.messageSecret
      if (!secret || !key.id) return []
      const value = { secret: Buffer.from(secret).toString('base64'), owners: jidsOf(key, me), at: Date.now() }
      return [[nameOf(key.id), JSON.stringify(value)] as const]
    })
    if (!found.length) return {}
    const old = isTidied ? [] : [...(await host.state('poll:'))].filter(([, value]) => isOver(value))
    isTidied = true
    return Object.fromEntries([...old.map(([name]) => [name, null] as const), ...found])
  }

  /** Opens the vote in a message, if it is one: by the digests of what was chosen. */
  const open = async (message: WAMessage, me: Me, learned: Changes): Promise<void> => {
    const update = message.message?.pollUpdateMessage
    const { id } = update?.pollCreationMessageKey ?? {}
    if (!update?.vote?.encPayload || !id) return
    const name = nameOf(id)
    const poll = pollIn(learned[name] ?? (await host.state([name])).get(name))
    if (!poll) return
    const { decryptPollVote } = await import('@whiskeysockets/baileys')
    const sealed = { pollMsgId: id, pollEncKey: Buffer.from(poll.secret, 'base64') }
    for (const pollCreatorJid of poll.owners)
      for (const voterJid of jidsOf(message.key, me)) {
        try {
          const { selectedOptions } = decryptPollVote(update.vote, { ...sealed, pollCreatorJid, voterJid })
          const selectedHashes = (selectedOptions ?? []).map((hash) => Buffer.from(hash).toString('hex'))
          Object.assign(update.vote, { encPayload: undefined, encIv: undefined, selectedHashes })
          return
        } catch {
          // sealed under another of their addresses
        }
      }
  }

  return { learn, open }
}

const pollIn = (value: string | undefined) => (value ? kept.safeParse(JSON.parse(value)).data : undefined)
const isOver = (value: string) => (pollIn(value)?.at ?? 0) < Date.now() - keptForMs

/** Also inside what expires or is shown once. */
const hasPoll = (message: unknown, depth = 0): boolean =>
  Object.entries(Object(message)).some(
    ([name, part]) =>
      (name.startsWith('pollCreationMessage') && part) ||
      (depth < 4 && hasPoll((Object(part) as { message?: unknown }).message, depth + 1)),
  )

type Key = WAMessage['key']
/** Everything somebody may have been called when they sealed it. */
const jidsOf = (key: Key, me: Me): string[] => {
  const named = key.fromMe
    ? [me?.id.replace(/:\d+@/, '@'), me?.lid?.replace(/:\d+@/, '@')]
    : [key.participant, key.participantAlt, key.remoteJid, key.remoteJidAlt]
  return named.flatMap((jid) => jid ?? [])
}
