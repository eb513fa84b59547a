import type { Connection } from '@balcao/contract/channels/connections.ts'
import { type ChannelKind, channelKinds, channels } from '@balcao/contract/channels/index.ts'
import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { connectionList, useDeleteConnection, useTestConnection } from '../../../features/channels/connections/api.ts'
import { ProviderGallery } from '../../../features/core/providers/provider-gallery.tsx'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { useChangeParams } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { ConnectionForm } from './connection-form.tsx'
import { DiarioScreen } from './diario-screen.tsx'
import classes from './sessoes-screen.module.css'

export default function SessoesScreen() {
  const { connectionId } = useParams()
  return connectionId ? <DiarioScreen key={connectionId} connectionId={connectionId} /> : <Canais />
}

const Canais = () => {
  const mayWrite = useCan('connections.write')
  const connections = useQuery({ ...connectionList, enabled: mayWrite, refetchInterval: 60_000 }) // the last message and unknown events come without an event
  const test = useTestConnection()
  const removal = useDeleteConnection()
  const { opened, kind, open } = useOpened()
  const [deleting, setDeleting] = useState<Connection | null>(null)

  if (!mayWrite || isApiError(connections.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  const rows = connections.data ?? []
  const edited = rows.find((one) => one.id === opened) ?? null

  const handleTest = async (connection: Connection) => {
    try {
      const outcome = await test.mutateAsync(connection.id)
      if (outcome.ok) notify.success(`${connection.name}: ${outcome.text}`)
      else notify.error(`${connection.name}: ${outcome.text}`)
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  const handleSaved = (saved: Connection) => {
    const isNew = opened === 'novo'
    notify.success(isNew ? `${saved.name}: canal adicionado.` : 'Alterações salvas.')
    if (isNew)
      open(saved.id) // now it has addresses to copy
    else if (saved.status === 'CONNECTED' && saved.kind !== 'webchat') open(null)
  }
  const handleDelete = async () => {
    if (!deleting) return
    try {
      await removal.mutateAsync(deleting.id)
      notify.success(`${deleting.name}: canal excluído.`)
      if (opened === deleting.id) open(null)
    } catch (error) {
      notify.error(messageOf(error))
    }
    setDeleting(null)
  }

  const addButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => open('novo')}>
      Adicionar canal
    </Button>
  )
  return (
    <Page
      header={<PageHeader title="Canais" purpose="Por onde os clientes falam com a sua empresa." actions={addButton} />}
    >
      {connections.isPending ? (
        <SkeletonList rows={4} height={120} />
      ) : connections.isError && rows.length === 0 ? (
        <ErrorState message={messageOf(connections.error)} onRetry={() => void connections.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState
          icon={<IconPlugConnected size={26} stroke={1.5} />}
          title="Nenhum canal ligado ainda"
          action={addButton}
        >
          Comece pelo chat do seu site, que não depende de ninguém, ou ligue o WhatsApp da empresa.
        </EmptyState>
      ) : (
        <div className={classes.cards}>
          {rows.map((connection) => (
            <ConnectionCard
              key={connection.id}
              connection={connection}
              isActive={connection.id === opened}
              testing={test.isPending && test.variables === connection.id}
              onOpen={() => open(connection.id)}
              onTest={() => void handleTest(connection)}
              onDelete={() => setDeleting(connection)}
            />
          ))}
        </div>
      )}

      <ProviderGallery
        opened={opened === 'novo' && !kind}
        title="Qual canal você quer adicionar?"
        providers={Object.values(channels)}
        onChoose={(chosen) => open('novo', chosen)}
        onClose={() => open(null)}
      />
      {((opened === 'novo' && kind) || edited) && (
        <ConnectionForm
          key={opened}
          kind={edited?.kind ?? kind ?? 'webchat'}
          connection={edited}
          onClose={() => open(null)}
          onSaved={handleSaved}
          onDelete={() => setDeleting(edited)}
        />
      )}
      <ConfirmDelete
        opened={deleting !== null}
        what={`o canal “${deleting?.name ?? ''}”`}
        typed={deleting?.name.trim()}
        busy={removal.isPending}
        onConfirm={() => void handleDelete()}
        onClose={() => setDeleting(null)}
      >
        Ele deixa de receber e enviar mensagens. As conversas que já existem continuam no histórico.
      </ConfirmDelete>
    </Page>
  )
}

/** The connection in the drawer, or the channel being added, lives in the URL. */
const useOpened = () => {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const chosen = params.get('canal')
  const open = (id: string | null, kind?: ChannelKind) =>
    change(
      (next) => {
        next.delete('registro')
        next.delete('canal')
        if (id) next.set('registro', id)
        if (kind) next.set('canal', kind)
      },
      { replace: id === null && kind === undefined }, // what was closed is no place to come back to
    )
  return { opened: params.get('registro'), kind: channelKinds.find((kind) => kind === chosen), open }
}
