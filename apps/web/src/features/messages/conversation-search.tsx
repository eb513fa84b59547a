import { ActionIcon, Button, UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../kit/api-error.ts'
import { formatDateTime } from '../../kit/format.ts'
import { SearchInput } from '../../ui/search-input.tsx'
import { foundMessages } from './calls.ts'
import classes from './conversation-search.module.css'
import { authorOf, Snippet } from './found-list.tsx'

type Props = { ticketId: string; onPick: (messageId: string) => void; onClose: () => void }

/** Find a word in this conversation and go there. */
export const ConversationSearch = ({ ticketId, onPick, onClose }: Props) => {
  const [search, setSearch] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  const isEnough = search.trim().length >= 2
  const filter = { searchParam: search.trim(), ticketId, fromMe: '' as const, type: [], dateFrom: '', dateTo: '' }
  const found = useInfiniteQuery({
    ...foundMessages(filter),
    enabled: isEnough,
    placeholderData: keepPreviousData,
  })
  const messages = found.data?.pages.flatMap((page) => page.items) ?? []
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return // shown again with its conversation, it takes no focus
    isBegun.current = true
    frame.current?.querySelector('input')?.focus()
  }, [])
  return (
    <search
      ref={frame}
      className={classes.frame}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={classes.bar}>
        <SearchInput label="Buscar na conversa" value={search} onSearch={setSearch} w="100%" />
        <ActionIcon aria-label="Fechar busca" onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </div>
      {isEnough && (
        <div className={classes.results}>
          {messages.map((message) => (
            <UnstyledButton key={message.id} className={classes.hit} onClick={() => onPick(message.id)}>
              <Snippet message={message} />
              <span className={`tabular ${classes.meta}`}>
                {authorOf(message)} · {formatDateTime(message.createdAt)}
              </span>
            </UnstyledButton>
          ))}
          {found.hasNextPage && (
            <Button
              variant="subtle"
              size="compact-sm"
              fullWidth
              loading={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            >
              Procurar nas mais antigas
            </Button>
          )}
          {found.isError && <p className={classes.none}>{messageOf(found.error)}</p>}
          {found.data && messages.length === 0 && !found.hasNextPage && (
            <p className={classes.none}>Nada com “{search}” nesta conversa.</p>
          )}
        </div>
      )}
    </search>
  )
}
