import { newPassword } from '@balcao/contract/auth.ts'
import { Alert, Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { z } from 'zod'
import { isApiError } from '../../kit/api-error.ts'
import { resolverOf } from '../../kit/form.ts'
import { notify } from '../../ui/notify.ts'
import { resetPassword } from './account-api.ts'
import { AccountFrame } from './account-frame.tsx'
import { samePasswords } from './same-passwords.ts'

const schema = z.object({ password: newPassword, again: z.string() })

export default function ResetScreen() {
  const { token = '' } = useParams()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [reason, setReason] = useState<string | null>(null)
  const form = useForm({ initialValues: { password: '', again: '' }, validate: resolverOf(schema, samePasswords) })

  const handleSubmit = async ({ password }: typeof form.values) => {
    setBusy(true)
    setReason(null)
    try {
      await resetPassword(token, password)
      notify.success('Senha redefinida com sucesso!')
      await navigate('/login')
    } catch (error) {
      notify.error('Erro ao redefinir a senha.')
      setReason(isApiError(error) ? error.message : error instanceof Error ? error.message : null)
    } finally {
      setBusy(false)
    }
  }

  return (
    <AccountFrame title="Criar nova senha" lead="Use pelo menos 8 caracteres.">
      <form onSubmit={form.onSubmit((values) => void handleSubmit(values))} noValidate>
        <Stack gap="md">
          {reason && (
            <Alert color="red" icon={<IconAlertCircle size={18} />} role="alert">
              {reason}{' '}
              <Anchor component={Link} to="/login?recuperar" inherit>
                Pedir um novo link
              </Anchor>
            </Alert>
          )}
          <PasswordInput
            label="Nova senha"
            autoComplete="new-password"
            size="md"
            autoFocus
            {...form.getInputProps('password')}
          />
          <PasswordInput
            label="Repita a nova senha"
            autoComplete="new-password"
            size="md"
            {...form.getInputProps('again')}
          />
          <Button type="submit" size="md" loading={busy} fullWidth>
            Salvar nova senha
          </Button>
          <Anchor component={Link} to="/login" ta="center">
            Voltar para o login
          </Anchor>
        </Stack>
      </form>
    </AccountFrame>
  )
}
