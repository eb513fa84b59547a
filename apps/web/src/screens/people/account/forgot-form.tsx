import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core'
import { IconMailCheck, IconUserQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { notify } from '../../../ui/notify.ts'
import { askPasswordReset, resetHelpQuery } from './account-api.ts'
import { AccountFrame } from './account-frame.tsx'

/**
 * Asks for the link to a new password. The answer is the same whether the address is known or not, and says whom to ask
 * where no mail leaves this installation; `typed` is what the login form knew.
 */
export const ForgotForm = ({ typed }: { typed: string }) => {
  const [email, setEmail] = useState(typed)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const byEmail = useQuery(resetHelpQuery).data?.byEmail ?? true

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!/^\S+@\S+$/.test(email.trim())) return setProblem('Informe seu e-mail.')
    setBusy(true)
    try {
      await askPasswordReset(email)
      if (byEmail) notify.success('E-mail de recuperação de senha enviado.')
      setSent(true)
    } catch {
      notify.error('Erro ao solicitar redefinição de senha.')
    } finally {
      setBusy(false)
    }
  }

  return (
    <AccountFrame
      title="Esqueci a senha"
      lead={
        byEmail
          ? 'Enviaremos um link para você criar uma nova.'
          : 'Peça um link para criar uma nova. Quem cuida da instalação o entrega a você.'
      }
    >
      <form onSubmit={(event) => void handleSubmit(event)} noValidate>
        <Stack gap="md">
          {sent ? (
            <SentNotice email={email.trim()} byEmail={byEmail} />
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
                {byEmail ? 'Enviar link' : 'Pedir link'}
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

const SentNotice = ({ email, byEmail }: { email: string; byEmail: boolean }) =>
  byEmail ? (
    <Alert icon={<IconMailCheck size={18} />} title="Confira seu e-mail" role="status">
      Se {email} tiver cadastro, o link chega em instantes. Se não chegar, fale com o administrador da sua empresa: ele
      também pode definir uma nova senha para você.
    </Alert>
  ) : (
    <Alert icon={<IconUserQuestion size={18} />} title="Fale com o administrador da sua empresa" role="status">
      Este sistema não envia e-mails. O administrador pode definir uma nova senha para você na tela Usuários. Se você é
      o administrador e {email} tiver cadastro, quem cuida da instalação encontra o seu link no log do servidor.
    </Alert>
  )
