import type { Tag } from '@balcao/contract/contacts/tags.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { IconListDetails, IconTag, IconTagOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMatch } from 'react-router'
import { putTicket, ticketQuery } from '../../features/conversations/tickets/api.ts'
import { receiveTicket } from '../../features/conversations/tickets/live.ts'
import { tagOptions } from '../../features/core/pickers/options.ts'
import { macroOptions } from '../../features/service/macros/api.ts'
import { runAndTell } from '../../features/service/macros/run.ts'
import { messageOf } from '../../kit/api-error.ts'
import { offeredCommands } from '../../kit/commands.ts'
import { plural } from '../../kit/format.ts'
import { isFound } from '../../kit/plain-text.ts'
import { queryClient } from '../../kit/query-client.ts'
import { useCan } from '../../kit/use-can.ts'
import { notify } from '../../ui/notify.ts'
import type { Hit } from './use-hits.tsx'

const mostOfEach = 6

/** What can be done with the open conversation: its own actions, its tags, the macros. */
export const useTicketHits = (wanted: string): Hit[] => {
  const ticketId = useMatch('/atendimento/:ticketId')?.params.ticketId ?? ''
  const ticket = useQuery({ ...ticketQuery(ticketId), enabled: false }).data // the open conversation has read it
  const commands = offeredCommands()
    .filter(({ label, words }) => isFound(wanted, label, words))
    .map(
      (command): Hit => ({
        id: `command-${command.label}`,
        section: command.section,
        label: command.label,
        mark: <command.icon size={18} stroke={1.75} />,
        act: command.run,
      }),
    )
  return [...commands, ...useTagHits(ticket, wanted), ...useMacroHits(ticket, wanted)]
}

/** Tags are many: they are named before they are offered. */
const useTagHits = (ticket: Ticket | undefined, wanted: string): Hit[] => {
  const canTag = useCan('tickets.write')
  const isOffered = canTag && ticket !== undefined && ticket.status !== 'closed' && wanted.length >= 2
  const tags = useQuery({ ...tagOptions, enabled: isOffered }).data
  if (!isOffered) return []
  const held = new Set(ticket.tags.map(({ id }) => id))
  return (tags ?? [])
    .filter((tag) => tag.isActive || held.has(tag.id))
    .map((tag) => ({ tag, isHeld: held.has(tag.id) }))
    .filter(({ tag, isHeld }) => isFound(wanted, isHeld ? 'Tirar etiqueta' : 'Etiquetar com', tag.name))
    .slice(0, mostOfEach)
    .map(({ tag, isHeld }) => ({
      id: `tag-${tag.id}`,
      section: `Conversa com ${ticket.name}`,
      label: isHeld ? `Tirar etiqueta ${tag.name}` : `Etiquetar com ${tag.name}`,
      mark: isHeld ? <IconTagOff size={18} stroke={1.75} /> : <IconTag size={18} stroke={1.75} />,
      act: () => void toggleTag(ticket, tag),
    }))
}

const toggleTag = async (ticket: Ticket, tag: Tag) => {
  const others = ticket.tags.map(({ id }) => id).filter((id) => id !== tag.id)
  const isHeld = others.length < ticket.tags.length
  try {
    receiveTicket(queryClient, await putTicket(ticket.id, { tagIds: isHeld ? others : [...others, tag.id] }))
  } catch (error) {
    notify.error(messageOf(error))
  }
}

const useMacroHits = (ticket: Ticket | undefined, wanted: string): Hit[] => {
  const canAnswer = useCan('messages.write')
  const isOffered = canAnswer && ticket?.status === 'open'
  const macros = useQuery({ ...macroOptions, enabled: isOffered }).data
  if (!isOffered) return []
  return (macros ?? [])
    .filter((macro) => isFound(wanted, macro.name, 'macro'))
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
