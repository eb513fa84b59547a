import type { FoundMessage, MessageType } from '@balcao/contract/conversations/messages.ts'
import { Button, Drawer, Select, Tabs, Text } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { FoundList } from './found-list.tsx'
import classes from './message-search.module.css'
import { StarredList } from './starred-list.tsx'
import { type MessageFilter, useFoundMessages } from './use-found-messages.ts'

type Props = { onPick: (message: FoundMessage) => void; onClose: () => void }

/** Find a message in every conversation one may see, or among one's stars, and go to it. */
export const MessageSearch = ({ onPick, onClose }: Props) => {
  const [tab, setTab] = useState<string | null>('search')
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      title={<Text fw={600}>Buscar mensagens</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Tabs value={tab} onChange={setTab} keepMounted={false} onKeyDown={walk}>
        <Tabs.List grow>
          <Tabs.Tab value="search">Todas as conversas</Tabs.Tab>
          <Tabs.Tab value="starred">Com estrela</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="search" pt="sm">
          <Search onPick={onPick} />
        </Tabs.Panel>
        <Tabs.Panel value="starred" pt="sm">
          <StarredList onPick={onPick} />
        </Tabs.Panel>
      </Tabs>
    </Drawer>
  )
}

/** The arrows go from what is looked for to what was found and back; Enter opens it. */
const walk = (event: KeyboardEvent<HTMLElement>) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input[type=search], [data-found]')]
  const at = stops.findIndex((stop) => stop.matches(':focus'))
  if (by === undefined || at < 0) return
  event.preventDefault()
  stops[at + by]?.focus()
}

const kinds: { value: MessageType; label: string }[] = [
  { value: 'text', label: 'Texto' },
  { value: 'image', label: 'Imagem' },
  { value: 'video', label: 'Vídeo' },
  { value: 'audio', label: 'Áudio' },
  { value: 'document', label: 'Documento' },
  { value: 'note', label: 'Nota interna' },
]
const sides = [
  { value: 'false', label: 'Do cliente' },
  { value: 'true', label: 'Da equipe' },
] as const

const Search = ({ onPick }: Pick<Props, 'onPick'>) => {
  const [searchParam, setSearch] = useState('')
  const [period, setPeriod] = useState({ from: '', to: '' })
  const [fromMe, setFromMe] = useState<MessageFilter['fromMe']>('')
  const [type, setType] = useState<MessageType | null>(null)
  const filter = {
    searchParam: searchParam.trim(),
    fromMe,
    type: type ? [type] : [],
    dateFrom: period.from,
    dateTo: period.to,
  }
  const isEnough = filter.searchParam.length >= 2
  const found = useFoundMessages(filter, isEnough)
  const messages = isEnough ? (found.data?.pages.flatMap((page) => page.items) ?? []) : []
  return (
    <>
      <div className={classes.filters}>
        <SearchInput label="Buscar mensagens" value={searchParam} onSearch={setSearch} w="100%" isFirst />
        <PeriodFilter label="Período" value={period} onChange={setPeriod} />
        <Select
          aria-label="Quem escreveu"
          placeholder="Quem escreveu"
          clearable
          w={165}
          data={[...sides]}
          value={fromMe || null}
          onChange={(value) => setFromMe(sides.find((side) => side.value === value)?.value ?? '')}
        />
        <Select
          aria-label="Tipo"
          placeholder="Tipo"
          clearable
          w={140}
          data={kinds}
          value={type}
          onChange={(value) => setType(kinds.find((kind) => kind.value === value)?.value ?? null)}
        />
      </div>
      {!isEnough ? (
        <Text size="sm" c="dimmed" p="md" ta="center">
          Digite pelo menos 2 letras. Acentos e maiúsculas não importam.
        </Text>
      ) : found.isPending || (found.isGoingOn && !messages.length) ? (
        <SkeletonList rows={6} height={56} />
      ) : found.isError && !messages.length ? (
        <ErrorState message={messageOf(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <>
          <FoundList messages={messages} onPick={onPick} />
          {messages.length === 0 && (
            <EmptyState
              icon={<IconSearchOff size={26} stroke={1.5} />}
              title={found.hasNextPage ? 'Nada nas conversas mais recentes' : `Nada com “${filter.searchParam}”`}
            >
              {found.hasNextPage
                ? 'Continue para procurar nas mais antigas.'
                : 'Confira a grafia ou aumente o período.'}
            </EmptyState>
          )}
          {found.hasNextPage && (
            <Button
              variant="subtle"
              fullWidth
              mt="xs"
              loading={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            >
              Procurar nas mais antigas
            </Button>
          )}
          {found.isFetchNextPageError && (
            <Text size="sm" c="red" role="alert">
              {messageOf(found.error)}
            </Text>
          )}
        </>
      )}
    </>
  )
}
