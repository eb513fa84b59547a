import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { MergedContacts } from '../../contacts/contacts/merged-contacts.tsx'
import { contactQuery } from '../../contacts/contacts/queries.ts'
import { waysQuery } from '../../conversations/messages/ways.ts'
import { ContactOpportunities } from './contact-opportunities.tsx'
import classes from './contact-panel.module.css'
import { ContactPart, MoreFields } from './contact-part.tsx'
import { ContactSchedules } from './contact-schedules.tsx'
import { ContactTasks } from './contact-tasks.tsx'
import { Gallery } from './gallery.tsx'
import { GroupPart } from './group-part.tsx'
import { Section } from './panel-section.tsx'
import { Story } from './story.tsx'
import { History } from './ticket-log.tsx'
import { TicketPart } from './ticket-part.tsx'
import { VisitorPart } from './visitor-part.tsx'

const FlowRuns = lazyPart(async () => ({ default: (await import('../../automation/flows/flow-runs.tsx')).FlowRuns }))
const AssistantRuns = lazyPart(async () => ({
  default: (await import('../../automation/assistants/assistant-runs.tsx')).AssistantRuns,
}))
const Consents = lazyPart(async () => ({ default: (await import('../../contacts/consent/consents.tsx')).Consents }))

type Props = {
  ticket: Ticket
  /** Writes to somebody of the group alone. */
  onTalkTo: (contactId: string) => void
  onClose: () => void
}

/** Who this is, what this conversation is, what is to come and what came before. Everything is saved as it is changed. */
export const ContactPanel = ({ ticket, onTalkTo, onClose }: Props) => {
  const contact = useQuery(contactQuery(ticket.contactId))
  const ways = useQuery({ ...waysQuery(ticket), enabled: !ticket.isGroup }).data ?? []
  const problems = [...new Set(ways.flatMap(({ problem }) => problem ?? []))]
  const hasTasks = useCan('tasks.read')
  const hasFunnel = useCan('funnel.read')
  const hasSchedules = useCan('messages.read')
  return (
    <aside className={classes.panel} aria-label={ticket.isGroup ? 'Dados do grupo' : 'Dados do contato'}>
      <header className={classes.top}>
        <h2 className={classes.title}>{ticket.isGroup ? 'Grupo' : 'Contato'}</h2>
        <ActionIcon aria-label="Fechar painel" onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </header>
      <div className={classes.scroll}>
        {contact.data ? (
          <ContactPart key={contact.data.id} contact={contact.data} problems={problems} />
        ) : contact.isError ? (
          <ErrorState message={messageOf(contact.error)} onRetry={() => void contact.refetch()} />
        ) : (
          <SkeletonList rows={4} />
        )}
        {ticket.isGroup && <GroupPart key={ticket.id} ticket={ticket} onTalkTo={onTalkTo} />}
        <Section
          name="conversas"
          title={ticket.isGroup ? 'Conversas do grupo' : 'Conversas com o contato'}
          isOpenAtFirst
        >
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
        {hasFunnel && !ticket.isGroup && (
          <Section name="oportunidades" title="Oportunidades">
            <ContactOpportunities ticket={ticket} />
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
        {!ticket.isGroup && (
          <Section name="assistentes" title="Assistente">
            <Suspense fallback={<SkeletonList rows={2} />}>
              <AssistantRuns ticket={ticket} />
            </Suspense>
          </Section>
        )}
        {!ticket.isGroup && (
          <Section name="fluxos" title="O que o fluxo fez">
            <Suspense fallback={<SkeletonList rows={2} />}>
              <FlowRuns ticket={ticket} />
            </Suspense>
          </Section>
        )}
        {contact.data && !contact.data.isGroup && (
          <Section name="consentimento" title="O que aceita receber">
            <Suspense fallback={<SkeletonList rows={1} />}>
              <Consents contact={contact.data} />
            </Suspense>
          </Section>
        )}
        {contact.data && !contact.data.isGroup && (
          <Section name="uniao" title="União de contatos">
            <MergedContacts contact={contact.data} />
          </Section>
        )}
      </div>
    </aside>
  )
}
