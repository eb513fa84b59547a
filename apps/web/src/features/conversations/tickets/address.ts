/**
 * The list's filter, to go along from conversation to conversation; the page of messages asked for belongs to one of
 * them. Empty outside the inbox.
 */
export const searchOfList = (): string => {
  if (!window.location.pathname.startsWith('/atendimento')) return ''
  const params = new URLSearchParams(window.location.search)
  for (const name of ['pageNumber', 't', 'm']) params.delete(name)
  return params.toString()
}

/** Where a conversation is read, the list's filter along; with `messageId`, at that message. */
export const linkToTicket = (ticketId: string, messageId?: string): string => {
  const params = new URLSearchParams(searchOfList())
  if (messageId) params.set('m', messageId)
  const search = params.toString()
  return `/atendimento/${ticketId}${search && `?${search}`}`
}
