import { ClosingSettings } from '../../../features/people/settings/closing-settings.tsx'
import { SettingsPage, SwitchSection } from './settings-page.tsx'

export default function EncerramentoScreen() {
  return (
    <SettingsPage title="Encerramento" purpose="Quando e como uma conversa termina.">
      {(props) => (
        <SwitchSection section="encerramento" {...props}>
          <ClosingSettings {...props} />
        </SwitchSection>
      )}
    </SettingsPage>
  )
}
