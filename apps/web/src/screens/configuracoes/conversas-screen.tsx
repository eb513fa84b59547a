import { SettingsPage, SwitchSection } from './settings-page.tsx'

export default function ConversasScreen() {
  return (
    <SettingsPage title="Conversas e mensagens" purpose="Como a equipe atende e o que vai com cada mensagem.">
      {(props) => (
        <>
          <SwitchSection section="atendimento" {...props} />
          <SwitchSection section="mensagens" {...props} />
        </>
      )}
    </SettingsPage>
  )
}
