import { farewellResourceOfGroups } from '@balcao/contract/operations/group-rules.ts'
import { SayingScreen } from './saying-screen.tsx'

export default function DespedidaScreen() {
  return (
    <SayingScreen
      resource={farewellResourceOfGroups}
      title="Despedida dos grupos"
      purpose="Dita quando alguém sai de um grupo por conta própria; não de quem uma regra removeu."
      emptyText="Diga até logo a quem sai."
      createLabel="Criar despedida"
      logOf="farewell"
      example="{{name}} saiu do {{group}}. Até a próxima!"
    />
  )
}
