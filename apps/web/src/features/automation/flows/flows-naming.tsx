import { Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { namingQuery } from './api.ts'

/** Which flows name the rows that are about to go; nothing where none does. */
export const FlowsNaming = ({ ids }: { ids: readonly string[] }) => {
  const found = useQueries({ queries: ids.map(namingQuery) })
  const flows = new Map(found.flatMap(({ data }) => data ?? []).map(({ id, name }) => [id, `“${name}”`]))
  if (!flows.size) return null
  const names = new Intl.ListFormat('pt-BR').format(flows.values())
  return (
    <Text inherit c="var(--mantine-color-text)">
      {flows.size === 1 ? `Em uso no fluxo ${names}: ele passa` : `Em uso nos fluxos ${names}: eles passam`} a apontar
      para o que não existe mais, até você trocar lá.
    </Text>
  )
}
