import { writeSettings } from '../../../features/people/settings/api.ts'
import { SettingRow } from '../../../features/people/settings/setting-row.tsx'
import settings from '../../../features/people/settings/settings.module.css'
import type { Save } from '../../../features/people/settings/use-auto-save.ts'
import { RowSelect } from '../../../features/service/actions/row-select.tsx'

type Props = { value: string | null; problem?: string; save: Save }

/** The flow that begins where neither the channel nor the queue has one of its own. */
export const FlowSetting = ({ value, problem, save }: Props) => (
  <SettingRow
    id="setting-botTicketActive"
    label="Fluxo de toda a empresa"
    help="Atende quem começa uma conversa por um canal e uma fila sem fluxo próprio. Só fluxos publicados começam."
    problem={problem}
  >
    <RowSelect
      id="setting-botTicketActive"
      names="flows"
      className={settings.wide}
      placeholder="Nenhum"
      value={value ?? ''}
      onChange={(id) =>
        void save({
          at: 'botTicketActive',
          done: id ? 'Fluxo escolhido.' : 'Nenhum fluxo começa por toda a empresa.',
          patch: { botTicketActive: id || null },
          write: writeSettings,
        })
      }
    />
  </SettingRow>
)
