import { type NoticeWay, noticeWays } from '@balcao/contract/operations/notices.ts'
import {
  type NoticePreferences,
  type NotificationKind,
  notificationKinds,
  notificationTitles,
} from '@balcao/contract/operations/notifications.ts'
import { Button, Checkbox, Group, Switch, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { savePreferences } from '../../../kit/preferences.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { TimeInput } from '../../core/hours/time-input.tsx'
import { SettingRow } from '../../people/settings/setting-row.tsx'
import { type DeviceState, disableDevice, enableDevice, useDevice } from './device.ts'
import classes from './notice-settings.module.css'

/** Meu perfil → Notificações: this device, quiet hours, and what is told how. */
export const NoticeSettings = () => {
  const { notices } = useCurrentSession().user.configs
  const top = useRef<HTMLSpanElement>(null)
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bell leads here again from here
  useEffect(() => {
    if (hash === '#notificacoes') top.current?.scrollIntoView()
  }, [hash, key])
  const save = (patch: Partial<NoticePreferences>) => void savePreferences({ notices: { ...notices, ...patch } })
  return (
    <>
      <DeviceSetting label={<span ref={top}>Avisos neste aparelho</span>} />
      <QuietSetting quiet={notices.quiet} onChange={(quiet) => save({ quiet })} />
      <SettingRow
        label="O que avisar, e como"
        help="O computador e o celular avisam quando nenhuma janela está à vista."
        below
      >
        <Matrix notices={notices} onChange={(off) => save({ off })} />
      </SettingRow>
    </>
  )
}

const deviceTexts: Record<DeviceState, string> = {
  unsupported: 'Este navegador não mostra avisos. No iPhone e no iPad, adicione o sistema à tela de início antes.',
  unasked: 'Avisa quando a janela não está à vista, mesmo fechada. O navegador vai pedir a sua permissão.',
  denied: 'O navegador está bloqueando. Libere as notificações no cadeado ao lado do endereço.',
  off: 'Desligado neste aparelho.',
  on: 'Ligado neste aparelho, até você sair.',
}
const DeviceSetting = ({ label }: { label: ReactNode }) => {
  const state = useDevice()
  return (
    <SettingRow label={label} help={deviceTexts[state]}>
      {(state === 'unasked' || state === 'off') && (
        <Button variant="default" onClick={() => void enableDevice()}>
          Receber avisos
        </Button>
      )}
      {state === 'on' && (
        <Button variant="default" onClick={() => void disableDevice()}>
          Desligar aqui
        </Button>
      )}
    </SettingRow>
  )
}

type Quiet = NoticePreferences['quiet']
const night = { from: '20:00', to: '07:00' }
const QuietSetting = ({ quiet, onChange }: { quiet: Quiet; onChange: (next: Quiet) => void }) => (
  <SettingRow
    id="notices-quiet"
    label="Horário de silêncio"
    help="Sem som e sem avisos no computador ou no celular. O sino continua guardando tudo."
  >
    <Group gap="xs" wrap="nowrap">
      {quiet && (
        <>
          <TimeInput
            label="Silêncio a partir de"
            value={quiet.from}
            onChange={(from) => onChange({ ...quiet, from })}
          />
          <Text size="sm" c="dimmed">
            até
          </Text>
          <TimeInput label="Silêncio até" value={quiet.to} onChange={(to) => onChange({ ...quiet, to })} />
        </>
      )}
      <Switch
        id="notices-quiet"
        aria-describedby="notices-quiet-help"
        checked={quiet !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? night : null)}
      />
    </Group>
  </SettingRow>
)

const wayNames: Record<NoticeWay, string> = { bell: 'Sino', desktop: 'Computador', push: 'Celular', sound: 'Som' }
type Off = NoticePreferences['off']

const Matrix = ({ notices: { off }, onChange }: { notices: NoticePreferences; onChange: (next: Off) => void }) => {
  const toggle = (kind: NotificationKind, way: NoticeWay) => {
    const now = off[kind] ?? []
    onChange({ ...off, [kind]: now.includes(way) ? now.filter((one) => one !== way) : [...now, way] })
  }
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Aviso</th>
          {noticeWays.map((way) => (
            <th key={way} scope="col">
              {wayNames[way]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {notificationKinds.map((kind) => (
          <tr key={kind}>
            <th scope="row">{notificationTitles[kind]}</th>
            {noticeWays.map((way) => (
              <td key={way}>
                <Checkbox
                  className={classes.box}
                  aria-label={`${notificationTitles[kind]}: ${wayNames[way]}`}
                  checked={!off[kind]?.includes(way)}
                  onChange={() => toggle(kind, way)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
