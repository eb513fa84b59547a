import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { Button, UnstyledButton } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Virtuoso } from 'react-virtuoso'
import { messageOf } from '../../../kit/api-error.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { TagChip } from '../../../ui/tag-chip.tsx'
import classes from './contact-picker.module.css'
import { PhoneText } from './phone-text.tsx'
import { contactSearch } from './queries.ts'

type Props = {
  onPick: (contact: Contact) => void
  /** Pixels; fills its place when not given. */
  height?: number
  initialSearch?: string
  /** What to offer when nothing is found. */
  whenNone?: (search: string) => ReactNode
}

/** Find a person by name, number or e-mail and choose. */
export const ContactPicker = ({ onPick, height, initialSearch = '', whenNone }: Props) => {
  const [search, setSearch] = useState(initialSearch)
  const list = useInfiniteQuery({ ...contactSearch(search), placeholderData: keepRows })
  const contacts = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div className={classes.picker} style={{ height }}>
      <div className={classes.search}>
        <SearchInput label="Buscar contato" value={search} onSearch={setSearch} w="100%" isFirst />
      </div>
      {list.isPending ? (
        <SkeletonList height={56} withAvatar />
      ) : list.isError && contacts.length === 0 ? (
        <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : contacts.length === 0 ? (
        <EmptyState
          icon={<IconSearchOff size={26} stroke={1.5} />}
          title={search ? `Nenhum contato com “${search}”` : 'Ainda não há contatos'}
          action={whenNone?.(search)}
        >
          {search ? 'Confira a grafia ou busque pelo número.' : 'Eles aparecem aqui quando alguém escreve para você.'}
        </EmptyState>
      ) : (
        <Virtuoso
          className={classes.list}
          data={contacts}
          computeItemKey={(_, contact) => contact.id}
          endReached={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
          itemContent={(_, contact) => (
            <UnstyledButton className={classes.row} onClick={() => onPick(contact)}>
              <Avatar name={contact.name} src={contact.profilePicUrl} size={38} />
              <span className={classes.words}>
                <span className="truncate">{contact.name}</span>
                <span className={`truncate ${classes.meta}`}>
                  {contact.number ? <PhoneText number={contact.number} /> : (contact.email ?? 'Sem telefone')}
                </span>
              </span>
              {contact.tags.length > 0 && (
                <span className={classes.tags}>
                  {contact.tags.slice(0, 2).map((tag) => (
                    <TagChip key={tag.id} name={tag.name} color={tag.color} />
                  ))}
                </span>
              )}
            </UnstyledButton>
          )}
        />
      )}
      {list.isFetchNextPageError && (
        <Button variant="subtle" onClick={() => void list.fetchNextPage()}>
          Tentar de novo
        </Button>
      )}
    </div>
  )
}
