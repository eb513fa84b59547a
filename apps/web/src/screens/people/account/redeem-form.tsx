import { redeemBody } from '@balcao/contract/people/auth.ts'
import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { isApiError } from '../../../kit/api-error.ts'
import { resolverOf } from '../../../kit/form.ts'
import { session } from '../../../kit/session.ts'
import { redeemCode } from './account-api.ts'
import { AccountFrame } from './account-frame.tsx'

/** A superadmin's one-time code opens the session of a company, on record and for a short time. */
export const RedeemForm = ({ code }: { code: string }) => {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const form = useForm({ initialValues: { code }, validate: resolverOf(redeemBody) })

  const handleSubmit = async (values: { code: string }) => {
    setBusy(true)
    try {
      session.open(await redeemCode(values.code))
      await navigate('/entrada', { replace: true })
    } catch (error) {
      form.setFieldError('code', isApiError(error) ? error.message : 'Não foi possível usar o código.')
    } finally {
      setBusy(false)
    }
  }

  return (
    <AccountFrame
      title="Acesso de suporte"
      lead="Digite o código de uso único. O acesso é temporário, e a empresa vê tudo o que for feito."
    >
      <form onSubmit={form.onSubmit((values) => void handleSubmit(values))} noValidate>
        <Stack gap="md">
          <TextInput label="Código" autoComplete="one-time-code" size="md" autoFocus {...form.getInputProps('code')} />
          <Button type="submit" size="md" loading={busy} fullWidth>
            Entrar com o código
          </Button>
          <Anchor component={Link} to="/login" ta="center">
            Voltar para o login
          </Anchor>
        </Stack>
      </form>
    </AccountFrame>
  )
}
