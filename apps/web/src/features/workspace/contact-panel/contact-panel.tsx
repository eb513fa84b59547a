import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { MergedContacts } from '../../contacts/contacts/merged-contacts.tsx'
import { contactQuery } from '../../contacts/contacts/queries.ts'
import classes from './contact-panel.module.css'
import { ContactPart, MoreFields } from './contact-part.tsx'
import { ContactSchedules } from './contact-schedules.tsx'
import { ContactTasks } from './contact-tasks.tsx'
import { Gallery } from './gallery.tsx'
import { Section } from './panel-section.tsx'
import { Story } from './story.tsx'
import { History } from './ticket-log.tsx'
import { TicketPart } from './ticket-part.tsx'
import { VisitorPart } from './visitor-part.tsx'

/** Who this is, what this conversation is, what is to come and what came before. Everything is saved as it is changed. */
export const ContactPanel = ({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) => {
  const contact = useQuery(contactQuery(ticket.contactId))
  const hasTasks = useCan('tasks.read')
  const hasSchedules = useCan('messages.read')
  return (
    <aside className={classes.panel} aria-label="Dados do contato">
      <header className={classes.top}>
        <h2 className={classes.title}>Contato</h2>
        <ActionIcon aria-label="Fechar painel" onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </header>
      <div className={classes.scroll}>
        {contact.data ? (
          <ContactPart key={contact.data.id} contact={contact.data} />
        ) : contact.isError ? (
          <ErrorState message={messageOf(contact.error)} onRetry={() => void contact.refetch()} />
        ) : (
          <SkeletonList rows={4} />
        )}
        <Section name="conversas" title="Conversas com o contato" isOpenAtFirst>
          <Story contactId={ticket.contactId} contactName={ticket.contact.name} ticketId={ticket.id} />
        </Section>
        <TicketPart ticket={ticket} />
        {ticket.channel === 'webchat' && <VisitorPart ticket={ticket} />}
        {contact.data && <MoreFields key={contact.data.id} contact={contact.data} />}
        {hasSchedules && (
          <Section name="agendadas" title="Mensagens agendadas">
            <ContactSchedules ticket={ticket} />
          </Section>
        )}
        {hasTasks && (
          <Section name="tarefas" title="Tarefas">
            <ContactTasks ticket={ticket} />
          </Section>
        )}
        <Section name="midia" title="Mídia e links">
          <Gallery contactId={ticket.contactId} />
        </Section>
        <Section name="historico" title="Histórico do atendimento">
          <History ticket={ticket} />
        </Section>
        {contact.data && !contact.data.isGroup && (
          <Section name="uniao" title="União de contatos">
            <MergedContacts contact={contact.data} />
          </Section>
        )}
      </div>
    </aside>
  )
}
