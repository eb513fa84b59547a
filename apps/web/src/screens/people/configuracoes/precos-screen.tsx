import { MessageCosts } from '../../../features/people/settings/message-costs.tsx'
import { TemplatePrices } from '../../../features/people/settings/template-prices.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { SettingsPage } from './settings-page.tsx'

export default function PrecosScreen() {
  const maySeeCosts = useCan('connections.write')
  return (
    <SettingsPage
      title="Preço dos modelos"
      purpose="Quanto custam as mensagens do WhatsApp oficial, e o que elas já custaram."
    >
      {({ settings, problems, save }) => (
        <>
          <TemplatePrices prices={settings.templatePrices} problem={problems.templatePrices} save={save} />
          {maySeeCosts && <MessageCosts />}
        </>
      )}
    </SettingsPage>
  )
}
