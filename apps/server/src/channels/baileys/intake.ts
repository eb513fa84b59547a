import { setTimeout as sleep } from 'node:timers/promises'
import type { WAMessage } from '@whiskeysockets/baileys'
import type { JournalPiece, SessionHost } from '../adapter.ts'
import { isGroup } from '../whatsapp/jids.ts'
import { createHistory } from './history.ts'
import type { Login } from './login.ts'
import { groupsOf } from './open-port.ts'
import { piecesOf } from './pieces.ts'
import { createPolls } from './polls.ts'
import type { BaileysEvents, BaileysPort } from './port.ts'
import type { Context } from './session.ts'
import { toldIn, toldOnly } from './stanzas.ts'
import { untilStored } from './until-stored.ts'

const piecesAtOnce = 200

/** What the library tells, journalled in its order: with the login as it is by then, in one transaction. */
export const createIntake = (host: SessionHost, context: Context, login: Login, signal: AbortSignal) => {
  const groups = groupsOf(context.connectionId)
  const polls = createPolls(host)
  let port: BaileysPort | undefined
  const waiting: BaileysEvents[] = []
  let running: Promise<void> | undefined

  const store = (pieces: JournalPiece[], changes: Record<string, string | null>, isOld = false) =>
    untilStored(() => host.receive(pieces, changes, { untilHandled: isOld }), signal)

  const history = createHistory(
    host.history,
    async (pieces, ids) => {
      const dropped = login.opened.droppedWith(toldOnly(ids))
      await store(pieces, dropped, true)
      login.opened.forget(dropped)
    },
    signal,
  )

  /** What a group is called stands in none of its messages. */
  const meetGroups = async (messages: WAMessage[]) => {
    const strange = new Set(
      messages.flatMap(({ key }) =>
        key.remoteJid && isGroup(key.remoteJid) && !groups.has(key.remoteJid) ? key.remoteJid : [],
      ),
    )
    await Promise.all(
      [...strange].map(async (jid) => {
        const group = await within(3_000, port?.calls.groupMetadata(jid))
        if (group) groups.set(jid, group)
      }),
    )
  }

  const run = async () => {
    while (waiting.length && !signal.aborted) {
      const batch = waiting.splice(0, piecesAtOnce)
      const messages = batch.flatMap((events) => events['messages.upsert']?.messages ?? [])
      await meetGroups(messages)
      const { me } = login.auth.creds
      const learned = await polls.learn(messages, me)
      for (const message of messages) await polls.open(message, me, learned)
      const pieces = batch.flatMap((events) => piecesOf(events, (jid) => groups.get(jid)?.subject))
      const told = toldIn(batch)
      const over = new Set([...told.messages].filter((id) => !history.isAwaited(id)))
      const dropped = login.opened.droppedWith({ ...told, messages: over })
      const changes = { ...(batch.some((events) => events['creds.update']) && login.changes()), ...learned, ...dropped }
      for (let at = 0; at < Math.max(pieces.length, 1); at += piecesAtOnce) {
        const some = pieces.slice(at, at + piecesAtOnce)
        const isLast = at + piecesAtOnce >= pieces.length
        if (some.length || Object.keys(changes).length) await store(some, isLast ? changes : {})
      }
      login.opened.forget(dropped)
    }
    running = undefined
  }

  return {
    use: (opened: BaileysPort) => {
      port = opened
    },
    take: (events: BaileysEvents) => {
      learnGroups(groups, events)
      history.take(events)
      waiting.push(events)
      running ??= run()
    },
    /** Resolves when everything told so far is stored. */
    finish: async () => {
      await running
    },
  }
}

const within = <T>(ms: number, work: Promise<T> | undefined): Promise<T | undefined> =>
  Promise.race([Promise.resolve(work).catch(() => undefined), sleep(ms, undefined, { ref: false })])

const learnGroups = (groups: ReturnType<typeof groupsOf>, events: BaileysEvents) => {
  for (const group of events['groups.upsert'] ?? []) groups.set(group.id, group)
  for (const change of events['groups.update'] ?? []) {
    const known = change.id ? groups.get(change.id) : undefined
    if (known) Object.assign(known, change)
  }
  const members = events['group-participants.update']
  if (members) groups.delete(members.id) // asked for anew when it is next needed
}
