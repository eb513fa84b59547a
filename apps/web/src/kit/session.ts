import type { SessionAnswer } from '@balcao/contract/people/auth.ts'
import type { MenuVisibility, Permission, Profile } from '@balcao/contract/permissions.ts'
import { useSyncExternalStore } from 'react'

/** The person's data beside the keys named one by one. */
export type StoredUser = Omit<
  SessionAnswer,
  'token' | 'username' | 'profile' | 'userId' | 'menuVisibility' | 'configuracoes' | 'permissions'
> & {
  permissions: Permission[]
}
export type Session = {
  token: string
  profile: Profile
  username: string
  userId: string
  menuVisibility: MenuVisibility
  configuracoes: Record<string, unknown>
  user: StoredUser
}

/** The flags of a company, kept each under its own name. */
const flags = [
  'nullticket',
  'supervisorAdmin',
  'tagFiltro',
  'kanbanFiltro',
  'mostrarGruposParaTodos',
  'mostrarFechadoParaTodos',
  'filasCadastradas',
] as const
export type SessionFlag = (typeof flags)[number]

/** What the end of a session wipes. */
const sessionKeys = [
  'token',
  'username',
  'profile',
  'userId',
  'menuVisibility',
  'configuracoes',
  'usuario',
  'dashboardPanels',
  ...flags,
]

/** The local storage entries of a login, as text: what the login screen writes and a test may write by itself. */
export const sessionEntries = (answer: SessionAnswer): Record<string, string> => {
  const { token, profile, username, userId, menuVisibility, configuracoes, ...user } = answer
  const entries: Record<string, string> = {
    token: JSON.stringify(token),
    profile,
    username,
    userId,
    menuVisibility: JSON.stringify(menuVisibility),
    configuracoes: JSON.stringify(configuracoes),
    usuario: JSON.stringify(user),
    isDark: JSON.stringify(user.configs.isDark),
    filasCadastradas: JSON.stringify(user.queues.length > 0),
  }
  for (const flag of flags) if (configuracoes[flag] !== undefined) entries[flag] = JSON.stringify(configuracoes[flag])
  return entries
}

/**
 * The session: in local storage, seen alike by every tab. Nothing else in the app reads
 * or writes these keys.
 */
export const createSessionStore = (storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) => {
  const listeners = new Set<() => void>()
  let cached: Session | null = readSession(storage)

  const changed = () => {
    cached = readSession(storage)
    for (const listener of listeners) listener()
  }
  const write = (entries: Record<string, string>) => {
    const news = Object.entries(entries).filter(([key, value]) => storage.getItem(key) !== value)
    for (const [key, value] of news) storage.setItem(key, value)
    if (news.length > 0) changed()
  }

  return {
    get: () => cached,
    token: () => cached?.token ?? null,
    open: (answer: SessionAnswer) => write(sessionEntries(answer)),
    setToken: (token: string) => write({ token: JSON.stringify(token) }),
    /** What the server says anew about this person: rights, menus, settings, preferences. */
    update: (
      patch: Partial<Pick<Session, 'menuVisibility' | 'configuracoes' | 'username' | 'profile'>> & {
        user?: Partial<StoredUser>
      },
    ) => {
      if (!cached) return
      const user = { ...cached.user, ...patch.user }
      write({
        ...(patch.username !== undefined && { username: patch.username }),
        ...(patch.profile !== undefined && { profile: patch.profile }),
        ...(patch.menuVisibility && { menuVisibility: JSON.stringify(patch.menuVisibility) }),
        ...(patch.configuracoes && { configuracoes: JSON.stringify(patch.configuracoes) }),
        usuario: JSON.stringify(user),
        isDark: JSON.stringify(user.configs.isDark),
      })
    },
    clear: () => {
      for (const key of sessionKeys) storage.removeItem(key)
      changed()
    },
    /** A stored flag; false when the tenant never set it. */
    flag: (name: SessionFlag) => parse(storage.getItem(name)) === true,
    /** Dark mode is remembered beyond the session, so that the login screen keeps it. */
    isDark: () => parse(storage.getItem('isDark')) === true,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Another tab wrote. */
    changed,
    /** Another tab may have written a token, of which we are told a moment later. */
    catchUp: () => {
      if (cached && parse(storage.getItem('token')) !== cached.token) changed()
    },
  }
}

const readSession = (storage: Pick<Storage, 'getItem'>): Session | null => {
  const token = parse(storage.getItem('token'))
  const user = parse(storage.getItem('usuario'))
  const profile = storage.getItem('profile')
  if (typeof token !== 'string' || !user || !profile) return null
  return {
    token,
    profile: profile as Profile, // written by sessionEntries from a parsed answer
    username: storage.getItem('username') ?? '',
    userId: storage.getItem('userId') ?? '',
    menuVisibility: (parse(storage.getItem('menuVisibility')) ?? {}) as MenuVisibility, // as above
    configuracoes: (parse(storage.getItem('configuracoes')) ?? {}) as Record<string, unknown>, // as above
    user: user as StoredUser, // as above
  }
}

const parse = (text: string | null): unknown => {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// At the end: reading the storage needs everything above.
const memory = new Map<string, string>()
const memoryStorage = {
  getItem: (key: string) => memory.get(key) ?? null,
  setItem: (key: string, value: string) => void memory.set(key, value),
  removeItem: (key: string) => void memory.delete(key),
}

export const session = createSessionStore(typeof window === 'undefined' ? memoryStorage : window.localStorage)
if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === 'isDark' || sessionKeys.includes(event.key)) session.changed()
  })

/** The session of this browser, or null: the component draws again when it changes, in any tab. */
export const useSession = () => useSyncExternalStore(session.subscribe, session.get)
/** The session where one is certain: behind the guard. */
export const useCurrentSession = (): Session => {
  const current = useSession()
  if (!current) throw new Error('No session behind the guard')
  return current
}
export const useIsDark = () => useSyncExternalStore(session.subscribe, session.isDark)
