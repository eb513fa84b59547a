import type { Page } from '@balcao/contract/common.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { conversationQuery } from '../../../features/conversations/messages/api.ts'
import { ticketQuery } from '../../../features/conversations/tickets/api.ts'
import { api } from '../../../kit/api.ts'

const pageSize = 40

/**
 * `?pageNumber=3` shows that page of the conversation, counted from the newest message; `t` changes nothing but
 * that what is known is read anew.
 */
export const useAskedPage = (ticketId: string, onJump: (messageId: string) => void) => {
  const cache = useQueryClient()
  const [params] = useSearchParams()
  const page = Math.trunc(Number(params.get('pageNumber')))
  const stamp = params.get('t') ?? ''
  const latest = useRef(onJump)
  useEffect(() => {
    latest.current = onJump
  })
  useEffect(() => {
    if (!stamp) return
    void cache.invalidateQueries({ queryKey: ticketQuery(ticketId).queryKey })
    void cache.invalidateQueries({ queryKey: conversationQuery(ticketId).queryKey, exact: true })
  }, [cache, ticketId, stamp])

  const shown = useRef('')
  useEffect(() => {
    const asked = `${page} ${stamp}`
    if (!(page > 1) || shown.current === asked) return
    shown.current = asked // once: who scrolls on and comes back is not thrown back
    newestOfPage(ticketId, page).then(
      (messageId) => messageId && latest.current(messageId),
      () => undefined, // the conversation itself says what is wrong
    )
  }, [ticketId, page, stamp])
}

/** The newest message of a page, counted from the newest page; undefined where the conversation is shorter. */
const newestOfPage = async (ticketId: string, pageNumber: number): Promise<string | undefined> => {
  const query = { pageNumber, limit: pageSize }
  const page = await api.get<Page<Message>>(`/messages/${ticketId}`, { query, quiet: true })
  return page.items.at(-1)?.id
}
