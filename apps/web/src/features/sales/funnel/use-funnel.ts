import { opportunityStatuses } from '@balcao/contract/sales/opportunities.ts'
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
  const asked: OpportunitiesAsked = {
    pipelineId: pipeline?.id,
    searchParam: search,
    responsibleId: people,
    status: opportunityStatuses.filter((one) => states.includes(one)),
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
export type Funnel = ReturnType<typeof useFunnel>
