import { personName } from '@balcao/contract/common.ts'
import { newPassword } from '@balcao/contract/people/auth.ts'
import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { z } from 'zod'
import { isApiError } from '../../../kit/api-error.ts'
import { resolverOf } from '../../../kit/form.ts'
import { notify } from '../../../ui/notify.ts'
import { resetLinkQuery, resetPassword } from './account-api.ts'
import { AccountFrame } from './account-frame.tsx'
import { samePasswords } from './same-passwords.ts'

const schema = z.object({ name: z.string(), password: newPassword, again: z.string() })
const invited = schema.extend({ name: personName })

/** A link that sets a password: one that was forgotten, or the first one of somebody who was invited. */
export default function ResetScreen() {
  const { token = '' } = useParams()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [reason, setReason] = useState<string | null>(null)
  const isInvited = useSearchParams()[0].has('convite')
  const form = useForm({
    initialValues: { name: '', password: '', again: '' },
    validate: resolverOf(isInvited ? invited : schema, samePasswords),
  })

  const handleSubmit = async ({ name, password }: typeof form.values) => {
    setBusy(true)
    setReason(null)
    try {
      await resetPassword(token, password, isInvited ? name.trim() : undefined)
      notify.success(isInvited ? 'Tudo pronto. Entre com o seu e-mail e senha.' : 'Senha redefinida com sucesso!')
      await navigate('/login')
    } catch (error) {
      notify.error('Erro ao redefinir a senha.')
      setReason(isApiError(error) ? error.message : error instanceof Error ? error.message : null)
    } finally {
      setBusy(false)
    }
  }

  const link = useQuery(resetLinkQuery(token)).data
  const account = link?.account
  const invitedAs = isInvited ? account?.name : undefined
  const { initialize, isDirty } = form
  useEffect(() => {
    if (invitedAs && !isDirty()) initialize({ name: invitedAs, password: '', again: '' })
  }, [invitedAs, initialize, isDirty])
  if (link?.isValid === false && !form.isDirty())
    return (
      <AccountFrame
        title={isInvited ? 'Este convite não vale mais' : 'Este link não vale mais'}
        lead={
          isInvited
            ? 'Ele expirou ou já foi usado. Se o acesso é seu, entre com o seu e-mail; senão, peça outro convite ao administrador da sua empresa.'
            : 'Ele expirou ou já foi usado. Peça um novo: cada link serve uma vez.'
        }
      >
        <Stack gap="md">
          <Button component={Link} to={isInvited ? '/login' : '/login?recuperar'} size="md" fullWidth>
            {isInvited ? 'Entrar' : 'Pedir um novo link'}
          </Button>
          {!isInvited && (
            <Anchor component={Link} to="/login" ta="center">
              Voltar para o login
            </Anchor>
          )}
        </Stack>
      </AccountFrame>
    )

  return (
    <AccountFrame
      title={isInvited ? 'Boas-vindas ao Balcão' : 'Criar nova senha'}
      lead={
        isInvited
          ? `${account ? `${account.company} chamou você. ` : ''}Confira como a equipe chama você e crie uma senha com pelo menos 8 caracteres.`
          : 'Use pelo menos 8 caracteres.'
      }
    >
      <form onSubmit={form.onSubmit((values) => void handleSubmit(values))} noValidate>
        <Stack gap="md">
          {reason && (
            <Alert color="red" icon={<IconAlertCircle size={18} />} role="alert">
              {reason}{' '}
              {isInvited ? (
                'Peça outro convite ao administrador da sua empresa.'
              ) : (
                <Anchor component={Link} to="/login?recuperar" inherit>
                  Pedir um novo link
                </Anchor>
              )}
            </Alert>
          )}
          {account && (
            <TextInput
              label="Seu e-mail"
              description={isInvited ? 'Com ele você entra.' : undefined}
              value={account.email}
              readOnly
              variant="filled"
              autoComplete="username"
              size="md"
            />
          )}
          {isInvited && (
            <TextInput label="Seu nome" autoComplete="name" size="md" autoFocus {...form.getInputProps('name')} />
          )}
          <PasswordInput
            label={isInvited ? 'Senha' : 'Nova senha'}
            autoComplete="new-password"
            size="md"
            autoFocus={!isInvited}
            {...form.getInputProps('password')}
          />
          <PasswordInput
            label={isInvited ? 'Repita a senha' : 'Repita a nova senha'}
            autoComplete="new-password"
            size="md"
            {...form.getInputProps('again')}
          />
          <Button type="submit" size="md" loading={busy} fullWidth>
            {isInvited ? 'Criar meu acesso' : 'Salvar nova senha'}
          </Button>
          <Anchor component={Link} to="/login" ta="center">
            Voltar para o login
          </Anchor>
        </Stack>
      </form>
    </AccountFrame>
  )
}
