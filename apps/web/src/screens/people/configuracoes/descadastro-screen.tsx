import { ConsentSettings } from '../../../features/people/settings/consent-settings.tsx'
import { SettingsPage } from './settings-page.tsx'

export default function DescadastroScreen() {
  return (
    <SettingsPage
      title="Descadastro"
      purpose="Como o cliente para de receber campanhas e pesquisas, e o que respondemos."
    >
      {(props) => <ConsentSettings {...props} />}
    </SettingsPage>
  )
}
