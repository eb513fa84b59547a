import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { session, useSession } from '../../../kit/session.ts'
import { loadingOverlay } from '../../../ui/loading-overlay.tsx'
import { notify } from '../../../ui/notify.ts'
import { login } from './account-api.ts'
import { AccountFrame } from './account-frame.tsx'
import { ForgotForm } from './forgot-form.tsx'
import { VersionLine } from './version-line.tsx'

export default function LoginScreen() {
  const [search] = useSearchParams()
  const isIn = useSession() !== null
  const [busy, setBusy] = useState(false)
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Informe seu e-mail.'),
      password: (value) => (value ? null : 'Informe sua senha.'),
    },
  })

  const handleSubmit = async ({ email, password }: typeof form.values) => {
    setBusy(true)
    try {
      session.open(await loadingOverlay.during(login(email, password)))
    } catch (error) {
      form.setFieldValue('password', '')
      if (isApiError(error, 'ERR_INVALID_CREDENTIALS')) form.setFieldError('password', error.message)
      else notify.error(messageOf(error))
      document.getElementById('password')?.focus()
    } finally {
      setBusy(false)
    }
  }

  if (search.get('tokenSetup')) return <Navigate to={`/masterkey?${search}`} replace />
  if (isIn) return <Navigate to="/entrada" replace /> // by this form or in another tab
  if (search.has('recuperar')) return <ForgotForm typed={form.values.email} />
  return (
    <AccountFrame title="Entrar" lead="Use o e-mail e a senha da sua empresa." foot={<VersionLine />}>
      <form onSubmit={form.onSubmit((values) => void handleSubmit(values))} noValidate>
        <Stack gap="md">
          <TextInput
            label="E-mail"
            type="email"
            name="email"
            autoComplete="username"
            inputMode="email"
            size="md"
            autoFocus
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Senha"
            id="password"
            name="password"
            autoComplete="current-password"
            size="md"
            {...form.getInputProps('password')}
          />
          <Button type="submit" size="md" loading={busy} fullWidth>
            Entrar
          </Button>
          <Anchor component={Link} to="/login?recuperar" ta="center">
            Esqueci a senha
          </Anchor>
        </Stack>
      </form>
    </AccountFrame>
  )
}
