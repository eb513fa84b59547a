import { tenantSettings } from '@balcao/contract/people/settings.ts'
import { TagsInput } from '@mantine/core'
import { writeSettings } from './api.ts'
import { SettingRow } from './setting-row.tsx'
import type { Save } from './use-auto-save.ts'

type Props = { reasons: string[]; problem?: string; save: Save }

/** Why people step away: what the menu of each person offers. */
export const PauseReasons = ({ reasons, problem, save }: Props) => (
  <SettingRow
    id="setting-pauseReasons"
    label="Motivos de pausa"
    help="O que cada pessoa escolhe ao entrar em pausa. Sem nenhum, ela escreve o motivo."
    problem={problem}
    below
  >
    <TagsInput
      id="setting-pauseReasons"
      aria-describedby="setting-pauseReasons-help"
      placeholder="Escreva e tecle Enter"
      maxTags={30}
      value={reasons}
      onChange={(next) => {
        const pauseReasons = next.map((one) => one.trim().slice(0, 40)).filter(Boolean)
        if (!tenantSettings.shape.pauseReasons.safeParse(pauseReasons).success) return
        void save({
          at: 'pauseReasons',
          done: 'Motivos de pausa salvos.',
          patch: { pauseReasons },
          write: writeSettings,
        })
      }}
    />
  </SettingRow>
)
