import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Button } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { useCan } from '../../../kit/use-can.ts'
import { resumeTicket } from '../../conversations/tickets/handling.ts'
import classes from './pause-banner.module.css'
import { pausedText } from './pause-text.ts'
import { useTicketCall } from './use-ticket-call.ts'

/** The conversation is put away: until when, and why. */
export const PauseBanner = ({ ticket }: { ticket: Ticket }) => {
  const canWork = useCan('tickets.write')
  const { busy, run } = useTicketCall()
  return (
    <div className={classes.banner} role="status">
      <IconPlayerPause size={17} stroke={1.75} className={classes.icon} aria-hidden />
      <span className={classes.words}>
        {pausedText(ticket)} {ticket.pauseReason && <span className={classes.reason}>{ticket.pauseReason}</span>}
      </span>
      {canWork && (
        <Button
          variant="default"
          size="compact-sm"
          loading={busy}
          onClick={() => void run(() => resumeTicket(ticket.id))}
        >
          Retomar
        </Button>
      )}
    </div>
  )
}
