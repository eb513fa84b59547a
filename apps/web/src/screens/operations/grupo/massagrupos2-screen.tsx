import { BulkActs } from './bulk-acts.tsx'
import { GroupsScreen } from './groups-screen.tsx'

const acts = ['title', 'description', 'picture', 'adminsOnly'] as const

/** Names, descriptions, pictures and who may write, of many groups at once. */
export default function Massagrupos2Screen() {
  return (
    <GroupsScreen
      title="Alterar grupos"
      purpose="Troque nome, descrição, foto e quem pode escrever em vários grupos de uma vez."
      bulk={(meant, done) => <BulkActs kinds={acts} meant={meant} done={done} />}
    />
  )
}
