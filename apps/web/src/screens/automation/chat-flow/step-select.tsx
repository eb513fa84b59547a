import { isDrawing } from '@balcao/contract/automation/flows/graph.ts'
import { titleOf } from '@balcao/contract/automation/flows/problems.ts'
import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { useBuilder, useDesk } from '../../../features/automation/flows/builder-context.ts'
import { wordsOfNode } from '../../../features/automation/flows/words.ts'

type Props = Omit<SelectProps, 'value' | 'onChange' | 'data'> & { value: string; onChange: (id: string) => void }

/** Another step of this flow; empty: none. */
export const StepSelect = ({ value, onChange, ...rest }: Props) => {
  const { desk, marks } = useBuilder()
  const [isAsked, setAsked] = useState(false)
  const chosen = useDesk(desk, ({ nodes }) => nodes.get(value))
  // Hundreds of steps for each way of a step: only where somebody is about to choose.
  const all = useDesk(desk, ({ nodes }) => (isAsked ? nodes : null))
  const steps = all ? [...all.values()] : chosen ? [chosen] : []
  const data = steps
    .filter(({ kind }) => kind !== 'start' && !isDrawing(kind))
    .map((node) => {
      const words = wordsOfNode(node, marks.get().nameOf, () => undefined).slice(0, 40)
      return { value: node.id, label: words ? `${titleOf(node)} · ${words}` : titleOf(node) }
    })
  return (
    <Select
      searchable
      clearable
      limit={200}
      nothingFoundMessage="Nenhum passo com estas palavras"
      clearButtonProps={{ 'aria-label': 'Limpar' }}
      data={data}
      value={chosen ? value : null}
      onFocus={() => setAsked(true)}
      onBlur={() => setAsked(false)}
      onChange={(id) => onChange(id ?? '')}
      {...rest}
    />
  )
}
