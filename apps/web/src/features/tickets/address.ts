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
