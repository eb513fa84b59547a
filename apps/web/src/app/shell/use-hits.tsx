import type { Page } from '@balcao/contract/common.ts'
import type { Contact } from '@balcao/contract/contacts.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAdjustments, IconListDetails } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMatch } from 'react-router'
import { macroOptions } from '../../features/macros/api.ts'
import { runAndTell } from '../../features/macros/run.ts'
import { settingEntries } from '../../features/settings/entries.ts'
import { linkToTicket } from '../../features/tickets/address.ts'
import { ticketQuery } from '../../features/tickets/api.ts'
import { api } from '../../kit/api.ts'
import { plural } from '../../kit/format.ts'
import { isFound, plainText } from '../../kit/plain-text.ts'
import { useCan } from '../../kit/use-can.ts'
import { type Press, useGo } from '../../kit/use-go.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useMenu } from './use-menu.ts'

export type Hit = {
  id: string
  section: string
  label: string
  hint?: string
  mark: ReactNode
  act: (press: Press) => void
}
const mostOfEach = 6

/** What the command bar offers for what is typed: screens and macros at once, conversations and contacts when found. */
export const useHits = (text: string): { hits: Hit[]; isSearching: boolean } => {
  const [asked] = useDebouncedValue(text.trim(), 200)
  const go = useGo()
  const wanted = plainText(text)
  const screens = useMenu()
    .screens.filter((screen) => isFound(wanted, screen.label, screen.words))
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
  const macros = useMacroHits(wanted)

  const isEnough = asked.length >= 2
  const canTickets = useCan('tickets.read')
  const tickets = useQuery({
    queryKey: ['command', 'tickets', asked],
    queryFn: ({ signal }) =>
      api.get<Page<Ticket>>('/tickets', {
        query: { searchParam: asked, status: ['open', 'pending', 'closed'], limit: mostOfEach },
        signal,
        quiet: true,
      }),
    enabled: isEnough && canTickets,
    placeholderData: keepPreviousData,
  })
  const canContacts = useCan('contacts.read')
  const contacts = useQuery({
    queryKey: ['command', 'contacts', asked],
    queryFn: ({ signal }) =>
      api.get<Page<Contact>>('/contacts', { query: { searchParam: asked, limit: mostOfEach }, signal, quiet: true }),
    enabled: isEnough && canContacts,
    placeholderData: keepPreviousData,
  })
  const ticketHits = (isEnough ? (tickets.data?.items ?? []) : []).map((ticket): Hit => {
    const name = ticket.name || ticket.contact.name
    return {
      id: `ticket-${ticket.id}`,
      section: 'Atendimentos',
      label: name,
      hint: ticket.lastMessage || ticket.protocol,
      mark: <Avatar name={name} src={ticket.profilePicUrl} channel={ticket.channel} size={26} />,
      act: (press) => go(linkToTicket(ticket.id), press),
    }
  })
  const contactHits = (isEnough ? (contacts.data?.items ?? []) : []).map(
    (contact): Hit => ({
      id: `contact-${contact.id}`,
      section: 'Contatos',
      label: contact.name,
      hint: contact.number ?? contact.email ?? undefined,
      mark: <Avatar name={contact.name} src={contact.profilePicUrl} size={26} />,
      act: (press) => go(`/contatos?registro=${contact.id}`, press),
    }),
  )
  return {
    hits: [...screens, ...macros, ...settings, ...ticketHits, ...contactHits],
    isSearching: tickets.isFetching || contacts.isFetching,
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

/** The macros, while a conversation they may be run on is open. */
const useMacroHits = (wanted: string): Hit[] => {
  const ticketId = useMatch('/atendimento/:ticketId')?.params.ticketId ?? ''
  const canAnswer = useCan('messages.write')
  const ticket = useQuery({ ...ticketQuery(ticketId), enabled: false }).data // the open conversation has read it
  const isOffered = canAnswer && ticket?.status === 'open'
  const macros = useQuery({ ...macroOptions, enabled: isOffered }).data
  if (!isOffered) return []
  return (macros ?? [])
    .filter((macro) => isFound(wanted, macro.name))
    .slice(0, mostOfEach)
    .map((macro) => ({
      id: `macro-${macro.id}`,
      section: `Macros para ${ticket.name}`,
      label: macro.name,
      hint: plural(macro.actions.length, 'passo', 'passos'),
      mark: <IconListDetails size={18} stroke={1.75} />,
      act: () => void runAndTell(macro, ticket.id),
    }))
}
