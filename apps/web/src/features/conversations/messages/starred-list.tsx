import type { FoundMessage } from '@balcao/contract/conversations/messages.ts'
import { Button } from '@mantine/core'
import { IconStar } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { FoundList } from './found-list.tsx'
import { starredMessages } from './stars.ts'

/** One's own stars, newest first. */
export const StarredList = ({ onPick }: { onPick: (message: FoundMessage) => void }) => {
  const list = useInfiniteQuery(starredMessages)
  const messages = list.data?.pages.flatMap((page) => page.items) ?? []
  if (list.isPending) return <SkeletonList rows={6} height={56} />
  if (list.isError && !messages.length)
    return <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
  if (!messages.length)
    return (
      <EmptyState icon={<IconStar size={26} stroke={1.5} />} title="Nenhuma mensagem com estrela">
        Nas ações de uma mensagem, escolha “Marcar com estrela” para encontrá-la aqui. Só você vê as suas.
      </EmptyState>
    )
  return (
    <>
      <FoundList messages={messages} onPick={onPick} />
      {list.hasNextPage && (
        <Button
          variant="subtle"
          fullWidth
          mt="xs"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Carregar mais
        </Button>
      )}
    </>
  )
}
