import { Popover, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useUnread } from '../../features/operations/notifications/api.ts'
import { PopoverPanel } from '../../ui/popover-panel.tsx'
import menu from './menu.module.css'

const NotificationList = lazy(async () => ({
  default: (await import('../../features/operations/notifications/notification-list.tsx')).NotificationList,
}))

/** What happened while the eyes were elsewhere, newest first. */
export const AlertsBell = ({ isOpen }: { isOpen: boolean }) => {
  const [opened, setOpened] = useState(false)
  const unread = useUnread()
  const label = unread ? `Notificações, ${unread} ${unread === 1 ? 'não lida' : 'não lidas'}` : 'Notificações'
  return (
    <Popover opened={opened} onChange={setOpened} position="right-end" width={400} trapFocus returnFocus>
      <Tooltip label="Notificações" position="right" disabled={isOpen || opened}>
        <Popover.Target>
          <UnstyledButton className={menu.entry} onClick={() => setOpened(!opened)}>
            <VisuallyHidden>{label}</VisuallyHidden>
            <IconBell size={18} stroke={1.75} aria-hidden />
            {unread > 0 && (
              <span aria-hidden className={`${menu.count} tabular`}>
                {unread > 99 ? '99+' : unread}
              </span>
            )}
            {isOpen && (
              <span aria-hidden className="truncate">
                Notificações
              </span>
            )}
          </UnstyledButton>
        </Popover.Target>
      </Tooltip>
      <PopoverPanel label="Notificações" p={0}>
        <Suspense fallback={null}>
          <NotificationList onClose={() => setOpened(false)} />
        </Suspense>
      </PopoverPanel>
    </Popover>
  )
}
