import { type GatewayKind, gatewayKinds, lentKinds } from '@balcao/contract/channels/hosts.ts'
import { integrations } from '@balcao/contract/core/integrations/index.ts'
import type { TenantHost } from '@balcao/contract/platform/hosts.ts'
import { Accordion, Alert, Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { byField, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { configProblems, configValues, readConfig } from '../../core/providers/config-values.ts'
import { ProviderFields } from '../../core/providers/provider-fields.tsx'
import { tenantHosts, useRemoveHost, useSaveHost, useTestHost } from './connections-api.ts'

type Props = { of: { id: number; name: string }; onClose: () => void }

/** Servers of WhatsApp gateways, of one company or of the whole installation. */
export const HostsDrawer = ({ of, onClose }: Props) => {
  const hosts = useQuery(tenantHosts(of.id))
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      title={<Text fw={600}>{of.id === 0 ? 'Servidores da instalação' : `Servidores de ${of.name}`}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Text size="sm" c="dimmed" mb="md">
        {of.id === 0
          ? 'Toda empresa pode criar canais neles, sem ver o endereço nem a chave.'
          : 'A empresa cria canais neles. O endereço e a chave também podem ser mudados por ela.'}
      </Text>
      {hosts.isPending ? (
        <SkeletonList rows={3} height={52} />
      ) : hosts.isError ? (
        <ErrorState message={messageOf(hosts.error)} onRetry={() => void hosts.refetch()} />
      ) : (
        <Accordion variant="separated">
          {(of.id === 0 ? lentKinds : gatewayKinds).map((kind) => {
            const host = hosts.data.find((one) => one.kind === kind) ?? null
            return (
              <Accordion.Item key={kind} value={kind}>
                <Accordion.Control>
                  <Group gap="xs">
                    {integrations[kind].label}
                    <HostState host={host} />
                  </Group>
                </Accordion.Control>
                <Accordion.Panel>
                  <HostForm key={JSON.stringify(host?.config)} tenantId={of.id} kind={kind} host={host} />
                </Accordion.Panel>
              </Accordion.Item>
            )
          })}
        </Accordion>
      )}
    </Drawer>
  )
}

const HostState = ({ host }: { host: TenantHost | null }) => {
  if (!host) return <StatusDot tone="quiet" label="Nenhum" />
  if (host.state === 'broken') return <StatusDot tone="bad" label="Com problema" />
  return <StatusDot tone={host.state === 'working' ? 'good' : 'quiet'} label={usedBy(host.connections)} />
}
const usedBy = (many: number) => (many === 0 ? 'Sem canais' : many === 1 ? '1 canal' : `${many} canais`)

const HostForm = ({ tenantId, kind, host }: { tenantId: number; kind: GatewayKind; host: TenantHost | null }) => {
  const { config, label } = integrations[kind]
  const save = useSaveHost({ tenantId, kind })
  const remove = useRemoveHost({ tenantId, kind })
  const test = useTestHost({ tenantId, kind })
  const form = useForm({
    initialValues: { config: configValues(config, host?.config ?? null) },
    validate: (values) =>
      Object.fromEntries(
        configProblems(config, values.config, host?.config ?? null).map(({ path, message }) => [path, message]),
      ),
  })
  const handleSave = form.onSubmit((values) =>
    save.mutate(readConfig(config, values.config), {
      onSuccess: () => notify.success(`${label}: servidor salvo.`),
      onError: (error) => {
        const problems = problemsOf(error)
        if (problems.length) form.setErrors(byField(problems))
        else notify.error(messageOf(error))
      },
    }),
  )
  return (
    <form onSubmit={handleSave} noValidate>
      <Stack gap="sm">
        {host?.stateText && (
          <Alert variant="default" p="sm">
            {host.stateText}
          </Alert>
        )}
        <ProviderFields config={config} form={form} stored={host?.config ?? null} />
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Button type="submit" size="xs" loading={save.isPending} disabled={!form.isDirty()}>
              Salvar
            </Button>
            {host && (
              <Button
                variant="default"
                size="xs"
                loading={test.isPending}
                disabled={form.isDirty()}
                onClick={() => test.mutate(undefined, { onError: (error) => notify.error(messageOf(error)) })}
              >
                Testar
              </Button>
            )}
          </Group>
          {host && (
            <Button
              variant="subtle"
              color="red"
              size="xs"
              loading={remove.isPending}
              onClick={() =>
                remove.mutate(undefined, {
                  onSuccess: () => notify.success(`${label}: servidor tirado.`),
                  onError: (error) => notify.error(messageOf(error)),
                })
              }
            >
              Tirar
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
