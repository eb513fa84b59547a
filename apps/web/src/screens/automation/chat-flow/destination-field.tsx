import type { Destination } from '@balcao/contract/automation/flows/graph.ts'
import { Select } from '@mantine/core'
import { RowSelect } from '../../../features/service/actions/row-select.tsx'
import { StepSelect } from './step-select.tsx'

type Props = {
  label: string
  /** What happens where nothing is chosen. */
  otherwise: string
  value: Destination | null
  onChange: (value: Destination | null) => void
  error: string | undefined
}
const kinds = [
  { value: 'queue', label: 'Fila' },
  { value: 'user', label: 'Pessoa' },
  { value: 'node', label: 'Passo deste fluxo' },
  { value: 'close', label: 'Encerrar' },
]

/** Where a conversation goes when the flow does not go on. */
export const DestinationField = ({ label, otherwise, value, onChange, error }: Props) => {
  const rest = {
    'aria-label': `${label}: qual`,
    value: value?.id ?? '',
    error,
    onChange: (id: string) => value && onChange({ ...value, id }),
  }
  return (
    <>
      <Select
        label={label}
        error={value ? undefined : error}
        data={[{ value: '', label: otherwise }, ...kinds]}
        allowDeselect={false}
        value={value?.kind ?? ''}
        onChange={(kind) => onChange(kind ? { kind: kind as Destination['kind'], id: '' } : null)} // one of those offered
      />
      {value?.kind === 'queue' && <RowSelect {...rest} names="queues" placeholder="Escolha a fila" />}
      {value?.kind === 'user' && <RowSelect {...rest} names="people" placeholder="Escolha a pessoa" />}
      {value?.kind === 'close' && <RowSelect {...rest} names="reasons" placeholder="Sem motivo" />}
      {value?.kind === 'node' && <StepSelect {...rest} placeholder="Escolha o passo" />}
    </>
  )
}
