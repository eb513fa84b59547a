import { Select, Text } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { plural } from '../../../kit/format.ts'
import { userOptions, userWorkQuery } from './api.ts'

type Props = {
  /** Who leaves. */
  userIds: string[]
  value: string | null
  error?: ReactNode
  onChange: (userId: string | null) => void
}

/** How many conversations stay behind when people leave, and to whom they go. */
export const HandOverSelect = ({ userIds, value, error, onChange }: Props) => {
  const people = useQuery(userOptions)
  const works = useQueries({ queries: userIds.map(userWorkQuery) })
  if (works.some((work) => work.isPending)) return <Text size="sm">Contando as conversas…</Text>
  if (works.some((work) => work.isError))
    return <Text size="sm">Não conseguimos contar as conversas. As que houver voltam para Pendentes.</Text>
  const count = works.reduce((sum, work) => sum + (work.data?.tickets ?? 0), 0)
  const heirs = (people.data ?? []).filter(({ id }) => !userIds.includes(id))
  return <HandOverChoice count={count} heirs={heirs} value={value} error={error} onChange={onChange} />
}

type ChoiceProps = Pick<Props, 'value' | 'error' | 'onChange'> & {
  count: number
  heirs: readonly { id: string; name: string }[]
}

export const HandOverChoice = ({ count, heirs, value, error, onChange }: ChoiceProps) => (
  <div ref={showWhole}>
    {count === 0 ? (
      <Text size="sm">Nenhuma conversa em andamento fica sem atendente.</Text>
    ) : (
      <Select
        label={`${plural(count, 'conversa em andamento vai', 'conversas em andamento vão')} para`}
        description={value ? undefined : 'Voltam para Pendentes, cada uma na sua fila.'}
        data={[
          { value: '', label: 'Quem estiver livre' },
          ...heirs.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={value ?? ''}
        onChange={(chosen) => onChange(chosen || null)}
        error={error}
        allowDeselect={false}
        searchable
        nothingFoundMessage="Ninguém encontrado"
      />
    )}
  </div>
)

/** It appears below a switch at the end of a form, where nobody would see it. */
const showWhole = (choice: HTMLElement | null) => {
  choice?.scrollIntoView({ block: 'nearest' })
}
