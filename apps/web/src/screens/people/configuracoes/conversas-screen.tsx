import { Maintenance } from '../../../features/people/settings/maintenance.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { SettingsPage, SwitchSection } from './settings-page.tsx'

export default function ConversasScreen() {
  const canForce = useCan('tickets.force')
  return (
    <SettingsPage title="Conversas e mensagens" purpose="Como a equipe atende e o que vai com cada mensagem.">
      {(props) => (
        <>
          <SwitchSection section="atendimento" {...props} />
          <SwitchSection section="mensagens" {...props} />
          {canForce && <Maintenance />}
        </>
      )}
    </SettingsPage>
  )
}
