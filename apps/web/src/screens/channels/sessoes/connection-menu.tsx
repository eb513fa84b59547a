import type { Connection } from '@balcao/contract/channels/connections.ts'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconBuildingStore,
  IconDots,
  IconNotebook,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlugConnected,
  IconPlugConnectedX,
  IconRefresh,
  IconStar,
  IconTrash,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useTurnConnection } from '../../../features/channels/connections/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { notify } from '../../../ui/notify.ts'
import { SyncTemplatesItem } from './sync-templates-item.tsx'

const AccountDrawer = lazy(async () => ({ default: (await import('./account-drawer.tsx')).AccountDrawer }))

type Props = { connection: Connection; onTest: () => void; onDelete: () => void }

/** What can be done with a channel besides its settings. */
export const ConnectionMenu = ({ connection, onTest, onDelete }: Props) => {
  const { id, name, abilities, isDefault, stoppedAt, version } = connection
  const mayRead = useCan('journal.read')
  const [asking, setAsking] = useState<'stop' | 'unlink' | null>(null)
  const [isShowingAccount, setShowingAccount] = useState(false)
  const turn = useTurnConnection()
  const isLinked = abilities.supports.includes('link')

  const take = (asked: Parameters<typeof turn.mutate>[0], done: string) =>
    turn.mutate(asked, {
      onSuccess: () => notify.success(`${name}: ${done}`),
      onError: (error) => notify.error(messageOf(error)),
      onSettled: () => setAsking(null),
    })

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={`Mais ações de ${name}`} loading={turn.isPending}>
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isLinked && (
            <Menu.Item leftSection={<IconPlugConnected size={16} aria-hidden />} onClick={onTest}>
              Testar
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={stoppedAt ? <IconPlayerPlay size={16} aria-hidden /> : <IconRefresh size={16} aria-hidden />}
            onClick={() => take({ id, to: 'start' }, stoppedAt ? 'iniciado.' : 'reiniciado.')}
          >
            {stoppedAt ? 'Iniciar' : 'Reiniciar'}
          </Menu.Item>
          {!stoppedAt && (
            <Menu.Item leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={() => setAsking('stop')}>
              Parar
            </Menu.Item>
          )}
          {!isDefault && (
            <Menu.Item
              leftSection={<IconStar size={16} aria-hidden />}
              onClick={() => take({ id, to: 'default', version }, 'agora é o canal padrão.')}
            >
              Tornar padrão
            </Menu.Item>
          )}
          {abilities.supports.includes('businessAccount') && (
            <Menu.Item
              leftSection={<IconBuildingStore size={16} aria-hidden />}
              onClick={() => setShowingAccount(true)}
            >
              Perfil e número
            </Menu.Item>
          )}
          {abilities.supports.includes('template') && <SyncTemplatesItem connection={connection} />}
          {mayRead && (
            <Menu.Item
              component={Link}
              to={`/sessoes/${id}/diario`}
              leftSection={<IconNotebook size={16} aria-hidden />}
            >
              Diário
            </Menu.Item>
          )}
          <Menu.Divider />
          {isLinked && (
            <Menu.Item
              c="red"
              leftSection={<IconPlugConnectedX size={16} aria-hidden />}
              onClick={() => setAsking('unlink')}
            >
              Desconectar telefone
            </Menu.Item>
          )}
          <Menu.Item c="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
            Excluir
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isShowingAccount && (
        <Suspense fallback={null}>
          <AccountDrawer connection={connection} onClose={() => setShowingAccount(false)} />
        </Suspense>
      )}
      <ConfirmDialog
        opened={asking === 'stop'}
        title={`Parar ${name}?`}
        confirmLabel="Parar"
        busy={turn.isPending}
        onConfirm={() => take({ id, to: 'stop' }, 'parado.')}
        onClose={() => setAsking(null)}
      >
        O que vocês escreverem fica na fila até o canal ser iniciado de novo.
        {isLinked && ' O telefone continua conectado.'}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'unlink'}
        title={`Desconectar o telefone de ${name}?`}
        confirmLabel="Desconectar"
        tone="danger"
        busy={turn.isPending}
        onConfirm={() => take({ id, to: 'unlink' }, 'telefone desconectado.')}
        onClose={() => setAsking(null)}
      >
        Para voltar a atender, será preciso ler um novo código. As conversas continuam no histórico.
      </ConfirmDialog>
    </>
  )
}
