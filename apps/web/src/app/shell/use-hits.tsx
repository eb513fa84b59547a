import type { Page } from '@balcao/contract/common.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAdjustments } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { showPhone } from '../../features/contacts/contacts/phone.ts'
import { linkToTicket } from '../../features/conversations/tickets/address.ts'
import { settingEntries } from '../../features/people/settings/entries.ts'
import { userOptions } from '../../features/people/users/api.ts'
import { api } from '../../kit/api.ts'
import { isFound, plainText } from '../../kit/plain-text.ts'
import { useCan } from '../../kit/use-can.ts'
import { type Press, useGo } from '../../kit/use-go.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useMenu } from './use-menu.ts'
import { useTicketHits } from './use-ticket-hits.tsx'

export type Hit = {
  id: string
  section: string
  label: string
  hint?: string
  mark: ReactNode
  act: (press: Press) => void
  /** Found for what was typed before; what is typed now is still being looked for. */
  isOld?: boolean
}
const mostOfEach = 6

/** What the command bar offers for what is typed: screens, settings and actions at once, conversations and contacts when found. */
export const useHits = (text: string): { hits: Hit[]; isSearching: boolean } => {
  const [asked] = useDebouncedValue(text.trim(), 200)
  const go = useGo()
  const wanted = plainText(text)
  const begins = (label: string) => Number(plainText(label).startsWith(wanted))
  const screens = useMenu()
    .screens.filter((screen) => isFound(wanted, screen.label, screen.words))
    // What begins so comes first: Enter takes it.
    .toSorted((one, other) => begins(other.label) - begins(one.label))
    .map(
      (screen): Hit => ({
        id: screen.path,
        section: 'Telas',
        label: screen.label,
        mark: <screen.icon size={18} stroke={1.75} />,
        act: (press) => go(screen.path, press),
      }),
    )
  const settings = useSettingHits(wanted)
  const ofTicket = useTicketHits(wanted)
  const people = usePeopleHits(wanted)

  const isEnough = asked.length >= 2
  const canTickets = useCan('tickets.read')
  const canContacts = useCan('contacts.read')
  // Both at once: the list is not put in another order under the hand of whoever is about to press Enter.
  const found = useQuery({
    queryKey: ['command', asked],
    queryFn: async ({ signal }) => {
      const query = { searchParam: asked, limit: mostOfEach }
      const [tickets, contacts] = await Promise.all([
        canTickets &&
          api.get<Page<Ticket>>('/tickets', {
            query: { ...query, status: ['open', 'pending', 'closed'] },
            signal,
            quiet: true,
          }),
        canContacts && api.get<Page<Contact>>('/contacts', { query, signal, quiet: true }),
      ])
      return { tickets: tickets ? tickets.items : [], contacts: contacts ? contacts.items : [] }
    },
    enabled: isEnough && (canTickets || canContacts),
    placeholderData: keepPreviousData,
  })
  const isSearching = found.isFetching || (text.trim() !== asked && text.trim().length >= 2)
  const isOld = isSearching && (found.isPlaceholderData || text.trim() !== asked)
  const ticketHits = (isEnough ? (found.data?.tickets ?? []) : []).map((ticket): Hit => {
    const name = nameAsRead(ticket.name || ticket.contact.name)
    return {
      id: `ticket-${ticket.id}`,
      section: 'Atendimentos',
      label: name,
      hint: ticket.lastMessage || ticket.protocol,
      mark: <Avatar name={name} src={ticket.profilePicUrl} channel={ticket.channel} size={26} />,
      act: (press) => go(linkToTicket(ticket.id), press),
      isOld,
    }
  })
  const contactHits = (isEnough ? (found.data?.contacts ?? []) : []).map(
    (contact): Hit => ({
      id: `contact-${contact.id}`,
      section: 'Contatos',
      label: nameAsRead(contact.name),
      hint: contact.number ? showPhone(contact.number) : (contact.email ?? undefined),
      mark: <Avatar name={contact.name} src={contact.profilePicUrl} size={26} />,
      act: (press) => go(`/contatos?registro=${contact.id}`, press),
      isOld,
    }),
  )
  // Who is called so comes before conversations that only mention the word.
  const isCalled = (hits: Hit[]) => hits.some(({ label }) => isFound(wanted, label))
  return {
    // Without a word Enter leads somewhere; what acts comes first once it is named.
    hits: [
      ...(wanted ? [...ofTicket, ...screens] : [...screens, ...ofTicket]),
      ...people,
      ...settings,
      ...(isCalled(contactHits) && !isCalled(ticketHits)
        ? [...contactHits, ...ticketHits]
        : [...ticketHits, ...contactHits]),
    ],
    isSearching,
  }
}

/** Single settings of the company, each at its place; not before somebody looks for one. */
const useSettingHits = (wanted: string): Hit[] => {
  const go = useGo()
  const { screens } = useMenu()
  if (wanted.length < 2) return []
  return settingEntries
    .filter(({ label, words }) => isFound(wanted, label, words))
    .flatMap(({ label, path, id }) => {
      const page = screens.find((screen) => screen.path === path)
      return page ? [{ label, page, to: id ? `${path}#${id}` : path }] : []
    })
    .slice(0, mostOfEach)
    .map(({ label, page, to }) => ({
      id: `${to}${label}`,
      section: 'Configurações',
      label,
      hint: page.label,
      mark: <IconAdjustments size={18} stroke={1.75} />,
      act: (press) => go(to, press),
    }))
}

/** Colleagues: their record for who administers them, their conversations for who watches over all. */
const usePeopleHits = (wanted: string): Hit[] => {
  const go = useGo()
  const canEdit = useCan('users.write')
  const canWatch = useCan('tickets.showAll')
  const isOffered = (canEdit || canWatch) && wanted.length >= 2
  const people = useQuery({ ...userOptions, enabled: isOffered }).data
  if (!isOffered) return []
  return (people ?? [])
    .filter(({ name }) => isFound(wanted, name))
    .slice(0, mostOfEach)
    .map(({ id, name, isOnline, isAway }) => ({
      id: `person-${id}`,
      section: 'Equipe',
      label: name,
      hint: canEdit ? 'Usuário' : 'Conversas desta pessoa',
      mark: <Avatar name={name} size={26} online={isOnline} away={isAway} />,
      act: (press) => go(canEdit ? `/usuarios?registro=${id}` : `/atendimento?usuario=${id}`, press),
    }))
}

/** A contact without a name is called by its number. */
const nameAsRead = (name: string) => (/^\+?\d{8,15}$/.test(name) ? showPhone(name.replace('+', '')) : name)
