import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../../kit/api-error.ts'

type Props = { onClose: () => void; onConfirm: (password: string) => Promise<void> }

/** From the platform one reaches every company: whoever goes there says their password again. */
export const PlatformDialog = ({ onClose, onConfirm }: Props) => {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  const handleSubmit = async () => {
    if (!password) return setProblem('Informe a sua senha.')
    setBusy(true)
    try {
      await onConfirm(password)
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Mudar para a plataforma</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void handleSubmit()
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            Lá você cuida das empresas e da instalação. Enquanto isso, você não atende conversas.
          </Text>
          <PasswordInput
            label="Sua senha"
            autoComplete="current-password"
            data-autofocus
            value={password}
            error={problem}
            onChange={(event) => {
              setPassword(event.currentTarget.value)
              setProblem(undefined)
            }}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={busy}>
              Mudar
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
