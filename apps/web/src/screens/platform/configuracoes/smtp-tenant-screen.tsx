import { integrationStateLabels, integrations, type integrationTest } from '@balcao/contract/core/integrations/index.ts'
import type { MailServer } from '@balcao/contract/platform/mail-server.ts'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { configProblems, configValues, readConfig } from '../../../features/core/providers/config-values.ts'
import { ProviderFields } from '../../../features/core/providers/provider-fields.tsx'
import { api } from '../../../kit/api.ts'
import { byField, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { LeaveGuard } from '../../../ui/leave-guard.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'

const { config } = integrations.smtp
const testTimeoutMs = 40_000
const mailServerQuery = queryOptions({
  queryKey: ['mail-server'],
  queryFn: ({ signal }) => api.get<MailServer>('/tenantsSmtp', { signal }),
})

/** From where the platform's own mails leave, and those of companies without an account. */
export default function SmtpTenantScreen() {
  const mayWrite = useCan('tenants.write')
  const found = useQuery({ ...mailServerQuery, enabled: mayWrite })
  if (!mayWrite) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="E-mail da instalação"
          purpose="De onde saem convites, senhas novas e avisos das empresas que não têm uma conta de envio."
        />
      }
    >
      {found.data ? (
        <ServerForm key={JSON.stringify(found.data.account?.config)} server={found.data} />
      ) : found.isError ? (
        <ErrorState message={messageOf(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <SkeletonList rows={4} height={64} />
      )}
    </Page>
  )
}

const ServerForm = ({ server: { account, hasOther } }: { server: MailServer }) => {
  const cache = useQueryClient()
  const [asks, setAsks] = useState(false)
  const stored = account?.config ?? null
  const form = useForm({
    initialValues: { config: configValues(config, stored) },
    validate: ({ config: given }) =>
      Object.fromEntries(configProblems(config, given, stored).map(({ path, message }) => [path, message])),
  })
  const save = useMutation({
    mutationFn: (given: Record<string, unknown>) => api.put<MailServer>('/tenantsSmtp', { config: given }),
    onSuccess: (saved) => {
      form.setInitialValues({ config: configValues(config, saved.account?.config ?? null) })
      form.reset() // the password that was typed is kept, and shown no more
      cache.setQueryData(mailServerQuery.queryKey, saved)
      notify.success('Conta salva. Teste-a antes de contar com ela.')
    },
    onError: (error) => {
      const problems = problemsOf(error)
      if (problems.length) form.setErrors(byField(problems))
      else notify.error(messageOf(error))
    },
  })
  const test = useMutation({
    mutationFn: () =>
      api.post<z.output<typeof integrationTest>>('/tenantsSmtp/test', {}, { timeoutMs: testTimeoutMs, quiet: true }),
    onSettled: () => cache.invalidateQueries(mailServerQuery),
  })
  const remove = useMutation({
    mutationFn: () => api.delete('/tenantsSmtp'),
    onSuccess: () => notify.success('Conta tirada.'),
    onSettled: () => {
      setAsks(false)
      return cache.invalidateQueries(mailServerQuery)
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(readConfig(config, values.config)))} noValidate>
      <Stack gap="md" maw={560}>
        <Group gap="xs">
          {account ? (
            <StatusDot tone={tones[account.state]} label={integrationStateLabels[account.state]} />
          ) : (
            <StatusDot
              tone={hasOther ? 'good' : 'bad'}
              label={hasOther ? 'Pelo servidor do ambiente' : 'Nenhuma conta'}
            />
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {hasOther
            ? 'O ambiente do servidor (SMTP_URL) também envia: ele vale sem uma conta aqui, ou enquanto ela tem um problema.'
            : account
              ? 'Enquanto esta conta tiver um problema, ninguém recebe convites nem senhas novas por e-mail.'
              : 'Sem uma conta aqui, ninguém recebe convites nem senhas novas por e-mail: os links ficam no registro do servidor.'}
        </Text>
        {account?.stateText && (
          <Alert variant="light" color={account.state === 'broken' ? 'red' : 'blue'} role="status">
            {account.stateText}
          </Alert>
        )}
        {test.error && (
          <Alert variant="light" color="red" role="alert">
            {messageOf(test.error)}
          </Alert>
        )}
        <ProviderFields config={config} form={form} stored={stored} />
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              Salvar
            </Button>
            {account && (
              <Button
                variant="default"
                loading={test.isPending}
                disabled={form.isDirty()}
                onClick={() => test.mutate()}
              >
                Enviar um teste
              </Button>
            )}
          </Group>
          {account && (
            <Button variant="subtle" color="red" onClick={() => setAsks(true)}>
              Tirar a conta
            </Button>
          )}
        </Group>
      </Stack>
      <LeaveGuard active={form.isDirty() && !save.isPending} />
      <ConfirmDelete
        opened={asks}
        what="a conta de e-mail da instalação"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsks(false)}
      />
    </form>
  )
}
const tones = { unchecked: 'quiet', working: 'good', broken: 'bad' } as const
