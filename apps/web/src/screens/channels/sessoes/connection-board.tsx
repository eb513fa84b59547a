import { type Connection, isSought } from '@balcao/contract/channels/connections.ts'
import { type ChannelKind, channelKinds, channels } from '@balcao/contract/channels/index.ts'
import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { connectionList, useDeleteConnection, useTestConnection } from '../../../features/channels/connections/api.ts'
import { ProviderGallery } from '../../../features/core/providers/provider-gallery.tsx'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { useSession } from '../../../kit/session.ts'
import { useChangeParams } from '../../../kit/url-state.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { AddConnection } from './add-connection.tsx'
import classes from './connection-board.module.css'
import { ConnectionCard } from './connection-card.tsx'
import { useConnectionsFilter } from './connection-filters.tsx'
import { ConnectionForm } from './connection-form.tsx'
import { useOpenedConnection } from './use-opened-connection.ts'

/** Cards drawn at once. */
const atOnce = 24
const clearFilter = (params: URLSearchParams) => {
  for (const name of ['busca', 'tipo', 'situacao']) params.delete(name)
}

type Props = {
  /** Only these; one alone is added without a choice. */
  kinds?: readonly ChannelKind[]
  empty: { title: string; text: string }
}

/** Connections as cards, with all that can be done with them: what every page about channels is made of. */
export const ConnectionBoard = ({ kinds = channelKinds, empty }: Props) => {
  const oneKind = kinds.length === 1 ? kinds[0] : undefined
  const connections = useQuery({ ...connectionList, refetchInterval: 60_000 }) // the last message and unknown events come without an event
  const test = useTestConnection()
  const removal = useDeleteConnection()
  const { opened, kind = oneKind, open } = useOpenedConnection()
  const allowed = useSession()?.user.tenant.allowedChannels
  const filter = useConnectionsFilter()
  const change = useChangeParams()
  const [most, setMost] = useState(atOnce)
  const [deleting, setDeleting] = useState<Connection | null>(null)

  if (isApiError(connections.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  const all = connections.data ?? []
  const possible = all.filter(({ kind }) => kinds.includes(kind))
  const rows = possible.filter((one) => isSought(one, filter))
  const edited = all.find((one) => one.id === opened) ?? null

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

  return (
    <>
      {connections.isPending ? (
        <SkeletonList rows={4} height={120} />
      ) : connections.isError && rows.length === 0 ? (
        <ErrorState message={messageOf(connections.error)} onRetry={() => void connections.refetch()} />
      ) : rows.length === 0 && possible.length > 0 ? (
        <EmptyState
          icon={<IconPlugConnected size={26} stroke={1.5} />}
          title="Nenhum canal com estes filtros"
          action={
            <Button variant="default" onClick={() => change(clearFilter, { replace: true })}>
              Tirar filtros
            </Button>
          }
        >
          Busque por outro nome ou número, mude os filtros ou tire todos.
        </EmptyState>
      ) : rows.length === 0 ? (
        <EmptyState
          icon={<IconPlugConnected size={26} stroke={1.5} />}
          title={empty.title}
          action={<AddConnection kind={oneKind} />}
        >
          {empty.text}
        </EmptyState>
      ) : (
        <>
          <div className={classes.cards}>
            {rows.slice(0, most).map((connection) => (
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
          {rows.length > most && (
            <div className={classes.rest}>
              <Button variant="default" onClick={() => setMost(most + atOnce)}>
                Mostrar mais {Math.min(atOnce, rows.length - most)}
              </Button>
            </div>
          )}
        </>
      )}

      <ProviderGallery
        opened={opened === 'novo' && !kind}
        title="Qual canal você quer adicionar?"
        providers={Object.values(channels).filter(
          ({ kind }) => kinds.includes(kind) && (allowed?.includes(kind) ?? true),
        )}
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
        {deleting && <FlowsNaming ids={[deleting.id]} />}
      </ConfirmDelete>
    </>
  )
}
