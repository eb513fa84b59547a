import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconArrowsExchange, IconCheck, IconListCheck, IconMailOpened, IconPlugConnected } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { useCan } from '../../../kit/use-can.ts'
import type { BulkAction } from './bulk-dialog.tsx'

const BulkDialog = lazyPart(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }))

const actions: { key: BulkAction; label: string; icon: typeof IconCheck; can: 'tickets.markAll' | 'tickets.force' }[] =
  [
    { key: 'read', label: 'Marcar tudo como lido', icon: IconMailOpened, can: 'tickets.markAll' },
    { key: 'close', label: 'Encerrar atendimentos', icon: IconCheck, can: 'tickets.force' },
    { key: 'queue', label: 'Transferir entre filas', icon: IconArrowsExchange, can: 'tickets.force' },
    { key: 'channel', label: 'Mover de canal', icon: IconPlugConnected, can: 'tickets.force' },
  ]

/** What can be done to many conversations at once, by who may. */
export const BulkMenu = () => {
  const may = { 'tickets.markAll': useCan('tickets.markAll'), 'tickets.force': useCan('tickets.force') }
  const offered = actions.filter(({ can }) => may[can])
  const [action, setAction] = useState<BulkAction | null>(null)
  if (!offered.length) return null
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
          {offered.map(({ key, label, icon: Icon }) => (
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
      <Opened onLost={() => setAction(null)}>
        {action && <BulkDialog action={action} onClose={() => setAction(null)} />}
      </Opened>
    </>
  )
}
