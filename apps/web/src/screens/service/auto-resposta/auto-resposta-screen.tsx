import { useUrlState } from '../../../kit/url-state.ts'
import { ChoicesTab } from './choices-tab.tsx'
import { RulesTab } from './rules-tab.tsx'

/** What answers by itself to certain words, and what it answered. */
export default function AutoRespostaScreen() {
  const [tab] = useUrlState('aba')
  return tab === 'respondidas' ? <ChoicesTab key="respondidas" /> : <RulesTab key="respostas" />
}
