import { PauseReasons } from '../../../features/people/settings/pause-reasons.tsx'
import { SettingSection } from '../../../features/people/settings/setting-row.tsx'
import { SettingsPage } from './settings-page.tsx'

export default function PausasScreen() {
  return (
    <SettingsPage title="Pausas da equipe" purpose="Por que alguém se afasta por uns minutos.">
      {({ settings, problems, save }) => (
        <SettingSection title="Motivos">
          <PauseReasons reasons={settings.pauseReasons} problem={problems.pauseReasons} save={save} />
        </SettingSection>
      )}
    </SettingsPage>
  )
}
