import type { UserInvite, UserOption, UserWork } from '@balcao/contract/people/users.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

/** Colleagues for pickers: whoever may work, blocked ones left out. */
export const userOptions = queryOptions({
  queryKey: ['users', 'options'],
  queryFn: ({ signal }) => api.get<UserOption[]>('/users/options', { signal }),
  staleTime: 60_000,
})

/** What would wait for somebody else if this person left. */
export const userWorkQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id, 'work'],
    queryFn: ({ signal }) => api.get<UserWork>(`/users/${id}/work`, { signal }),
    staleTime: 0,
  })

/** A new link for who was never here; the one before ends. */
export const inviteUser = (id: string) => api.post<UserInvite>(`/users/${id}/invite`, {})

/** The link of who was just added: asked once, whatever is told of people meanwhile. Asked again, the first would end. */
export const inviteQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id, 'invite'],
    queryFn: () => inviteUser(id),
    staleTime: 'static',
    retry: false,
  })
