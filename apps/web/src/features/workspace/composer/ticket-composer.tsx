import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useMemo } from 'react'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { useCopilotState } from '../../automation/copilot/api.ts'
import { useContactContext } from '../../contacts/variables/contact-context.ts'
import { groupQuery } from '../../conversations/groups/api.ts'
import { callable } from '../../conversations/groups/find.ts'
import { mentionCandidates } from '../../conversations/mentions/api.ts'
import type { Abilities } from '../../conversations/messages/abilities.ts'
import { conversationQuery, editMessage, receiveMessage } from '../../conversations/messages/api.ts'
import { useDraft } from '../../conversations/messages/drafts.ts'
import { undoableIn } from '../../conversations/messages/outbox.ts'
import { takeBack } from '../../conversations/messages/take-back.ts'
import { createTypingSignal } from '../../people/presence/typing-signal.ts'
import { runAndTell } from '../../service/macros/run.ts'
import { Composer } from './composer.tsx'
import { ComposerDialogs } from './composer-dialogs.tsx'
import { useSendLater } from './use-send-later.ts'
import { useSending } from './use-sending.ts'
import type { WritingPlace } from './writing-place.ts'

const ScheduleDrawer = lazyPart(async () => ({
  default: (await import('../../operations/schedules/schedule-drawer.tsx')).ScheduleDrawer,
}))

type Props = Omit<ComponentProps<typeof Composer>, 'place'> & {
  ticket: Ticket
  contact: Contact | undefined
  abilities: Abilities
}

/** The composer of a ticket: to the customer by its channel, and notes to the team. */
export const TicketComposer = ({ ticket, contact, abilities, ...composer }: Props) => {
  const { input, lastSeq, onTarget } = composer
  const cache = useQueryClient()
  const { showsTyping } = abilities
  const typing = useMemo(() => createTypingSignal(ticket.id, showsTyping), [ticket.id, showsTyping])
  const context = useContactContext(ticket, contact)
  const { send, sendAll, signs, mustSign, opening, below, longest } = useSending({ ticket, abilities, context })
  const later = useSendLater(ticket, abilities)
  const maySchedule = useCan('schedules.write')
  const isNoting = composer.isNote || composer.onlyNotes || composer.target?.kind === 'edit'
  const colleagues = useQuery({ ...mentionCandidates(ticket.id), enabled: isNoting })

  const copilot = useCopilotState()
  const canCall = ticket.isGroup && abilities.canMention
  const isCalling = useDraft({ ticketId: ticket.id, kind: 'message' }).includes('@')
  const group = useQuery({ ...groupQuery(ticket.id), enabled: canCall && isCalling })
  const members = useMemo(() => callable(group.data?.members ?? []), [group.data])

  const place: WritingPlace = {
    id: ticket.id,
    name: ticket.name,
    abilities,
    context,
    send,
    sendAll,
    edit: async (message, body) => receiveMessage(cache, await editMessage(message.id, body)),
    undo: () => {
      const last = undoableIn(ticket.id)
      return last && takeBack(ticket.id, last.message.id)
    },
    typing,
    signature: {
      isOn: signs,
      opening,
      below,
      obstacle: abilities.showsAuthor
        ? 'Este canal já mostra seu nome ao cliente.'
        : mustSign
          ? 'A empresa assina todas as mensagens com o nome do atendente.'
          : null,
    },
    longest,
    candidates: colleagues.data ?? [],
    members: canCall ? { list: members, isLoading: group.isPending } : null,
    runMacro: (macro) => void runAndTell(macro, ticket.id),
    later: maySchedule
      ? {
          begin: (wall) => void later.begin(wall),
          note: abilities.windowHours
            ? `Só é entregue se o cliente escrever nas ${abilities.windowHours} horas antes do envio.`
            : undefined,
        }
      : undefined,
    copilot:
      copilot.isOn || copilot.isComing
        ? {
            ticketId: ticket.id,
            lastFromCustomer: () => lastFromCustomer(cache, ticket.id),
            isComing: copilot.isComing,
          }
        : undefined,
    drawDialogs: (asked) => (
      <ComposerDialogs {...asked} ticket={ticket} contact={contact} lastSeq={lastSeq} signs={signs} />
    ),
  }
  return (
    <>
      <Composer {...composer} place={place} />
      {later.choosing && (
        <Opened onLost={later.endChoosing}>
          <ScheduleDrawer
            schedule={null}
            newFor={{
              contact: { value: ticket.contactId, label: ticket.contact.name },
              connectionId: ticket.whatsappId,
              ...later.choosing,
            }}
            onSaved={() => {
              later.empty()
              onTarget(null)
            }}
            onClose={() => {
              later.endChoosing()
              input.current?.focus()
            }}
          />
        </Opened>
      )}
    </>
  )
}

/** What there is to translate. */
const lastFromCustomer = (cache: QueryClient, ticketId: string): string =>
  cache
    .getQueryData(conversationQuery(ticketId).queryKey)
    ?.items.findLast((one) => !one.fromMe && !one.isDeleted && one.body)?.body ?? ''
