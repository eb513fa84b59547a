import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { settingsQuery } from '../../../features/people/settings/api.ts'
import { DrawnField } from '../../../features/service/actions/drawn-field.tsx'

type Props = ComponentProps<typeof DrawnField>

/** One option of a channel; a switch that follows the company's may also be left to it. */
export const OptionField = (props: Props) => {
  const { field, value, onChange, error } = props
  const settings: Record<string, unknown> = useQuery(settingsQuery).data ?? {}
  if (!field.follows || field.type !== 'boolean') return <DrawnField {...props} />
  return (
    <Select
      label={field.label}
      description={field.help}
      data={[
        { value: company, label: `Como na empresa (${settings[field.follows] === true ? 'sim' : 'não'})` },
        { value: 'true', label: 'Sim' },
        { value: 'false', label: 'Não' },
      ]}
      value={typeof value === 'boolean' ? String(value) : company}
      onChange={(chosen) => onChange(chosen === company ? null : chosen === 'true')}
      allowDeselect={false}
      error={error}
    />
  )
}

const company = 'company'
