import { Switch } from '@mantine/core'
import { writeSettings } from './api.ts'
import type { SwitchCard } from './catalogue.ts'
import { SettingRow } from './setting-row.tsx'
import type { Save } from './use-auto-save.ts'

type Props = { card: SwitchCard; value: boolean; problem?: string; save: Save }

export const SwitchSetting = ({ card, value, problem, save }: Props) => {
  const id = `setting-${card.name}`
  const handleChange = (next: boolean) =>
    void save({
      at: card.name,
      done: `${card.label}: ${next ? 'ligado' : 'desligado'}.`,
      patch: { [card.name]: next },
      write: writeSettings,
    })
  return (
    <SettingRow id={id} label={card.label} help={card.help} effect={value ? card.on : card.off} problem={problem}>
      <Switch
        id={id}
        aria-describedby={`${id}-help`}
        checked={value}
        onChange={(event) => handleChange(event.currentTarget.checked)}
      />
    </SettingRow>
  )
}
