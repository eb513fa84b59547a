import { SettingsPage, SwitchSection } from './settings-page.tsx'

export default function VisibilidadeScreen() {
  return (
    <SettingsPage title="Quem vê cada conversa" purpose="O que aparece na lista de cada pessoa da equipe.">
      {(props) => <SwitchSection section="visibilidade" {...props} />}
    </SettingsPage>
  )
}
