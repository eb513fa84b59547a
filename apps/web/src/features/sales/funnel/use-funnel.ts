import { type OpportunityStatus, opportunityStatuses } from '@balcao/contract/sales/opportunities.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { type OpportunitiesAsked, usePipelines } from './api.ts'

/** The pipeline and the filters in the address, as every view of the funnel asks by. */
export const useFunnel = () => {
  const { pipelines, stages, isPending } = usePipelines()
  const [chosen, setPipeline] = useUrlState('funil')
  const [search, setSearch] = useUrlState('busca')
  const [people, setPeople] = useUrlList('responsavel')
  const [states, setStates] = useUrlList('situacao')
  const pipeline = pipelines.find(({ id }) => id === chosen) ?? pipelines[0]
  const isLate = states.includes(lateState)
  const status = isLate ? [] : opportunityStatuses.filter((one) => states.includes(one))
  const asked: OpportunitiesAsked = {
    pipelineId: pipeline?.id,
    searchParam: search,
    responsibleId: people,
    status: status.length ? status : open,
    ...(isLate && { isLate }),
  }
  return {
    ...{ pipelines, pipeline, setPipeline, search, setSearch, people, setPeople, states, setStates, asked, isPending },
    stages: stages.filter(({ pipelineId }) => pipelineId === pipeline?.id),
    isFiltered: Boolean(search || people.length || states.length),
    clear: () => {
      setSearch('')
      setPeople([])
      setStates([])
    },
  }
}
/** In the address beside the states: open, with a forecast that has passed. */
export const lateState = 'vencidas'
const open: OpportunityStatus[] = ['open']
export type Funnel = ReturnType<typeof useFunnel>
