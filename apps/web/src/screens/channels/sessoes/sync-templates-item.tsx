import type { Connection } from '@balcao/contract/channels/connections.ts'
import { Menu } from '@mantine/core'
import { IconTemplate } from '@tabler/icons-react'
import { syncedText, useSyncTemplates } from '../../../features/conversations/templates/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'

/** Asks Meta for the templates of a connection, from its card's menu. */
export const SyncTemplatesItem = ({ connection }: { connection: Pick<Connection, 'id' | 'name'> }) => {
  const sync = useSyncTemplates()
  return (
    <Menu.Item
      leftSection={<IconTemplate size={16} aria-hidden />}
      // The menu is gone when the answer comes: the promise tells, not the component.
      onClick={() =>
        void sync
          .mutateAsync(connection.id)
          .then((outcome) => notify.success(`${connection.name}: ${syncedText(outcome)}`))
          .catch((error: unknown) => notify.error(`${connection.name}: ${messageOf(error)}`))
      }
    >
      Atualizar modelos
    </Menu.Item>
  )
}
