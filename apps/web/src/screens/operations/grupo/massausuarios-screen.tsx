import { BulkActs } from './bulk-acts.tsx'
import { GroupsScreen } from './groups-screen.tsx'

const acts = ['add', 'remove', 'promote', 'demote'] as const

/** People of many groups at once. */
export default function MassausuariosScreen() {
  return (
    <GroupsScreen
      title="Pessoas dos grupos"
      purpose="Adicione, remova e escolha administradores em vários grupos de uma vez."
      bulk={(meant, done) => <BulkActs kinds={acts} meant={meant} done={done} />}
    />
  )
}
