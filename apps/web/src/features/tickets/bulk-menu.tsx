import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconArrowsExchange, IconCheck, IconListCheck, IconMailOpened, IconPlugConnected } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useCan } from '../../kit/use-can.ts'
import type { BulkAction } from './bulk-dialog.tsx'

const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }))

const actions: { key: BulkAction; label: string; icon: typeof IconCheck; isForced: boolean }[] = [
  { key: 'read', label: 'Marcar tudo como lido', icon: IconMailOpened, isForced: false },
  { key: 'close', label: 'Encerrar atendimentos', icon: IconCheck, isForced: true },
  { key: 'queue', label: 'Transferir entre filas', icon: IconArrowsExchange, isForced: true },
  { key: 'channel', label: 'Mover de canal', icon: IconPlugConnected, isForced: true },
]

/** What can be done to many conversations at once, by who may. */
export const BulkMenu = () => {
  const canWork = useCan('tickets.write')
  const canForce = useCan('tickets.force')
  const [action, setAction] = useState<BulkAction | null>(null)
  if (!canWork) return null
  return (
    <>
      <Menu position="bottom-end" width={230} withInitialFocusPlaceholder={false}>
        <Tooltip label="Ações em massa">
          <Menu.Target>
            <ActionIcon aria-label="Ações em massa">
              <IconListCheck size={19} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
        </Tooltip>
        <Menu.Dropdown>
          {actions
            .filter(({ isForced }) => canForce || !isForced)
            .map(({ key, label, icon: Icon }) => (
              <Menu.Item
                key={key}
                leftSection={<Icon size={17} stroke={1.75} aria-hidden />}
                onClick={() => setAction(key)}
              >
                {label}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>{action && <BulkDialog action={action} onClose={() => setAction(null)} />}</Suspense>
    </>
  )
}
