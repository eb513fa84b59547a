import type { Availability, UserOption } from '@balcao/contract/people/users.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { selfQuery } from '../../../kit/polling.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { notify } from '../../../ui/notify.ts'

export type Present = Pick<UserOption, 'isOnline' | 'isAway' | 'awayReason'>
export const stateOf = ({ isOnline, isAway }: Pick<Present, 'isOnline' | 'isAway'>): Availability =>
  !isOnline ? 'offline' : isAway ? 'away' : 'online'

export type Choice = { state: Availability; reason?: string }
/** A pause is told by its banner. */
const told: Record<Exclude<Availability, 'away'>, string> = {
  online: 'Você está online.',
  offline: 'Você está offline.',
}

/** What I am doing now, as colleagues and the distribution see it, and how to say something else. */
export const useAvailability = () => {
  const { userId, configuracoes } = useCurrentSession()
  const cache = useQueryClient()
  const query = selfQuery(userId)
  const self = useQuery(query).data
  const change = useMutation({
    mutationFn: (choice: Choice) =>
      api.put<Pick<UserOption, 'isOnline' | 'awaySince' | 'awayReason'>>(`/users/${userId}/availability`, choice),
    onSuccess: ({ isOnline, awaySince, awayReason }, { state }) => {
      cache.setQueryData(query.queryKey, (now) => now && { ...now, isOnline, awaySince, awayReason })
      if (state !== 'away') notify.success(told[state])
    },
    onError: (error) => notify.error(messageOf(error)),
  })
  const awaySince = self?.awaySince ?? null
  const isOnline = self?.isOnline ?? true
  return {
    state: stateOf({ isOnline, isAway: awaySince !== null }),
    awaySince,
    awayReason: self?.awayReason ?? null,
    /** Empty: people write it themselves. */
    reasons: textsOf(configuracoes.pauseReasons),
    isBusy: change.isPending,
    choose: (choice: Choice) => change.mutate(choice),
  }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
