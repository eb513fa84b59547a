import { useParams } from 'react-router'
import { CampaignScreen } from './campaign-screen.tsx'
import { CampaignsView } from './campaigns-view.tsx'

/** The campaigns of the company, and one of them: while it is written, and while it runs. */
export default function CampanhasScreen() {
  const { campanhaId } = useParams()
  return campanhaId ? <CampaignScreen key={campanhaId} id={campanhaId} /> : <CampaignsView />
}
