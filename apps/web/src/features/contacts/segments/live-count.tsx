import type { Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { Alert, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { isComplete, segmentCountQuery } from './api.ts'

/** How many contacts the rules find, while one still writes them. */
export const LiveCount = ({ rules }: { rules: Segment }) => {
  const [settled] = useDebouncedValue(rules, 350)
  const { data, error, isFetching } = useQuery(segmentCountQuery(settled))
  const isReady = isComplete(rules)
  if (isReady && error)
    return (
      <Alert color="orange" variant="light">
        {reasonOf(error)}
      </Alert>
    )
  const isOld = settled !== rules || isFetching
  return (
    <Text
      role="status"
      aria-live="polite"
      aria-busy={isReady && isOld}
      size="sm"
      c={isReady && !isOld ? undefined : 'dimmed'}
    >
      {isReady ? data ? <Found {...data} /> : 'Contando…' : 'Complete as condições para ver quantos contatos são.'}
    </Text>
  )
}

const Found = ({ count, isMore }: { count: number; isMore: boolean }) => (
  <>
    <strong className="tabular">
      {isMore && 'Mais de '}
      {formatNumber(count)}
    </strong>{' '}
    {count === 1 ? 'contato agora' : 'contatos agora'}
  </>
)
