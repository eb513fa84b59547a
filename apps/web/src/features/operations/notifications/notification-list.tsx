import type { Notification } from '@balcao/contract/operations/notifications.ts'
import { ActionIcon, Button, Group, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { IconBell, IconSettings, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { messageOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { savePreferences } from '../../../kit/preferences.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useGo } from '../../../kit/use-go.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { notificationList, readNotifications, useUnread } from './api.ts'
import { DeviceLine } from './device-line.tsx'
import { linkOf } from './link.ts'
import classes from './notification-list.module.css'

/** The notifications themselves; loaded when first opened. */
export const NotificationList = ({ onClose }: { onClose: () => void }) => {
  const cache = useQueryClient()
  const unread = useUnread()
  const sound = useCurrentSession().user.configs.sound
  return (
    <>
      <Group justify="space-between" wrap="nowrap" px="md" py="xs" className={classes.head}>
        <Text fw={600}>Notificações</Text>
        <Group gap={4} wrap="nowrap">
          {unread > 0 && (
            <Button variant="subtle" size="xs" onClick={() => void readNotifications(cache, {})}>
              Marcar todas como lidas
            </Button>
          )}
          <Tooltip label="Escolher os avisos">
            <ActionIcon component={Link} to="/perfil#notificacoes" aria-label="Escolher os avisos" onClick={onClose}>
              <IconSettings size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={sound ? 'Desligar som' : 'Ligar som'}>
            <ActionIcon
              aria-label={sound ? 'Desligar som' : 'Ligar som'}
              aria-pressed={sound}
              onClick={() => void savePreferences({ sound: !sound })}
            >
              {sound ? <IconVolume size={18} stroke={1.75} /> : <IconVolumeOff size={18} stroke={1.75} />}
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <DeviceLine />
      <Lines onClose={onClose} />
    </>
  )
}

const Lines = ({ onClose }: { onClose: () => void }) => {
  const cache = useQueryClient()
  const list = useInfiniteQuery(notificationList)
  const unread = useUnread()
  const go = useGo()
  if (list.isPending) return <SkeletonList rows={4} />
  if (list.isError) return <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
  const lines = list.data.pages.flatMap((page) => page.items)
  if (!lines.length)
    return (
      <EmptyState icon={<IconBell size={26} stroke={1.5} />} title="Nenhum aviso ainda">
        Novas conversas, mensagens e prazos seus aparecem aqui, em qualquer aparelho.
      </EmptyState>
    )
  const handleOpen = (line: Notification, event: MouseEvent) => {
    if (!line.readAt) void readNotifications(cache, { ids: [line.id] })
    go(linkOf(line), event)
    onClose()
  }
  return (
    <div className={classes.list}>
      {unread === 0 && lines.every((line) => line.readAt) && <div className={classes.quiet}>Nenhum aviso novo</div>}
      {lines.map((line) => (
        <UnstyledButton
          key={line.id}
          className={classes.alert}
          data-unread={!line.readAt}
          onClick={(event) => handleOpen(line, event)}
        >
          <span className={classes.line}>
            <span className="truncate">{line.title}</span>
            <RelativeTime moment={line.at} className={classes.time} />
          </span>
          <span className={`truncate ${classes.body}`}>
            {line.kind === 'message' && line.times > 1 && `${plural(line.times, 'mensagem', 'mensagens')} · `}
            {line.body}
          </span>
        </UnstyledButton>
      ))}
      {list.hasNextPage && (
        <Button variant="subtle" fullWidth loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Carregar mais
        </Button>
      )}
    </div>
  )
}
