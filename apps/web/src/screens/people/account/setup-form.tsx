import { email, personName } from '@balcao/contract/common.ts'
import { newPassword } from '@balcao/contract/people/auth.ts'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { sayAfterPress } from '../../../kit/after-press.ts'
import { isApiError } from '../../../kit/api-error.ts'
import { resolverOf } from '../../../kit/form.ts'
import { session } from '../../../kit/session.ts'
import { loadingOverlay } from '../../../ui/loading-overlay.tsx'
import { login, setUp } from './account-api.ts'
import { AccountFrame } from './account-frame.tsx'

const schema = z.object({
  company: z.string().trim().min(2, 'Informe o nome da empresa.').max(120),
  name: personName,
  email,
  password: newPassword,
})

/** First run: the company and its first person, who is in right after. */
export const SetupForm = ({ tokenSetup }: { tokenSetup: string }) => {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const form = sayAfterPress(
    useForm({
      initialValues: { company: '', name: '', email: '', password: '' },
      validate: resolverOf(schema),
      validateInputOnBlur: true,
    }),
  )

  const handleSubmit = async (values: typeof form.values) => {
    setBusy(true)
    setProblem(null)
    try {
      await loadingOverlay.during(setUp(tokenSetup, values))
    } catch (error) {
      if (isApiError(error)) form.setErrors(Object.fromEntries(error.problems.map((one) => [one.path, one.message])))
      setProblem(error instanceof Error ? error.message : null)
      return setBusy(false)
    }
    const answer = await login(values.email, values.password).catch(() => null) // the login screen then says why
    if (answer) session.open(answer)
    await navigate(answer ? '/entrada' : '/login', { replace: true })
  }

  /** With the keyboard of a phone open, what is wrong may stand above what is seen. */
  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()

  return (
    <AccountFrame
      title="Vamos começar"
      lead="Este link vale uma vez só. Em um minuto sua empresa está pronta para atender."
    >
      <form onSubmit={form.onSubmit((values) => void handleSubmit(values), focusFirst)} noValidate>
        <Stack gap="md">
          {problem && (
            <Alert color="red" icon={<IconAlertCircle size={18} />} role="alert">
              {problem}
            </Alert>
          )}
          <TextInput label="Nome da empresa" autoComplete="organization" autoFocus {...form.getInputProps('company')} />
          <TextInput label="Seu nome" autoComplete="name" {...form.getInputProps('name')} />
          <TextInput
            label="Seu e-mail"
            description="Com ele você entra, na empresa e na plataforma."
            type="email"
            autoComplete="username"
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Senha"
            description="Pelo menos 8 caracteres."
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <Button type="submit" size="md" loading={busy} fullWidth>
            Concluir instalação
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  )
}
