import { useBulkActs } from './bulk-acts.tsx'
import { GroupsScreen } from './groups-screen.tsx'

/** Names, descriptions, pictures and who may write, of many groups at once. */
export default function Massagrupos2Screen() {
  const { bulk, drawer } = useBulkActs(['title', 'description', 'picture', 'adminsOnly'])
  return (
    <GroupsScreen
      title="Alterar grupos"
      purpose="Troque nome, descrição, foto e quem pode escrever em vários grupos de uma vez."
      bulk={bulk}
    >
      {drawer}
    </GroupsScreen>
  )
}
