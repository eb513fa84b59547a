import type { AuthenticationCreds, AuthenticationState, SignalDataTypeMap } from '@whiskeysockets/baileys'
import type { SessionHost } from '../adapter.ts'
import { fromJson, toJson } from './json.ts'
import { createOpened, type Opened } from './opened.ts'

type Changes = Record<string, string | null>

/** A phone's login as the library wants it, kept sealed with the session; `isUnreadable`: what was kept is no login. */
export type Login = {
  auth: AuthenticationState
  isLinked: () => boolean
  isUnreadable: boolean
  changes: () => Changes
  opened: Opened
}

/**
 * The login of a session. Keys are written before the library goes on: what it acknowledges can be read again by whoever
 * takes the session over. A process that lost the session writes nothing.
 */
export const openLogin = async (host: SessionHost): Promise<Login> => {
  const { initAuthCreds, proto } = await import('@whiskeysockets/baileys')
  const stored = await readCreds(host)
  // Whoever began to link and never finished has no login: half of one would be refused.
  const creds: AuthenticationCreds = stored?.account ? stored : initAuthCreds()

  const keys: AuthenticationState['keys'] = {
    get: async (type, ids) => {
      const names = new Map(ids.map((id) => [nameOf(type, id), id]))
      const kept = await host.state([...names.keys()])
      const found: Record<string, SignalDataTypeMap[typeof type]> = {}
      for (const [name, text] of kept) {
        const value = fromJson(text)
        const whole =
          type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(Object(value)) : value
        found[names.get(name) ?? ''] = whole as SignalDataTypeMap[typeof type] // as it was given to `set`
      }
      return found
    },
    set: async (given) => {
      const changes: Changes = {}
      for (const [type, ofType] of Object.entries(given))
        for (const [id, value] of Object.entries(ofType ?? {}))
          changes[nameOf(type, id)] = value === null || value === undefined ? null : toJson(value)
      await host.receive([], changes)
    },
  }
  return {
    auth: { creds, keys },
    isLinked: () => creds.account !== undefined,
    isUnreadable: stored === null,
    changes: () => ({ creds: toJson(creds) }),
    opened: createOpened(host),
  }
}

const nameOf = (type: string, id: string) => `key:${type}:${id}`

/** Undefined: there is none. Null: there is one that nobody can read any more. */
const readCreds = async (host: SessionHost): Promise<AuthenticationCreds | null | undefined> => {
  const text = await host.state(['creds']).catch((error) => {
    if (isUnsealing(error)) return null
    throw error
  })
  if (text === null) return null
  const kept = text.get('creds')
  if (kept === undefined) return undefined
  try {
    const creds = Object(fromJson(kept)) as AuthenticationCreds // what `changes` wrote
    return creds.noiseKey && creds.signedIdentityKey ? creds : null
  } catch {
    return null
  }
}

/** Sealed under a key this installation no longer has, or damaged; a database that is away is another matter. */
const isUnsealing = (error: unknown) =>
  error instanceof Error &&
  /authenticate data|Invalid (authentication tag|initialization vector)|auth tag/i.test(error.message)
