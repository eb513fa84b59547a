import { impersonateBody, type Tenant } from '@balcao/contract/platform/tenants.ts'
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { messageOf } from '../../../kit/api-error.ts'
import { resolverOf } from '../../../kit/form.ts'
import { formatTime } from '../../../kit/format.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { useImpersonate } from './api.ts'

type Props = { tenant: Tenant | null; onClose: () => void }

/** The way into a company for support: a reason first, then a link that works once. */
export const ImpersonateDialog = ({ tenant, onClose }: Props) => (
  <Modal
    opened={tenant !== null}
    onClose={onClose}
    title={<Text fw={600}>Acessar {tenant?.name}</Text>}
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    {tenant && <Visit tenant={tenant} onClose={onClose} />}
  </Modal>
)

const Visit = ({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) => {
  const issue = useImpersonate()
  const form = useForm({ initialValues: { reason: '' }, validate: resolverOf(impersonateBody) })
  if (issue.data)
    return (
      <Stack>
        <CopyField
          label="Link de acesso"
          value={issue.data.url}
          description={`Vale uma vez, até ${formatTime(issue.data.expiresAt)}. Abra em uma janela anônima para não sair da sua conta.`}
        />
        <Group justify="flex-end">
          <Button onClick={onClose}>Concluir</Button>
        </Group>
      </Stack>
    )
  return (
    <form onSubmit={form.onSubmit(({ reason }) => issue.mutate({ id: tenant.id, reason }))} noValidate>
      <Text c="dimmed">
        Você entra como administrador da empresa. O acesso fica registrado com o motivo, e a empresa vê um aviso na
        tela.
      </Text>
      <Textarea
        mt="md"
        label="Motivo"
        placeholder="Chamado 1234: o WhatsApp não conecta"
        required
        autosize
        minRows={2}
        maxRows={6}
        maxLength={300}
        data-autofocus
        {...form.getInputProps('reason')}
      />
      {issue.isError && (
        <Alert color="red" mt="sm" role="alert">
          {messageOf(issue.error)}
        </Alert>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancelar
        </Button>
        <Button type="submit" loading={issue.isPending}>
          Gerar link
        </Button>
      </Group>
    </form>
  )
}
