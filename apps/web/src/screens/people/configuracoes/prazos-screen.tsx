import { SlaPanel } from '../../../features/people/settings/sla-panel.tsx'
import { SettingsPage } from './settings-page.tsx'

export default function PrazosScreen() {
  return (
    <SettingsPage title="Prazos (SLA)" purpose="Em quanto tempo a empresa responde e resolve.">
      {({ settings, problems, save }) => (
        <SlaPanel targets={settings.slaTargets} problem={problems.slaTargets} save={save} />
      )}
    </SettingsPage>
  )
}
