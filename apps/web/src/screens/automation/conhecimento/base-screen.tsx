import { type KnowledgeSource, sourceKindLabels } from '@balcao/contract/automation/assistants/knowledge.ts'
import { ActionIcon, Button, Menu, Table, Text, Tooltip } from '@mantine/core'
import { IconArrowLeft, IconEdit, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { addSource, baseQuery, refreshSource, removeSource, sourcesQuery } from './knowledge-api.ts'
import { type SourceAsked, SourceDrawer } from './source-drawer.tsx'

const stateOf = ({ state, problem }: KnowledgeSource) => {
  if (state === 'ready' && problem) return { tone: 'waiting', label: problem } as const
  if (state === 'waiting') return { tone: 'waiting', label: 'Lendo…' } as const
  return state === 'failed'
    ? ({ tone: 'bad', label: problem ?? 'Não foi possível ler' } as const)
    : ({ tone: 'good', label: 'Lida' } as const)
}

/** What a base is read from: each source with how it went, to be read anew or taken away. */
export const BaseScreen = ({ baseId }: { baseId: string }) => {
  const cache = useQueryClient()
  const mayRead = useCan('assistants.write')
  const base = useQuery({ ...baseQuery(baseId), enabled: mayRead })
  const sources = useQuery({
    ...sourcesQuery(baseId),
    enabled: mayRead,
    // Nothing tells when a worker is through with a source.
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'waiting') ? 2_000 : false),
  })
  const [asked, setAsked] = useState<SourceAsked | null>(null)
  const [removing, setRemoving] = useState<KnowledgeSource | null>(null)
  const renew = () => {
    void cache.invalidateQueries({ queryKey: ['knowledge-sources', baseId] })
    void cache.invalidateQueries({ queryKey: ['resource', 'knowledgeBase'] })
  }
  const told = { onSuccess: renew, onError: (error: Error) => notify.error(messageOf(error)) }
  const refresh = useMutation({ mutationFn: refreshSource, ...told })
  const remove = useMutation({ mutationFn: removeSource, ...told, onSettled: () => setRemoving(null) })
  const addQuick = useMutation({ mutationFn: () => addSource(baseId, { kind: 'quick' }), ...told })
  if (!mayRead) return <ForbiddenState />
  if (base.isError) {
    const isGone = isApiError(base.error) && base.error.status === 404
    return <ErrorState title={isGone ? 'Esta base não existe mais' : undefined} onRetry={() => void base.refetch()} />
  }
  const add = (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlus size={18} aria-hidden />}>Acrescentar</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => setAsked({ kind: 'file' })}>Arquivo (PDF, DOCX, XLSX, HTML, texto)</Menu.Item>
        <Menu.Item onClick={() => setAsked({ kind: 'page' })}>Página de site</Menu.Item>
        <Menu.Item onClick={() => setAsked({ kind: 'text' })}>Texto</Menu.Item>
        <Menu.Item
          disabled={sources.data?.some(({ kind }) => kind === 'quick') ?? false}
          onClick={() => addQuick.mutate()}
        >
          Mensagens rápidas de todos
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
  return (
    <Page
      header={
        <PageHeader
          title={base.data?.name ?? 'Base de conhecimento'}
          purpose={base.data?.description || 'De onde os assistentes tiram as respostas.'}
          actions={
            <>
              <ActionIcon component={Link} to="/conhecimento" size={36} variant="default" aria-label="Voltar às bases">
                <IconArrowLeft size={18} stroke={1.75} />
              </ActionIcon>
              {add}
            </>
          }
        />
      }
    >
      {sources.isError && <ErrorState message={messageOf(sources.error)} onRetry={() => void sources.refetch()} />}
      {sources.isPending && <SkeletonList rows={4} />}
      {sources.data?.length === 0 && (
        <EmptyState title="Nada aqui ainda" action={add}>
          Acrescente um arquivo, uma página do site ou um texto; a leitura começa na hora.
        </EmptyState>
      )}
      {(sources.data?.length ?? 0) > 0 && (
        <Table.ScrollContainer minWidth={560}>
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Fonte</Table.Th>
                <Table.Th>Situação</Table.Th>
                <Table.Th w={90}>Trechos</Table.Th>
                <Table.Th w={120}>Lida</Table.Th>
                <Table.Th w={130} aria-label="Ações" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sources.data?.map((source) => (
                <Table.Tr key={source.id}>
                  <Table.Td>
                    <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                      {source.name}
                    </Text>
                    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {[
                        sourceKindLabels[source.kind],
                        source.url !== source.name && source.url,
                        source.kind === 'page' && source.refreshHours && `a cada ${source.refreshHours} h`,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <StatusDot {...stateOf(source)} />
                  </Table.Td>
                  <Table.Td className="tabular">{formatNumber(source.chunks)}</Table.Td>
                  <Table.Td>{source.readAt ? <RelativeTime moment={source.readAt} /> : '—'}</Table.Td>
                  <Table.Td>
                    <div style={{ display: 'flex', gap: 4, justifyContent: 'flex-end' }}>
                      {source.kind === 'text' && (
                        <ActionIcon
                          size={36}
                          aria-label={`Alterar ${source.name}`}
                          onClick={() => setAsked({ kind: 'text', source })}
                        >
                          <IconEdit size={17} stroke={1.75} />
                        </ActionIcon>
                      )}
                      <Tooltip label="Ler de novo">
                        <ActionIcon
                          size={36}
                          aria-label={`Ler ${source.name} de novo`}
                          onClick={() => refresh.mutate(source.id)}
                        >
                          <IconRefresh size={17} stroke={1.75} />
                        </ActionIcon>
                      </Tooltip>
                      <ActionIcon size={36} aria-label={`Excluir ${source.name}`} onClick={() => setRemoving(source)}>
                        <IconTrash size={17} stroke={1.75} />
                      </ActionIcon>
                    </div>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {asked && (
        <SourceDrawer
          baseId={baseId}
          asked={asked}
          onClose={() => setAsked(null)}
          onSaved={() => {
            renew()
            setAsked(null)
          }}
        />
      )}
      <ConfirmDialog
        opened={removing !== null}
        title={`Excluir “${removing?.name ?? ''}”?`}
        confirmLabel="Excluir"
        tone="danger"
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing.id)}
        onClose={() => setRemoving(null)}
      >
        Os assistentes deixam de encontrar o que ela diz.
      </ConfirmDialog>
    </Page>
  )
}
