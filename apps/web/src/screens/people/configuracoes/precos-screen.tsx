import { TemplatePrices } from '../../../features/people/settings/template-prices.tsx'
import { SettingsPage } from './settings-page.tsx'

export default function PrecosScreen() {
  return (
    <SettingsPage title="Preço dos modelos" purpose="Quanto custa iniciar uma conversa pelo WhatsApp.">
      {({ settings, problems, save }) => (
        <TemplatePrices prices={settings.templatePrices} problem={problems.templatePrices} save={save} />
      )}
    </SettingsPage>
  )
}
