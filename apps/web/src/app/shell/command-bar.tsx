import type { Page } from '@balcao/contract/common.ts'
import type { Contact } from '@balcao/contract/contacts.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Loader, Modal, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { api } from '../../kit/api.ts'
import { useCan } from '../../kit/use-can.ts'
import { useGo } from '../../kit/use-go.ts'
import { Avatar } from '../../ui/avatar.tsx'
import classes from './command-bar.module.css'
import { useMenu } from './use-menu.ts'

type Hit = { id: string; section: string; label: string; hint?: string; mark: ReactNode; to: string }

/** Ctrl+K: go to a screen, a conversation or a contact by typing a part of it. */
export const CommandBar = ({ onClose }: { onClose: () => void }) => {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const go = useGo()
  const { hits, isSearching } = useHits(text)
  const active = Math.min(at, hits.length - 1)

  const open = (hit: Hit | undefined, event: KeyboardEvent | React.MouseEvent) => {
    if (!hit) return
    go(hit.to, event)
    onClose()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(hits[active], event)
    else if (event.key === 'ArrowDown') setAt(Math.min(active + 1, hits.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(active - 1, 0))
    else return
    event.preventDefault()
  }

  return (
    <Modal.Root
      opened
      onClose={onClose}
      centered={false}
      yOffset="12vh"
      size={560}
      padding={0}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Buscar telas, atendimentos e contatos">
        <TextInput
          data-autofocus
          autoFocus
          size="lg"
          variant="unstyled"
          className={classes.input}
          leftSection={isSearching ? <Loader size={16} /> : <IconSearch size={18} aria-hidden />}
          placeholder="Buscar telas, atendimentos e contatos"
          aria-label="Buscar telas, atendimentos e contatos"
          role="combobox"
          aria-expanded
          aria-controls="command-hits"
          aria-activedescendant={hits[active] && `hit-${active}`}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={handleKey}
        />
        <div id="command-hits" role="listbox" aria-label="Resultados" className={classes.hits}>
          {hits.map((hit, index) => (
            <div key={hit.id}>
              {hit.section !== hits[index - 1]?.section && <div className={classes.section}>{hit.section}</div>}
              <UnstyledButton
                id={`hit-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                className={classes.hit}
                onMouseMove={() => setAt(index)}
                onClick={(event) => open(hit, event)}
              >
                <span className={classes.mark}>{hit.mark}</span>
                <span className="truncate">{hit.label}</span>
                {hit.hint && <span className={`truncate ${classes.hint}`}>{hit.hint}</span>}
              </UnstyledButton>
            </div>
          ))}
          {hits.length === 0 && !isSearching && <div className={classes.none}>Nada encontrado para “{text}”</div>}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

const useHits = (text: string): { hits: Hit[]; isSearching: boolean } => {
  const [asked] = useDebouncedValue(text.trim(), 200)
  const canTickets = useCan('tickets.read')
  const canContacts = useCan('contacts.read')
  const screens = useMenu()
    .flatMap((group) => group.items)
    .filter((screen) => plain(screen.label).includes(plain(text.trim())))
    .map(
      (screen): Hit => ({
        id: screen.path,
        section: 'Telas',
        label: screen.label,
        mark: <screen.icon size={18} stroke={1.75} />,
        to: screen.path,
      }),
    )

  const enough = asked.length >= 2
  const tickets = useQuery({
    queryKey: ['command', 'tickets', asked],
    queryFn: ({ signal }) =>
      api.get<Page<Ticket>>('/tickets', {
        query: { searchParam: asked, status: ['open', 'pending', 'closed'], limit: 6 },
        signal,
        quiet: true,
      }),
    enabled: enough && canTickets,
    placeholderData: keepPreviousData,
  })
  const contacts = useQuery({
    queryKey: ['command', 'contacts', asked],
    queryFn: ({ signal }) =>
      api.get<Page<Contact>>('/contacts', { query: { searchParam: asked, limit: 6 }, signal, quiet: true }),
    enabled: enough && canContacts,
    placeholderData: keepPreviousData,
  })
  const ticketHits = (enough ? (tickets.data?.items ?? []) : []).map(
    (ticket): Hit => ({
      id: `ticket-${ticket.id}`,
      section: 'Atendimentos',
      label: ticket.name || ticket.contact.name,
      hint: ticket.lastMessage || ticket.protocol,
      mark: (
        <Avatar
          name={ticket.name || ticket.contact.name}
          src={ticket.profilePicUrl}
          channel={ticket.channel}
          size={26}
        />
      ),
      to: `/atendimento/${ticket.id}`,
    }),
  )
  const contactHits = (enough ? (contacts.data?.items ?? []) : []).map(
    (contact): Hit => ({
      id: `contact-${contact.id}`,
      section: 'Contatos',
      label: contact.name,
      hint: contact.number ?? contact.email ?? undefined,
      mark: <Avatar name={contact.name} src={contact.profilePicUrl} size={26} />,
      to: `/contatos?registro=${contact.id}`,
    }),
  )
  return { hits: [...screens, ...ticketHits, ...contactHits], isSearching: tickets.isFetching || contacts.isFetching }
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
