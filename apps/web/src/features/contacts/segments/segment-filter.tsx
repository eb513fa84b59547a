import { useQuery } from '@tanstack/react-query'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { segmentList } from './api.ts'

type Props = { value: string; onChange: (id: string) => void }

/** One segment as a filter of a list or of the board. */
export const SegmentFilter = ({ value, onChange }: Props) => {
  const segments = useQuery(segmentList)
  const options = (segments.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const isGone = value !== '' && segments.isSuccess && !options.some((one) => one.value === value)
  return (
    <FilterMenu
      label="Segmento"
      options={isGone ? [...options, { value, label: 'Segmento excluído' }] : options}
      value={value ? [value] : []}
      onChange={(next) => onChange(next.at(-1) ?? '')}
    />
  )
}
