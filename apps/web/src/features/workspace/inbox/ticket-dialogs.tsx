import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { contactQuery } from '../../contacts/contacts/queries.ts'
import { useChannel } from '../../conversations/messages/use-channel.ts'
import { useWindow } from '../../conversations/messages/use-window.ts'
import type { Choices } from './use-closing.ts'
import type { TicketWork } from './use-ticket-work.ts'

const TransferDialog = lazyPart(async () => ({ default: (await import('./transfer-dialog.tsx')).TransferDialog }))
const CloseDialog = lazyPart(async () => ({ default: (await import('./close-dialog.tsx')).CloseDialog }))
const PauseDialog = lazyPart(async () => ({ default: (await import('./pause-dialog.tsx')).PauseDialog }))
const ShareDialog = lazyPart(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }))
const MergeDialog = lazyPart(async () => ({ default: (await import('./merge-dialog.tsx')).MergeDialog }))
const ChannelDialog = lazyPart(async () => ({ default: (await import('./channel-dialog.tsx')).ChannelDialog }))
const FlowDialog = lazyPart(async () => ({ default: (await import('./flow-dialog.tsx')).FlowDialog }))
const VoiceCallDialog = lazyPart(async () => ({
  default: (await import('../../automation/voice-calls/voice-call-dialog.tsx')).VoiceCallDialog,
}))
const AppraiseDialog = lazyPart(async () => ({ default: (await import('./appraise-dialog.tsx')).AppraiseDialog }))
const OtherTicketDialog = lazyPart(async () => ({
  default: (await import('./other-ticket-dialog.tsx')).OtherTicketDialog,
}))
const ExportDialog = lazyPart(async () => ({
  default: (await import('../../conversations/messages/export-dialog.tsx')).ExportDialog,
}))
const ProtocolDialog = lazyPart(async () => ({
  default: (await import('../../service/protocols/protocol-dialog.tsx')).ProtocolDialog,
}))
const GradeDialog = lazyPart(async () => ({
  default: (await import('../../service/ratings/grade-dialog.tsx')).GradeDialog,
}))

type Props = { ticket: Ticket; work: TicketWork; onGo: (ticketId: string) => void }

/** What the actions of a conversation ask before they act. */
export const TicketDialogs = ({ ticket, work, onGo }: Props) => {
  const { dialog, endDialog, actions, closing } = work
  const close = () => {
    endDialog()
    closing.end()
    actions.dismissOther()
  }
  return (
    <Opened onLost={close}>
      {dialog === 'transfer' && (
        <TransferDialog
          ticketId={ticket.id}
          busy={actions.busy === 'transfer'}
          currentUserId={ticket.userId}
          onClose={endDialog}
          onTransfer={async (to) => {
            if (await actions.transfer(to)) endDialog()
          }}
        />
      )}
      {dialog === 'pause' && <PauseDialog ticket={ticket} onClose={endDialog} onLeaving={work.onPausing} />}
      {dialog === 'export' && <ExportDialog ticket={ticket} onClose={endDialog} />}
      {dialog === 'share' && <ShareDialog ticket={ticket} onClose={endDialog} />}
      {dialog === 'merge' && <MergeDialog ticket={ticket} onClose={endDialog} />}
      {dialog === 'channel' && <ChannelDialog ticket={ticket} onGo={onGo} onClose={endDialog} />}
      {dialog === 'flow' && <FlowDialog ticket={ticket} onClose={endDialog} />}
      {dialog === 'voiceCall' && <VoiceCallDialog ticket={ticket} onClose={endDialog} />}
      {dialog === 'appraise' && <AppraiseDialog ticket={ticket} onClose={endDialog} />}
      {dialog === 'protocol' && <AskProtocol ticket={ticket} onClose={endDialog} />}
      {dialog === 'grade' && (
        <GradeDialog ticketId={ticket.id} who={ticket.name} grade={null} comment="" onClose={endDialog} />
      )}
      {closing.choices && <AskClosing ticket={ticket} work={work} choices={closing.choices} />}
      {actions.other && (
        <OtherTicketDialog
          other={actions.other}
          onClose={actions.dismissOther}
          onGo={(id) => {
            actions.dismissOther()
            onGo(id)
          }}
        />
      )}
    </Opened>
  )
}

const AskClosing = ({ ticket, work, choices }: Omit<Props, 'onGo'> & { choices: Choices }) => {
  const contact = useQuery(contactQuery(ticket.contactId)).data
  return (
    <CloseDialog
      ticket={ticket}
      contact={contact}
      choices={choices}
      actions={work.actions}
      isWindowOver={useIsWindowOver(ticket)}
      onClose={work.closing.end}
    />
  )
}

const AskProtocol = ({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) => (
  <ProtocolDialog
    ticketId={ticket.id}
    protocol={ticket.protocol}
    status={ticket.status}
    isWindowOver={useIsWindowOver(ticket)}
    onClose={onClose}
  />
)

const useIsWindowOver = (ticket: Ticket) => useWindow(ticket, useChannel(ticket)).isOver
