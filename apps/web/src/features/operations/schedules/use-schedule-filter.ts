import { type ScheduleState, scheduleStates } from '@balcao/contract/operations/schedules.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import type { SchedulesAsked } from './api.ts'

const stillToSend: ScheduleState[] = ['pending', 'sending']

/** What the screen's address says is to be shown, as the calls ask for it. */
export const useScheduleFilter = () => {
  const [search, setSearch] = useUrlState('busca')
  const [written, setStates] = useUrlList('situacao')
  const [channels, setChannels] = useUrlList('canal')
  const [period, setPeriod] = usePeriod()
  const states = written.filter((one): one is ScheduleState => scheduleStates.some((known) => known === one))
  const shared: SchedulesAsked = { searchParam: search, connectionId: channels }
  return {
    search,
    setSearch,
    states,
    setStates,
    channels,
    setChannels,
    period,
    setPeriod,
    /** What every view heeds. */
    shared: { ...shared, state: states },
    /** What the list heeds besides; without a chosen state, what is still to be sent. */
    listed: {
      ...shared,
      state: states.length ? states : stillToSend,
      dateFrom: period.from,
      dateTo: period.to,
    } satisfies SchedulesAsked,
    isFiltered: Boolean(search || states.length || channels.length || period.from || period.to),
  }
}
