import { useBulkActs } from './bulk-acts.tsx'
import { GroupsScreen } from './groups-screen.tsx'

/** People of many groups at once. */
export default function MassausuariosScreen() {
  const { bulk, drawer } = useBulkActs(['add', 'remove', 'promote', 'demote'])
  return (
    <GroupsScreen
      title="Pessoas dos grupos"
      purpose="Adicione, remova e escolha administradores em vários grupos de uma vez."
      bulk={bulk}
    >
      {drawer}
    </GroupsScreen>
  )
}
