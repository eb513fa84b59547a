import { Select, type SelectProps } from '@mantine/core'
import { profileLabels } from './profiles.ts'

const profiles = ['user', 'super', 'admin'] as const

/** The profile of a person of a company, and what it may do. */
export const ProfileSelect = ({ profile, ...input }: SelectProps & { profile: (typeof profiles)[number] }) => (
  <Select
    label="Perfil"
    required
    description={profileLabels[profile].can}
    data={profiles.map((value) => ({ value, label: profileLabels[value].name }))}
    allowDeselect={false}
    {...input}
  />
)
