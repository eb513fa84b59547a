import { SlaPanel } from '../../../features/people/settings/sla-panel.tsx'
import { SettingsPage } from './settings-page.tsx'

export default function PrazosScreen() {
  return (
    <SettingsPage
      title="Prazos (SLA)"
      purpose="Em quanto tempo a empresa responde e resolve. As mudanças valem depois de salvas."
      isSavedAtOnce={false}
    >
      {({ settings, problems, save }) => (
        <SlaPanel targets={settings.slaTargets} problem={problems.slaTargets} save={save} />
      )}
    </SettingsPage>
  )
}
