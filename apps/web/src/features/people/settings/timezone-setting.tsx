import { Select } from '@mantine/core'
import { formatTime } from '../../../kit/format.ts'
import { useNow } from '../../../ui/clock.ts'
import { timezoneOptions } from '../../core/pickers/timezones.ts'
import { writeTimezone } from './api.ts'
import { SettingRow } from './setting-row.tsx'
import classes from './settings.module.css'
import type { Save } from './use-auto-save.ts'

type Props = { timezone: string; problem?: string; save: Save }

/** The clock of every date on the screen and of the business hours. */
export const TimezoneSetting = ({ timezone, problem, save }: Props) => {
  const now = useNow()
  const change = (next: string) =>
    void save({ at: 'timezone', done: 'Fuso horário salvo.', patch: { timezone: next }, write: writeTimezone })
  return (
    <SettingRow
      id="setting-timezone"
      label="Fuso horário"
      help="Vale para datas e horas na tela e para o horário de atendimento."
      effect={`Agora são ${formatTime(new Date(now))} na empresa.`}
      problem={problem}
    >
      <Select
        id="setting-timezone"
        className={classes.wide}
        data={timezoneOptions(timezone)}
        value={timezone}
        onChange={(next) => next && next !== timezone && change(next)}
        allowDeselect={false}
        searchable
      />
    </SettingRow>
  )
}
