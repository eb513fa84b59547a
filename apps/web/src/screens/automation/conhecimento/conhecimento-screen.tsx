import { SegmentedControl } from '@mantine/core'
import { useParams, useSearchParams } from 'react-router'
import { useUrlState } from '../../../kit/url-state.ts'
import { BaseList } from './base-list.tsx'
import { BaseScreen } from './base-screen.tsx'
import { GapsTab } from './gaps-tab.tsx'
import { SearchTab } from './search-tab.tsx'

const tabs = [
  { value: 'bases', label: 'Bases' },
  { value: 'busca', label: 'Experimentar' },
  { value: 'lacunas', label: 'Sem resposta' },
]
const Tabs = ({ value }: { value: string }) => {
  const [, setParams] = useSearchParams()
  return (
    <SegmentedControl
      aria-label="O que mostrar"
      data={tabs}
      value={value}
      onChange={(next) => setParams(next === 'bases' ? {} : { aba: next })}
    />
  )
}

/** What assistants know: bases and their sources, a search to try, and what was asked and nothing answered. */
export default function ConhecimentoScreen() {
  const { baseId } = useParams()
  const [tab] = useUrlState('aba', 'bases')
  if (baseId) return <BaseScreen key={baseId} baseId={baseId} />
  if (tab === 'busca') return <SearchTab tabs={<Tabs value={tab} />} />
  if (tab === 'lacunas') return <GapsTab tabs={<Tabs value={tab} />} />
  return <BaseList tabs={<Tabs value="bases" />} />
}
