import { Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { namingQuery } from './api.ts'

type Props = {
  ids: readonly string[]
  /** What a flow does then; without it, it points to what is gone. */
  then?: string
}
/** Which flows name the rows that are about to go, or to be switched off; nothing where none does. */
export const FlowsNaming = ({ ids, then }: Props) => {
  const found = useQueries({ queries: ids.map(namingQuery) })
  const flows = new Map(found.flatMap(({ data }) => data ?? []).map(({ id, name }) => [id, `“${name}”`]))
  if (!flows.size) return null
  const names = new Intl.ListFormat('pt-BR').format(flows.values())
  const isOne = flows.size === 1
  return (
    <Text inherit c="var(--mantine-color-text)" role="status">
      {isOne ? `Em uso no fluxo ${names}` : `Em uso nos fluxos ${names}`}:{' '}
      {then ?? `${isOne ? 'ele passa' : 'eles passam'} a apontar para o que não existe mais, até você trocar lá.`}
    </Text>
  )
}
