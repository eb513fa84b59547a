type Place = { pathname: string; search: string }

/** What stands open beside a list: the row, and the kind of the one being added. */
const opened = ({ search }: Place) => {
  const params = new URLSearchParams(search)
  return [params.get('registro'), params.get('canal')].join()
}

/**
 * Does this navigation take the open form away? Searching and sorting the list beside it does not. A drawer that closes
 * replaces its own entry, and has asked before.
 */
export const isLeaving = (from: Place, to: Place, action: 'POP' | 'PUSH' | 'REPLACE') =>
  from.pathname !== to.pathname || (action !== 'REPLACE' && opened(from) !== opened(to))
