import { useUrlState } from '../../../kit/url-state.ts'
import { ActionLog } from './acao-log.tsx'
import { PipelineActions } from './acao-pipeline.tsx'
import { TicketActions } from './acao-ticket.tsx'

/** What happens by itself: by days in a stage, by the silence of a customer, and what was done so. */
export default function AcaoScreen() {
  const [part] = useUrlState('parte', 'etapas')
  if (part === 'silencio') return <TicketActions key="silencio" />
  return part === 'registro' ? <ActionLog key="registro" /> : <PipelineActions key="etapas" />
}
