import { Button } from '@mantine/core'

type Props = {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  children: string
}

/** Reads on where a list of the panel has more. */
export const MoreButton = ({ list, children }: Props) =>
  list.hasNextPage && (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {children}
    </Button>
  )
