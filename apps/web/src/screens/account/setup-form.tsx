import { newPassword } from '@balcao/contract/auth.ts'
import { email, personName } from '@balcao/contract/common.ts'
import { Alert, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { isApiError } from '../../kit/api-error.ts'
import { resolverOf } from '../../kit/form.ts'
import { loadingOverlay } from '../../ui/loading-overlay.tsx'
import { notify } from '../../ui/notify.ts'
import { setUp } from './account-api.ts'
import { AccountFrame } from './account-frame.tsx'

const schema = z.object({
  company: z.string().trim().min(2, 'Informe o nome da empresa.').max(120),
  adminName: personName,
  adminEmail: email,
  adminPassword: newPassword,
  name: personName,
  email,
  password: newPassword,
})
const twoPeople = (values: z.output<typeof schema>) =>
  values.email.trim().toLowerCase() === values.adminEmail.trim().toLowerCase()
    ? [{ path: 'email', message: 'Use um e-mail diferente do administrador da empresa.' }]
    : []

/** First run: the company with its administrator, and who takes care of the platform. */
export const SetupForm = ({ tokenSetup }: { tokenSetup: string }) => {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm({
    initialValues: { company: '', adminName: '', adminEmail: '', adminPassword: '', name: '', email: '', password: '' },
    validate: resolverOf(schema, twoPeople),
    validateInputOnBlur: true,
  })

  const handleSubmit = async (values: typeof form.values) => {
    setBusy(true)
    setProblem(null)
    try {
      await loadingOverlay.during(setUp(tokenSetup, values))
      notify.success('Instalação concluída. Entre com o e-mail do administrador.')
      await navigate('/login', { replace: true })
    } catch (error) {
      if (isApiError(error)) form.setErrors(Object.fromEntries(error.problems.map((one) => [one.path, one.message])))
      setProblem(error instanceof Error ? error.message : null)
    } finally {
      setBusy(false)
    }
  }

  /** The form is longer than a phone: what is wrong may stand above what is seen. */
  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()

  return (
    <AccountFrame
      wide
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
          <Divider label="Administrador da empresa" labelPosition="left" />
          <TextInput label="Nome" autoComplete="name" {...form.getInputProps('adminName')} />
          <TextInput label="E-mail" type="email" {...form.getInputProps('adminEmail')} />
          <PasswordInput
            label="Senha"
            description="Pelo menos 8 caracteres."
            autoComplete="new-password"
            {...form.getInputProps('adminPassword')}
          />
          <Divider label="Responsável pela plataforma" labelPosition="left" />
          <Text c="dimmed" size="sm">
            Cria empresas e cuida da instalação. Não atende conversas.
          </Text>
          <TextInput label="Nome do responsável" {...form.getInputProps('name')} />
          <TextInput label="E-mail do responsável" type="email" {...form.getInputProps('email')} />
          <PasswordInput
            label="Senha do responsável"
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
