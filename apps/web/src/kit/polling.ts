import type { SessionAnswer } from '@balcao/contract/people/auth.ts'
import type { User } from '@balcao/contract/people/users.ts'
import { isCancelledError, queryOptions } from '@tanstack/react-query'
import { notify } from '../ui/notify.ts'
import { describeAccessChange } from './access-change.ts'
import { api } from './api.ts'
import { isApiError } from './api-error.ts'
import { queryClient } from './query-client.ts'
import { type Session, session } from './session.ts'
import { onConnected } from './socket.ts'

const userEveryMs = 30_000
const scheduleEveryMs = 1_800_000

/** What GET /users/{id} answers about oneself: the user, and what the login told besides. */
type Self = Partial<User> & Partial<Pick<SessionAnswer, 'permissions' | 'menuVisibility' | 'configuracoes' | 'tenant'>>

export const selfQuery = (userId: string) =>
  queryOptions({
    queryKey: ['self', userId],
    queryFn: ({ signal }) => api.get<Self>(`/users/${userId}`, { signal, quiet: true }),
  })

/** Reads the person anew, so that a change of rights or menus arrives without a new login. */
export const refreshUser = async () => {
  const current = session.get()
  if (!current) return
  const query = selfQuery(current.userId)
  // An answer that is on its way may be older than what we were just told.
  await queryClient.cancelQueries({ queryKey: query.queryKey, exact: true })
  const self = await queryClient.fetchQuery({ ...query, staleTime: 0 }).catch((error) => {
    if (!isCancelledError(error)) throw error
  })
  if (!self) return // somebody asked after us, and goes on
  const now = session.get()
  if (now?.userId !== current.userId || now.user.tenantId !== current.user.tenantId) return
  session.update(patchFrom(self, now))
  const change = describeAccessChange(now, session.get() ?? now)
  if (!change) return
  notify.info(change)
  void queryClient.invalidateQueries() // other rights read other rows
}

/** Somebody changed this person: what they were refused before may be theirs now. */
export const hearOfOwnRights = async () => {
  await refreshUser()
  await queryClient.invalidateQueries({ predicate: ({ state }) => isApiError(state.error, 'ERR_NO_PERMISSION') })
}

/**
 * The user every 30 s, except who only attends; the schedule check, reading the user, every 30 min; and whenever an
 * event could have been missed.
 */
export const watchUser = () => {
  const read = () => void refreshUser().catch(() => undefined) // offline or over: the next tick, or the guard, will tell
  const stopGreeting = onConnected(read)
  const user = setInterval(() => {
    const granted = session.get()?.user.permissions ?? []
    if (granted.includes('users.supervise') || granted.includes('platform.read')) read()
  }, userEveryMs)
  const schedule = setInterval(read, scheduleEveryMs)
  return () => {
    stopGreeting()
    clearInterval(user)
    clearInterval(schedule)
  }
}

const patchFrom = (self: Self, current: Session) => ({
  ...(self.name && { username: self.name }),
  ...(self.profile && { profile: self.profile }),
  ...(self.menuVisibility && { menuVisibility: self.menuVisibility }),
  ...(self.configuracoes && { configuracoes: self.configuracoes }),
  user: {
    ...(self.configs && { configs: self.configs }),
    ...(self.queues && { queues: self.queues }),
    ...(self.role !== undefined && { roleName: self.role?.name ?? null }),
    ...(self.tenant && { tenant: self.tenant }),
    permissions: (self.permissions ?? current.user.permissions) as Session['user']['permissions'], // names of the catalogue, parsed by the server
  },
})
