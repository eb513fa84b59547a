import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { notify } from '../../ui/notify.ts'
import { askPasswordReset } from './account-api.ts'
import { AccountFrame } from './account-frame.tsx'

/** Asks for the e-mail with the link. The answer is the same whether the address is known or not; `typed` is what the login form knew. */
export const ForgotForm = ({ typed }: { typed: string }) => {
  const [email, setEmail] = useState(typed)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!/^\S+@\S+$/.test(email.trim())) return setProblem('Informe seu e-mail.')
    setBusy(true)
    try {
      await askPasswordReset(email)
      notify.success('E-mail de recuperação de senha enviado.')
      setSent(true)
    } catch {
      notify.error('Erro ao solicitar redefinição de senha.')
    } finally {
      setBusy(false)
    }
  }

  return (
    <AccountFrame title="Esqueci a senha" lead="Enviaremos um link para você criar uma nova.">
      <form onSubmit={(event) => void handleSubmit(event)} noValidate>
        <Stack gap="md">
          {sent ? (
            <Alert icon={<IconMailCheck size={18} />} title="Confira seu e-mail" role="status">
              Se {email.trim()} tiver cadastro, o link chega em instantes. Se não chegar, fale com o administrador da
              sua empresa: ele também pode definir uma nova senha para você.
            </Alert>
          ) : (
            <>
              <TextInput
                label="E-mail"
                type="email"
                autoComplete="username"
                size="md"
                autoFocus
                value={email}
                error={problem}
                onChange={(event) => {
                  setEmail(event.currentTarget.value)
                  setProblem(null)
                }}
              />
              <Button type="submit" size="md" loading={busy} fullWidth>
                Enviar link
              </Button>
            </>
          )}
          <Anchor component={Link} to="/login" ta="center">
            Voltar para o login
          </Anchor>
        </Stack>
      </form>
    </AccountFrame>
  )
}
