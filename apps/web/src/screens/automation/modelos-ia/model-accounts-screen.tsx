import { type BotKind, botKinds } from '@balcao/contract/core/integrations/bots.ts'
import { type Integration, integrationResource, integrations } from '@balcao/contract/core/integrations/index.ts'
import {
  isModelKind,
  type ModelKind,
  modelKinds,
  type StartValue,
  startValuesIn,
  startValuesOf,
} from '@balcao/contract/core/integrations/models.ts'
import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { useTestIntegration } from '../../../features/core/integrations/api.ts'
import { IntegrationForm } from '../../../features/core/integrations/integration-form.tsx'
import { IntegrationState } from '../../../features/core/integrations/integration-state.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { allRows, deleteRow } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { ProviderGlyph } from '../../../ui/provider-glyph.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './model-accounts.module.css'

/** One page per provider of language models or of bots, named by its path: the company's accounts there. */
export default function ModelAccountsScreen() {
  const { pathname } = useLocation()
  const kind = [...modelKinds, ...botKinds].find((one) => pathname.endsWith(`/${one}`))
  const mayWrite = useCan('integrations.write')
  if (!mayWrite || !kind) return <ForbiddenState />
  return <Accounts key={kind} kind={kind} />
}

const Accounts = ({ kind }: { kind: ModelKind | BotKind }) => {
  const rows = useQuery(allRows<Integration>(integrationResource))
  const cache = useQueryClient()
  const { opened, setOpened } = useOpened()
  const [deleting, setDeleting] = useState<Integration | null>(null)
  const { label, description, glyph } = integrations[kind]
  const accounts = (rows.data ?? []).filter((one) => one.kind === kind)
  const row = opened === 'novo' ? null : accounts.find(({ id }) => id === opened)
  const renew = () => void cache.invalidateQueries({ queryKey: ['resource', integrationResource.event] })

  const handleDelete = async () => {
    try {
      if (deleting) await deleteRow(integrationResource, deleting.id)
      notify.success('Conta excluída.')
      setOpened(null)
    } catch (error) {
      notify.error(messageOf(error))
    }
    setDeleting(null)
    renew()
  }
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened('novo')}>
      Adicionar conta
    </Button>
  )
  return (
    <Page header={<PageHeader title={label} purpose={description} actions={accounts.length > 0 && add} />}>
      {rows.isPending ? (
        <SkeletonList rows={2} height={120} />
      ) : rows.isError ? (
        <ErrorState message={messageOf(rows.error)} onRetry={() => void rows.refetch()} />
      ) : accounts.length === 0 ? (
        <EmptyState icon={<ProviderGlyph glyph={glyph} size={40} />} title={`Nenhuma conta em ${label}`} action={add}>
          {modelKinds.some((one) => one === kind)
            ? 'Ligue uma conta da empresa: a chave fica guardada cifrada, e o que se gasta aparece em Uso e orçamento.'
            : 'Ligue uma conta da empresa e escolha-a num assistente: é ela que responde aos clientes dele.'}
        </EmptyState>
      ) : (
        <div className={classes.accounts}>
          {accounts.map((one) => (
            <Account key={one.id} row={one} onEdit={() => setOpened(one.id)} />
          ))}
        </div>
      )}
      {row !== undefined && opened && (
        <IntegrationForm
          key={opened}
          kind={kind}
          row={row}
          onClose={() => setOpened(null)}
          onSaved={(saved) => {
            notify.success(row ? 'Alterações salvas.' : `${saved.name}: conta adicionada.`)
            renew()
            setOpened(row ? null : saved.id) // a new one can be tested now
          }}
          onDelete={row ? () => setDeleting(row) : undefined}
        />
      )}
      <ConfirmDelete
        opened={deleting !== null}
        what={`a conta “${deleting?.name ?? ''}”`}
        busy={false}
        onConfirm={() => void handleDelete()}
        onClose={() => setDeleting(null)}
      />
    </Page>
  )
}

const Account = ({ row, onEdit }: { row: Integration; onEdit: () => void }) => {
  const test = useTestIntegration()
  const told = test.data?.text ?? row.stateText
  const untouched = isModelKind(row.kind) ? startValuesIn(row.kind, row.config).map((one) => startLabels[one]) : []
  return (
    <section className={classes.account} aria-label={row.name}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <div className={classes.words}>
          <Group gap="xs">
            <Text fw={600}>{row.name}</Text>
            <IntegrationState of={row} />
          </Group>
          {told && (
            <Text size="sm" role="status" mt={4}>
              {told}
            </Text>
          )}
          {test.error && (
            <Text size="sm" role="alert" c="var(--mantine-color-error)" mt={4}>
              {messageOf(test.error)}
            </Text>
          )}
        </div>
        <Group gap="xs">
          <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate(row.id)}>
            Testar
          </Button>
          <Button variant="default" size="xs" onClick={onEdit}>
            Editar
          </Button>
        </Group>
      </Group>
      <FactList facts={factsOf(row)} />
      {untouched.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          Valores de partida, de {startValuesOf}: {listed.format(untouched)}. Confira com o provedor e corrija em
          Editar.
        </Text>
      )}
    </section>
  )
}

const listed = new Intl.ListFormat('pt-BR')
const startLabels: Record<StartValue, string> = {
  inputPrice: 'entrada',
  outputPrice: 'saída',
  audioPrice: 'transcrição',
  region: 'onde processa',
  retention: 'o que guarda',
}
const price = (value: unknown, per: string) =>
  `R$ ${Number(value ?? 0).toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 4 })} por ${per}`
const factsOf = ({ config }: Integration): (readonly [string, string])[] => {
  const audio = config.audioModel ? `${String(config.audioModel)}, ${price(config.audioPrice, 'minuto')}` : ''
  const facts = [
    ['Modelo', String(config.model ?? '')],
    ['Entrada', config.model ? price(config.inputPrice, 'milhão de tokens') : ''],
    ['Saída', config.model ? price(config.outputPrice, 'milhão de tokens') : ''],
    ['Fluxo', String(config.publicId ?? '')],
    ['Assistente', String(config.assistantId ?? '')],
    ['Endereço', config.model ? '' : String(config.url ?? config.baseUrl ?? '')],
    ['Transcrição', audio],
    ['Onde processa', String(config.region ?? '')],
    ['O que guarda', String(config.retention ?? '')],
  ] as const
  return facts.filter(([, value]) => value)
}
