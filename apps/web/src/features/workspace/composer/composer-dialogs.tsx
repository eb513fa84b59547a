import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { MessageSend } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { attachFiles } from '../../conversations/messages/tray.ts'
import type { ComposerDialog } from './attach-menu.tsx'

const LocationDialog = lazyPart(async () => ({ default: (await import('./location-dialog.tsx')).LocationDialog }))
const TemplateDialog = lazyPart(async () => ({
  default: (await import('../../conversations/templates/template-dialog.tsx')).TemplateDialog,
}))
const InteractiveDialog = lazyPart(async () => ({
  default: (await import('./interactive-dialog.tsx')).InteractiveDialog,
}))
const RequestDialog = lazyPart(async () => ({ default: (await import('./request-dialog.tsx')).RequestDialog }))
const PollDialog = lazyPart(async () => ({ default: (await import('./poll-dialog.tsx')).PollDialog }))
const CardDialog = lazyPart(async () => ({ default: (await import('./card-dialog.tsx')).CardDialog }))
const CameraDialog = lazyPart(async () => ({
  default: (await import('../../core/camera/camera-dialog.tsx')).CameraDialog,
}))

type Props = {
  dialog: ComposerDialog | null
  ticket: Ticket
  contact: Contact | undefined
  lastSeq: number
  signs: boolean
  onSend: (message: Partial<MessageSend>) => void
  onClose: () => void
}

/** What the attach menu opens over the composer. */
export const ComposerDialogs = ({ dialog, ticket, contact, lastSeq, signs, onSend, onClose }: Props) => {
  const handleSend = (message: Partial<MessageSend>) => {
    onClose()
    onSend(message)
  }
  return (
    <Opened onLost={onClose}>
      {dialog === 'location' && <LocationDialog onClose={onClose} onSend={handleSend} />}
      {dialog === 'contact' && (
        <CardDialog onClose={onClose} onSend={(card) => handleSend({ type: 'contact', contact: card })} />
      )}
      {dialog === 'template' && (
        <TemplateDialog ticket={ticket} contact={contact} lastSeq={lastSeq} isWindowOver={false} onClose={onClose} />
      )}
      {dialog === 'choices' && <InteractiveDialog ticket={ticket} lastSeq={lastSeq} sign={signs} onClose={onClose} />}
      {dialog === 'request' && <RequestDialog ticket={ticket} onClose={onClose} onSend={handleSend} />}
      {dialog === 'poll' && <PollDialog ticket={ticket} lastSeq={lastSeq} onClose={onClose} />}
      {dialog === 'camera' && (
        <CameraDialog
          onClose={onClose}
          onPhoto={(photo) => {
            onClose()
            attachFiles(ticket.id, [photo])
          }}
        />
      )}
    </Opened>
  )
}
