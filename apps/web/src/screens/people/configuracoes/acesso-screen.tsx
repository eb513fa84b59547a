import { SettingsPage, SwitchSection } from './settings-page.tsx'

export default function AcessoScreen() {
  return (
    <SettingsPage title="Acesso e suporte" purpose="Quem cria usuários e quem de fora pode entrar.">
      {(props) => <SwitchSection section="acesso" {...props} />}
    </SettingsPage>
  )
}
