import { SegmentedControl } from '@mantine/core'
import { useSearchParams } from 'react-router'

const tabs = [
  { value: 'mensagens', label: 'Mensagens' },
  { value: 'macros', label: 'Macros' },
]

/** What is written by a word in the composer, and what is done by one. */
export const LibraryTabs = ({ value }: { value: 'mensagens' | 'macros' }) => {
  const [, setParams] = useSearchParams()
  return (
    <SegmentedControl
      aria-label="O que mostrar"
      data={tabs}
      value={value}
      onChange={(next) => setParams(next === 'macros' ? { aba: next } : {})}
    />
  )
}
