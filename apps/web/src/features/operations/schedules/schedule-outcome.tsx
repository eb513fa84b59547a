import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatDateTime } from '../../../kit/format.ts'
import { UserText } from '../../../ui/user-text.tsx'
import { linkToTicket } from '../../conversations/tickets/address.ts'
import { recurrenceText } from './recurrence.ts'
import classes from './schedule-outcome.module.css'
import { ScheduleMark } from './schedule-state.tsx'

/** What became of it: when it went, why it did not, the way to the conversation, and what it was. */
export const ScheduleOutcome = ({ schedule }: { schedule: Schedule }) => {
  const { state, sentAt, isLate, error, ticketId, media, recurrence } = schedule
  return (
    <>
      <div className={classes.outcome} role="status">
        <ScheduleMark schedule={schedule} />
        {sentAt && state === 'sent' && (
          <span>
            Saiu em {formatDateTime(sentAt)}
            {isLate && ', porque o servidor estava parado na hora marcada'}.
          </span>
        )}
        {error && <span>{error}</span>}
        {ticketId && (
          <Anchor component={Link} to={linkToTicket(ticketId)} size="sm">
            Abrir o atendimento
          </Anchor>
        )}
      </div>
      <dl className={classes.facts}>
        <Fact name="Contato">{schedule.contact.name}</Fact>
        <Fact name="Canal">{schedule.connection.name}</Fact>
        <Fact name="Data e hora marcadas">{formatDateTime(schedule.scheduleDate)}</Fact>
        {schedule.body && (
          <Fact name="Mensagem">
            <UserText text={schedule.body} />
          </Fact>
        )}
        {media && (
          <Fact name="Arquivo">
            <Anchor href={media.url} target="_blank" rel="noreferrer">
              {media.name}
            </Anchor>
          </Fact>
        )}
        {recurrence && <Fact name="Repetir">{recurrenceText(recurrence)}</Fact>}
        <Fact name="Agendada por">{schedule.createdBy?.name ?? schedule.rule ?? ''}</Fact>
      </dl>
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
