import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconCalendarClock, IconCheck, IconChevronUp, IconClock, IconSend2 } from '@tabler/icons-react'
import { savePreferences } from '../../../kit/preferences.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { nowMs } from '../../../ui/server-time.ts'
import { Shortcut } from '../../../ui/shortcut.tsx'
import { presetsAt } from '../../operations/schedules/presets.ts'
import classes from './composer.module.css'

type Props = {
  label: string
  isNote: boolean
  isReady: boolean
  /** What else may be done with a message; a note and a correction go at once. */
  menu?: Omit<MenuProps, 'isReady'>
  onSend: () => void
}

/** Sends; beside it, when and how else. */
export const SendButton = ({ label, isNote, isReady, menu, onSend }: Props) => (
  <span className={classes.sending}>
    <Button
      size="sm"
      color={isNote ? 'blue' : undefined}
      disabled={!isReady}
      aria-label={label}
      rightSection={<IconSend2 size={17} stroke={1.75} aria-hidden />}
      onClick={onSend}
      className={classes.send}
      data-options={menu !== undefined}
    >
      <span className={classes.sendLabel}>{label}</span>
    </Button>
    {menu && <SendMenu isReady={isReady} {...menu} />}
  </span>
)

type MenuProps = {
  isReady: boolean
  onSendNow: () => void
  onSendAndClose?: () => void
  /** At this time of the company's clock, or at one still to be chosen. Left out where the person may not schedule. */
  onSchedule?: (wall?: string) => void
  /** Why it might not be delivered at its time. */
  scheduleNote?: string
}

const SendMenu = ({ isReady, onSendNow, onSendAndClose, onSchedule, scheduleNote }: MenuProps) => {
  const { configs, tenant } = useCurrentSession().user
  return (
    <Menu position="top-end" width={270}>
      <Menu.Target>
        <ActionIcon
          aria-label="Opções de envio"
          className={classes.sendOptions}
          color="accent"
          variant={isReady ? 'filled' : 'light'}
          size={34}
        >
          <IconChevronUp size={16} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={!isReady}
          leftSection={<IconSend2 size={17} aria-hidden />}
          rightSection={<Shortcut keys={['Ctrl', 'Enter']} />}
          onClick={onSendNow}
        >
          Enviar agora
        </Menu.Item>
        {onSendAndClose && (
          <Menu.Item
            disabled={!isReady}
            leftSection={<IconCheck size={17} aria-hidden />}
            rightSection={<Shortcut keys={['Ctrl', 'Shift', 'Enter']} />}
            onClick={onSendAndClose}
          >
            Enviar e encerrar
          </Menu.Item>
        )}
        {onSchedule && (
          <>
            <Menu.Divider />
            <Menu.Label>
              Agendar envio
              {scheduleNote && <span className={classes.menuNote}>{scheduleNote}</span>}
            </Menu.Label>
            {presetsAt(nowMs(), tenant.timezone).map(({ label, wall }) => (
              <Menu.Item
                key={label}
                disabled={!isReady}
                leftSection={<IconClock size={17} aria-hidden />}
                onClick={() => onSchedule(wall)}
              >
                {label}
              </Menu.Item>
            ))}
            <Menu.Item
              leftSection={<IconCalendarClock size={17} aria-hidden />}
              disabled={!isReady}
              onClick={() => onSchedule()}
            >
              Escolher data e hora
            </Menu.Item>
          </>
        )}
        <Menu.Divider />
        <Menu.CheckboxItem
          checked={configs.undoSend}
          onChange={() => void savePreferences({ undoSend: !configs.undoSend })}
        >
          Esperar 5 s para poder desfazer
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  )
}
