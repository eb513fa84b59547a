import { MultiSelect, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { connectionList } from '../../channels/connections/api.ts'
import { groupsOf } from './api.ts'

type Values = { whatsappId: string; groupIds: string[]; isActive: boolean }
type Props = {
  values: Values
  errors: Partial<Record<string, unknown>>
  onChange: (patch: Partial<Values>) => void
  /** It begins in use: nothing to turn off yet. */
  isNew?: boolean
}

/** Where a rule holds: a channel with groups, and some of its groups or all. */
export const PlaceFields = ({ values: { whatsappId, groupIds, isActive }, errors, onChange, isNew }: Props) => {
  const able = useQuery(connectionList).data?.filter(({ abilities }) => abilities.supports.includes('groupMessages'))
  const list = useQuery({ ...groupsOf(whatsappId), enabled: whatsappId !== '' })
  const groups = list.data ?? []
  const known = new Set(groups.map(({ groupId }) => groupId))
  return (
    <>
      <SearchSelect
        label="Canal"
        required
        data={(able ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={whatsappId || null}
        error={errors.whatsappId as string | undefined}
        placeholder={able?.length === 0 ? 'Nenhum canal com grupos' : 'Escolha o canal'}
        onChange={(id) => onChange({ whatsappId: id ?? '', groupIds: [] })}
      />
      <MultiSelect
        label="Grupos"
        description="Nenhum escolhido: vale em todos os grupos do canal."
        placeholder={groupIds.length ? undefined : 'Todos os grupos'}
        searchable
        clearable
        hidePickedOptions
        disabled={whatsappId === ''}
        nothingFoundMessage={
          list.isPending ? 'Lendo…' : list.isError ? messageOf(list.error) : 'Nenhum grupo encontrado'
        }
        data={groups.map(({ groupId, name }) => ({ value: groupId, label: name }))}
        value={groupIds.filter((id) => known.has(id))}
        error={errors.groupIds as string | undefined}
        onChange={(ids) => onChange({ groupIds: ids })}
      />
      {!isNew && (
        <Switch
          label="Em uso"
          checked={isActive}
          onChange={(event) => onChange({ isActive: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

/** "Todos os grupos", or the names of those it is for. */
export const placeText = ({ connection, groups }: { connection: { name: string }; groups: { name: string }[] }) =>
  `${connection.name} · ${groups.length ? groups.map(({ name }) => name).join(', ') : 'todos os grupos'}`
