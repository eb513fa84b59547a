import { ActionIcon, Button, Select, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { SearchInput } from '../../../ui/search-input.tsx'
import classes from './conversation-search.module.css'
import { authorOf, Snippet } from './found-list.tsx'
import { groupSpeakers, useFoundMessages } from './use-found-messages.ts'

type Props = { ticketId: string; isGroup: boolean; onPick: (messageId: string) => void; onClose: () => void }

/** Find a word in this conversation and go there; by the arrows from one place to the next, the newest first. */
export const ConversationSearch = ({ ticketId, isGroup, onPick, onClose }: Props) => {
  const [search, setSearch] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  const [authorId, setAuthor] = useState<string | null>(null)
  const speakers = useQuery({ ...groupSpeakers(ticketId), enabled: isGroup }).data ?? []
  const isEnough = search.trim().length >= 2 || (authorId !== null && !search.trim())
  const filter = {
    searchParam: search.trim(),
    ticketId,
    authorId: authorId ?? undefined,
    fromMe: '' as const,
    type: [],
    dateFrom: '',
    dateTo: '',
  }
  const found = useFoundMessages(filter, isEnough)
  const messages = found.data?.pages.flatMap((page) => page.items) ?? []
  const [at, setAt] = useState(-1)
  const question = `${authorId}:${search}`
  const [asked, setAsked] = useState(question)
  if (asked !== question) {
    setAsked(question)
    setAt(-1)
  }
  const goTo = (index: number) => {
    const message = messages[index]
    if (!message) return
    setAt(index)
    onPick(message.id)
    frame.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' })
    if (index >= messages.length - 2 && found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage()
  }
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (event.key === 'ArrowDown' || (event.key === 'Enter' && isTyping && !event.shiftKey)) {
      event.preventDefault()
      goTo(at + 1)
    } else if (event.key === 'ArrowUp' || (event.key === 'Enter' && isTyping)) {
      event.preventDefault()
      goTo(at - 1)
    }
  }
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return // shown again with its conversation, it takes no focus
    isBegun.current = true
    frame.current?.querySelector('input')?.focus()
  }, [])
  return (
    <search ref={frame} className={classes.frame} onKeyDown={handleKey}>
      <div className={classes.bar}>
        <SearchInput label="Buscar na conversa" value={search} onSearch={setSearch} w="100%" />
        {speakers.length > 0 && (
          <Select
            aria-label="Quem escreveu"
            placeholder="De todos"
            data={speakers.map(({ id, name }) => ({ value: id, label: name }))}
            value={authorId}
            onChange={setAuthor}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'De todos' }}
            w={180}
            flex="none"
          />
        )}
        {isEnough && messages.length > 0 && (
          <span className={`tabular ${classes.place}`} role="status">
            {at < 0 ? '' : `${at + 1} de `}
            {messages.length}
            {found.hasNextPage && '+'}
          </span>
        )}
        <ActionIcon
          aria-label="Resultado mais novo"
          title="Mais novo (↑)"
          disabled={at < 1}
          onClick={() => goTo(at - 1)}
        >
          <IconChevronUp size={18} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          aria-label="Resultado mais antigo"
          title="Mais antigo (↓)"
          disabled={!isEnough || at + 1 >= messages.length}
          onClick={() => goTo(at + 1)}
        >
          <IconChevronDown size={18} stroke={1.75} />
        </ActionIcon>
        <ActionIcon aria-label="Fechar busca" onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </div>
      {isEnough && (
        <div className={classes.results}>
          {messages.map((message, index) => (
            <UnstyledButton
              key={message.id}
              data-index={index}
              className={classes.hit}
              aria-current={index === at}
              onClick={() => goTo(index)}
            >
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
            <p className={classes.none}>
              {search ? `Nada com “${search}” nesta conversa.` : 'Nada desta pessoa aqui.'}
            </p>
          )}
        </div>
      )}
    </search>
  )
}
