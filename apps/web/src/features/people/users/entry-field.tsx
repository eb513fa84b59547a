import { Input, SegmentedControl, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { generatePassword } from './new-password.ts'
import { PasswordField } from './password-field.tsx'

type Props = {
  /** Null: the person is invited. */
  value?: string | null
  onChange?: (value: string | null) => void
  error?: ReactNode
}

/** How somebody new gets in: they choose their own password, or somebody chooses it for them. */
export const EntryField = ({ value, onChange, error }: Props) => (
  <>
    <Input.Wrapper label="Como a pessoa entra">
      <SegmentedControl
        fullWidth
        aria-label="Como a pessoa entra"
        data={[
          { value: 'invite', label: 'Convidar' },
          { value: 'password', label: 'Definir senha' },
        ]}
        value={value ? 'password' : 'invite'}
        onChange={(choice) => onChange?.(choice === 'invite' ? null : generatePassword())}
      />
    </Input.Wrapper>
    {value ? (
      <PasswordField label="Senha" isSet={false} value={value} onChange={onChange} error={error} />
    ) : (
      <Text size="sm" c="dimmed">
        Por link ou e-mail: a pessoa confirma o nome e cria a própria senha.
      </Text>
    )}
  </>
)
