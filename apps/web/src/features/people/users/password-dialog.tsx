import { newPassword } from '@balcao/contract/people/auth.ts'
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { isApiError } from '../../../kit/api-error.ts'
import { encryptPassword } from '../../../kit/crypto.ts'
import { resolverOf } from '../../../kit/form.ts'
import { endingSessions } from '../../../kit/own-end.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { notify } from '../../../ui/notify.ts'

const schema = z.object({ current: z.string().min(1, 'Informe a senha atual.'), next: newPassword, again: z.string() })
const checkAgain = ({ next, again }: z.output<typeof schema>) =>
  next === again ? [] : [{ path: 'again', message: 'As senhas não conferem.' }]

/** Change of one's own password. */
export const PasswordDialog = ({ onClose }: { onClose: () => void }) => {
  const { userId } = useCurrentSession()
  const [busy, setBusy] = useState(false)
  const form = useForm({
    initialValues: { current: '', next: '', again: '' },
    validate: resolverOf(schema, checkAgain),
  })

  const handleSubmit = async ({ current, next }: typeof form.values) => {
    setBusy(true)
    try {
      const body = { current: await encryptPassword(current), next: await encryptPassword(next) }
      await endingSessions(() => api.put(`/users/${userId}/password`, body))
      notify.success('Senha alterada. Entre de novo com ela, aqui e nos outros aparelhos.')
      onClose()
    } catch (error) {
      const text = error instanceof Error ? error.message : ''
      if (isApiError(error, 'ERR_PASSWORD_WRONG')) form.setFieldError('current', text)
      else if (isApiError(error, 'ERR_PASSWORD_WEAK')) form.setFieldError('next', text)
      else notify.error(text)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Alterar senha</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={form.onSubmit((values) => void handleSubmit(values))} noValidate>
        <Stack gap="md">
          <PasswordInput
            label="Senha atual"
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label="Nova senha"
            description="Pelo menos 8 caracteres."
            autoComplete="new-password"
            {...form.getInputProps('next')}
          />
          <PasswordInput label="Repita a nova senha" autoComplete="new-password" {...form.getInputProps('again')} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={busy}>
              Alterar senha
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
