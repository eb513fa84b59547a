import { SegmentedControl } from '@mantine/core'
import { useSearchParams } from 'react-router'

const tabs = [
  { value: 'respostas', label: 'Respostas' },
  { value: 'respondidas', label: 'O que foi respondido' },
]

export const AutoReplyTabs = ({ value }: { value: 'respostas' | 'respondidas' }) => {
  const [, setParams] = useSearchParams()
  return (
    <SegmentedControl
      aria-label="O que mostrar"
      data={tabs}
      value={value}
      onChange={(next) => setParams(next === 'respondidas' ? { aba: next } : {})}
    />
  )
}
