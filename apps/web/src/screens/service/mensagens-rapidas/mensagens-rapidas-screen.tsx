import { useUrlState } from '../../../kit/url-state.ts'
import { MacrosTab } from './macros-tab.tsx'
import { QuickMessagesTab } from './quick-messages-tab.tsx'

/** What is kept ready: texts, and series of steps. */
export default function MensagensRapidasScreen() {
  const [tab] = useUrlState('aba')
  return tab === 'macros' ? <MacrosTab key="macros" /> : <QuickMessagesTab key="mensagens" />
}
