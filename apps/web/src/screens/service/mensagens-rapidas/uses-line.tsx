import type { QuickMessage, QuickMessageUses } from '@balcao/contract/service/quick-messages.ts'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { formatNumber } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'

const mostNamed = 5

/** How often it was sent, when last, and by whom most. */
export const UsesLine = ({ row: { id, uses } }: { row: QuickMessage }) => {
  const { data } = useQuery({
    queryKey: ['resource', 'quickMessage', 'uses', id],
    queryFn: ({ signal }) => api.get<QuickMessageUses>(`/fastreply/${id}/uses`, { signal }),
    enabled: uses.total > 0,
  })
  if (!uses.lastAt) return <Text c="dimmed">Ainda não foi enviada.</Text>
  const people = (data?.people ?? []).slice(0, mostNamed).map(({ name, count }) => `${name} ${formatNumber(count)}`)
  return (
    <Text c="dimmed" component="div">
      {uses.total === 1 ? 'Enviada uma vez' : `Enviada ${formatNumber(uses.total)} vezes`}, a última{' '}
      <RelativeTime moment={uses.lastAt} />. {people.length > 0 && `${new Intl.ListFormat('pt-BR').format(people)}.`}
    </Text>
  )
}
