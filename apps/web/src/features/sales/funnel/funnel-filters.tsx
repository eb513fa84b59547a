import { opportunityStatuses, opportunityStatusLabels } from '@balcao/contract/sales/opportunities.ts'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { userOptions } from '../../people/users/api.ts'
import { type Funnel, lateState } from './use-funnel.ts'

const stateOptions = [
  ...opportunityStatuses.map((value) => ({ value: value as string, label: opportunityStatusLabels[value] })),
  { value: lateState, label: 'Previsão vencida' },
]

/** Which pipeline, whose, and which of them. */
export const FunnelFilters = ({ funnel, withoutSearch }: { funnel: Funnel; withoutSearch?: boolean }) => {
  const people = useQuery(userOptions).data ?? []
  return (
    <>
      {funnel.pipelines.length > 1 && (
        <Select
          aria-label="Funil"
          w={190}
          allowDeselect={false}
          data={funnel.pipelines.map(({ id, name }) => ({ value: id, label: name }))}
          value={funnel.pipeline?.id ?? null}
          onChange={(id) => id && funnel.setPipeline(id)}
        />
      )}
      {!withoutSearch && (
        <SearchInput label="Buscar oportunidade" value={funnel.search} onSearch={funnel.setSearch} w={220} />
      )}
      <FilterMenu
        label="Responsável"
        options={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={funnel.people}
        onChange={funnel.setPeople}
      />
      {!withoutSearch && (
        <FilterMenu
          label={funnel.states.length ? 'Situação' : 'Situação: em aberto'}
          options={stateOptions}
          value={funnel.states}
          onChange={funnel.setStates}
        />
      )}
    </>
  )
}
