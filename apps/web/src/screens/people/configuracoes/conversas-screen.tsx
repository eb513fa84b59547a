import { Maintenance } from '../../../features/people/settings/maintenance.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { FlowSetting } from './flow-setting.tsx'
import { SettingsPage, SwitchSection } from './settings-page.tsx'

export default function ConversasScreen() {
  const canFlow = useCan('flows.write')
  const canForce = useCan('tickets.force')
  return (
    <SettingsPage title="Conversas e mensagens" purpose="Como a equipe atende e o que vai com cada mensagem.">
      {(props) => (
        <>
          <SwitchSection section="atendimento" {...props}>
            {canFlow && (
              <FlowSetting
                value={props.settings.botTicketActive}
                problem={props.problems.botTicketActive}
                save={props.save}
              />
            )}
          </SwitchSection>
          <SwitchSection section="mensagens" {...props} />
          <SwitchSection section="assistentes" {...props} />
          {canForce && <Maintenance />}
        </>
      )}
    </SettingsPage>
  )
}
