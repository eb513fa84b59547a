import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { savePreferences } from '../../../kit/preferences.ts'
import { session } from '../../../kit/session.ts'
import {
  defaultSort,
  filterFromParams,
  filterFromSaved,
  hasFilterParams,
  isOfTheMoment,
  paramsWithFilter,
  savedFromFilter,
  type TicketFilter,
} from '../../conversations/tickets/filter.ts'

const saveAfterMs = 1_500

/** The filter of the list: in the address, and kept for the next visit (configs.filtrosAtendimento). */
export const useTicketFilter = (): [TicketFilter, (change: Partial<TicketFilter>) => void] => {
  const [params, setParams] = useSearchParams()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // An address that chooses nothing takes up what the person chose last, from the first reading on.
  const [kept, setKept] = useState(() =>
    hasFilterParams(params) ? undefined : session.get()?.user.configs.filtrosAtendimento,
  )
  const filter = useMemo(() => {
    const told = filterFromParams(params)
    if (!kept || hasFilterParams(params)) return told
    return { ...filterFromSaved(kept), view: told.view, sort: sortIn(told.view), searchParam: told.searchParam }
  }, [params, kept])

  const adopted = useRef(filter)
  useEffect(() => {
    if (!kept) return
    const { view: _view, searchParam: _search, ...chosen } = adopted.current
    setParams((now) => paramsWithFilter(now, { ...filterFromParams(now), ...chosen }), { replace: true })
  }, [kept, setParams])

  const change = useCallback(
    (asked: Partial<TicketFilter>) => {
      setKept(undefined)
      const given = asked.view && !asked.sort ? { ...asked, sort: sortIn(asked.view) } : asked
      const next = { ...filterFromParams(new URLSearchParams(window.location.search)), ...given }
      setParams((now) => paramsWithFilter(now, { ...filterFromParams(now), ...given }), { replace: true })
      if (Object.keys(asked).every(isOfTheMoment)) return
      clearTimeout(timer.current)
      timer.current = setTimeout(
        () => void savePreferences({ filtrosAtendimento: savedFromFilter({ ...next, sort: sortToKeep(next) }) }),
        saveAfterMs,
      )
    },
    [setParams],
  )
  return [filter, change]
}

const keptSort = () => session.get()?.user.configs.filtrosAtendimento?.sort
/** The order a view opens with: Pendentes by waiting, the others as the person likes them. */
const sortIn = (view: TicketFilter['view']) =>
  view === 'pending' ? defaultSort(view) : (keptSort() ?? defaultSort(view))
/** What is chosen in Pendentes is of the moment. */
const sortToKeep = ({ view, sort }: TicketFilter) => (view === 'pending' ? (keptSort() ?? defaultSort('open')) : sort)
