import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { countersQuery } from '../../features/conversations/tickets/api.ts'
import { emptyFilter, narrowingOf } from '../../features/conversations/tickets/filter.ts'
import { useUnread } from '../../features/operations/notifications/api.ts'
import { isPassing, useProblemsHere } from '../../features/workspace/inbox/row-problem.ts'
import { useCurrentSession } from '../../kit/session.ts'
import { useCan } from '../../kit/use-can.ts'
import { screenAt } from '../screens.ts'

/** "Não enviada · (3) Etiquetas · Balcão": what went wrong, and what waits, is seen from another tab. */
export const useTitleCounter = () => {
  const isNotSent = useMineNotSent()
  const unread = useUnread()
  const { pathname } = useLocation()
  const label = screenAt(pathname)?.label
  useEffect(() => {
    const news = [isNotSent && 'Não enviada', `${unread ? `(${unread}) ` : ''}${label ?? ''}`.trim(), 'Balcão']
    document.title = news.filter(Boolean).join(' · ')
  }, [isNotSent, unread, label])
}

/** In a conversation of mine, or written in this browser. */
const useMineNotSent = () => {
  const { userId } = useCurrentSession()
  const mine = countersQuery(narrowingOf({ ...emptyFilter, selectedUser: [userId] }))
  const counters = useQuery({ ...mine, enabled: useCan('tickets.read') }).data
  const here = useProblemsHere()
  return (counters?.notSent ?? 0) > 0 || [...here.values()].some((problem) => !isPassing(problem))
}
