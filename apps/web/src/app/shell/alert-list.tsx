import { ActionIcon, Button, Group, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { IconBell, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { type Alert, clearAlerts, readAlerts, useAlerts } from '../../kit/alerts.ts'
import { savePreferences } from '../../kit/preferences.ts'
import { useCurrentSession } from '../../kit/session.ts'
import { useGo } from '../../kit/use-go.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import classes from './alert-list.module.css'

/** The notifications themselves; loaded when first opened. */
export const AlertList = ({ onClose }: { onClose: () => void }) => {
  const alerts = useAlerts()
  const sound = useCurrentSession().user.configs.sound
  const go = useGo()
  const handleOpen = (alert: Alert, event: MouseEvent) => {
    readAlerts(alert.id)
    go(alert.to(), event)
    onClose()
  }
  return (
    <>
      <Group justify="space-between" px="md" py="xs" className={classes.head}>
        <Text fw={600}>Notificações</Text>
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
      {alerts.length === 0 ? (
        <EmptyState icon={<IconBell size={26} stroke={1.5} />} title="Nenhum aviso novo">
          Novas conversas e mensagens para você aparecem aqui.
        </EmptyState>
      ) : (
        <>
          <div className={classes.list}>
            {alerts.map((alert) => (
              <UnstyledButton
                key={alert.id}
                className={classes.alert}
                data-unread={!alert.isRead}
                onClick={(event) => handleOpen(alert, event)}
              >
                <span className={classes.line}>
                  <span className="truncate">{alert.title}</span>
                  <RelativeTime moment={alert.at} className={classes.time} />
                </span>
                <span className={`truncate ${classes.body}`}>{alert.body}</span>
              </UnstyledButton>
            ))}
          </div>
          <Group justify="space-between" px="xs" py={6} className={classes.foot}>
            <Button variant="subtle" size="xs" onClick={() => readAlerts()}>
              Marcar como lidas
            </Button>
            <Button variant="subtle" color="gray" size="xs" onClick={clearAlerts}>
              Limpar
            </Button>
          </Group>
        </>
      )}
    </>
  )
}
