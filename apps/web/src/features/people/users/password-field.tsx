import { ActionIcon, Button, CopyButton, Group, TextInput, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy, IconDice3, IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { generatePassword } from './new-password.ts'

type Props = {
  label: string
  value?: string | null
  onChange?: (value: string | null) => void
  error?: ReactNode
  /** The person has one already: it changes only if asked for. */
  isSet: boolean
}

/** A password made for somebody else: generated or typed, read and copied now, never shown again. */
export const PasswordField = ({ label, value, onChange, error, isSet }: Props) => {
  if (isSet && (value === null || value === undefined))
    return (
      <div>
        <Button
          variant="default"
          leftSection={<IconKey size={18} aria-hidden />}
          onClick={() => onChange?.(generatePassword())}
        >
          Definir nova senha
        </Button>
      </div>
    )
  return (
    <div>
      <TextInput
        label={label}
        required
        description="Copie agora: depois de salvar ela não aparece mais."
        autoComplete="off"
        spellCheck={false}
        value={value ?? ''}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        error={error}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        rightSectionWidth={76}
        rightSection={
          <Group gap={0} wrap="nowrap">
            <Tooltip label="Gerar outra">
              <ActionIcon aria-label="Gerar outra senha" onClick={() => onChange?.(generatePassword())}>
                <IconDice3 size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
            <CopyButton value={value ?? ''} timeout={2_000}>
              {({ copied, copy }) => (
                <Tooltip label={copied ? 'Copiada' : 'Copiar'}>
                  <ActionIcon aria-label={copied ? 'Senha copiada' : 'Copiar senha'} onClick={copy}>
                    {copied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.75} />}
                  </ActionIcon>
                </Tooltip>
              )}
            </CopyButton>
          </Group>
        }
      />
      {isSet && (
        <Button variant="subtle" color="gray" size="xs" mt={4} onClick={() => onChange?.(null)}>
          Manter a senha atual
        </Button>
      )}
    </div>
  )
}
