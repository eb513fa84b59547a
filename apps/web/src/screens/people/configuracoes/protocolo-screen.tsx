import { ProtocolSettings } from '../../../features/people/settings/closing-settings.tsx'
import { SettingsPage } from './settings-page.tsx'

export default function ProtocoloScreen() {
  return (
    <SettingsPage title="Protocolo" purpose="O que o cliente recebe para acompanhar o atendimento.">
      {(props) => <ProtocolSettings {...props} />}
    </SettingsPage>
  )
}
