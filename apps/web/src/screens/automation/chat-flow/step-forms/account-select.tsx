import type { FlowAccounts } from '@balcao/contract/automation/flows/flows.ts'
import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { flowAccountsQuery } from '../../../../features/automation/flows/api.ts'

type Props = Omit<SelectProps, 'value' | 'onChange' | 'data'> & {
  of: keyof FlowAccounts
  value: string
  onChange: (id: string) => void
}

/** An assistant or a calendar of the company; one that is not ready is shown, and cannot be chosen. */
export const AccountSelect = ({ of, value, onChange, ...rest }: Props) => {
  const rows = useQuery(flowAccountsQuery).data?.[of]
  const isGone = value !== '' && rows !== undefined && !rows.some(({ id }) => id === value)
  return (
    <Select
      searchable
      data={[
        ...(rows ?? []).map(({ id, name, isReady }) => ({ value: id, label: name, disabled: !isReady })),
        ...(isGone ? [{ value, label: 'Excluído' }] : []),
      ]}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      {...rest}
    />
  )
}
