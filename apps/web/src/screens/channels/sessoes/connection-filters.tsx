import {
  type ConnectionsFilter,
  connectionStateLabels,
  connectionStates,
  connectionsFilter,
} from '@balcao/contract/channels/connections.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useChangeParams, useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import classes from './connection-board.module.css'

/** Which channels are looked for, as the address says; what it says wrongly is not looked for. */
export const useConnectionsFilter = (): ConnectionsFilter => {
  const [searchParam] = useUrlState('busca')
  const [kind] = useUrlList('tipo')
  const [status] = useUrlList('situacao')
  return connectionsFilter.safeParse({ searchParam, kind, status }).data ?? connectionsFilter.parse({})
}

/** With so few, one sees them all. */
const few = 4

/** Search, kinds and states of a company's channels, where it has many. */
export const ConnectionFilters = () => {
  const rows = useQuery(connectionList).data ?? []
  const { searchParam, kind, status } = useConnectionsFilter()
  const [, setSearch] = useUrlState('busca')
  const [, setKind] = useUrlList('tipo')
  const [, setStatus] = useUrlList('situacao')
  const kinds = [...new Set(rows.map((one) => one.kind))]
  if (rows.length <= few && !searchParam && !kind.length && !status.length) return null
  return (
    <>
      <SearchInput label="Buscar canal ou número" value={searchParam} onSearch={setSearch} />
      <FilterMenu
        label="Tipo"
        options={kinds.map((one) => ({ value: one, label: channels[one].label }))}
        value={kind}
        onChange={setKind}
      />
      <FilterMenu
        label="Situação"
        options={connectionStates.map((one) => ({ value: one, label: connectionStateLabels[one] }))}
        value={status}
        onChange={setStatus}
      />
    </>
  )
}

/** How many need somebody, and the way to them; said where not all can be seen at once. */
export const ConnectionTroubles = () => {
  const rows = useQuery(connectionList).data ?? []
  const [status] = useUrlList('situacao')
  const change = useChangeParams()
  const showThem = (params: URLSearchParams) => {
    for (const name of ['busca', 'tipo']) params.delete(name)
    params.set('situacao', 'ERROR')
  }
  const many = rows.filter((one) => one.status === 'ERROR').length
  if (rows.length <= few || many === 0 || status.length) return null
  return (
    <Alert
      className={classes.troubles}
      variant="default"
      icon={<IconAlertTriangle size={18} color="var(--balcao-failed)" aria-hidden />}
    >
      {many === 1 ? '1 canal está com problema.' : `${formatNumber(many)} canais estão com problema.`}{' '}
      <Anchor component="button" size="sm" onClick={() => change(showThem)}>
        {many === 1 ? 'Ver qual é' : 'Ver quais são'}
      </Anchor>
    </Alert>
  )
}
