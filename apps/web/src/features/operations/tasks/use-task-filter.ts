import { type TaskStatus, taskStatuses } from '@balcao/contract/operations/tasks.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import type { TasksAsked } from './api.ts'

/** What the screen's address says is to be shown, as the calls ask for it. */
export const useTaskFilter = () => {
  const { userId } = useCurrentSession()
  const [search, setSearch] = useUrlState('busca')
  const [whose, setWhose] = useUrlState('quem', 'minhas')
  const [states, setStates] = useUrlList('situacao')
  const [owners, setOwners] = useUrlList('responsavel')
  const [period, setPeriod] = usePeriod()
  const isMine = whose !== 'todas'

  const shared: TasksAsked = { searchParam: search, ownerId: isMine ? [userId] : owners }
  const status = states.filter((one): one is TaskStatus => taskStatuses.some((known) => known === one))
  const isLate = states.includes('late')
  const listed: TasksAsked = {
    ...shared,
    status: status.length || isLate ? status : ['pending', 'doing'],
    isLate,
    dateFrom: period.from,
    dateTo: period.to,
  }
  return {
    search,
    setSearch,
    isMine,
    setMine: (mine: boolean) => setWhose(mine ? 'minhas' : 'todas'),
    states,
    setStates,
    owners,
    setOwners,
    period,
    setPeriod,
    /** What every view heeds. */
    shared,
    /** What the list heeds besides; without a chosen state, what is still to be done. */
    listed,
    isFiltered: Boolean(search || states.length || owners.length || period.from || period.to),
  }
}
