import { Button } from '@mantine/core'
import { IconHandGrab } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { countersQuery } from '../../conversations/tickets/api.ts'
import { narrowingOf, type TicketFilter } from '../../conversations/tickets/filter.ts'
import classes from './take-next-bar.module.css'

type Props = { filter: TicketFilter; isBusy: boolean; onTake: () => void }

/** Under the list, as long as somebody waits: one press from the next customer. */
export const TakeNextBar = ({ filter, isBusy, onTake }: Props) => {
  const waiting = useQuery(countersQuery(narrowingOf(filter))).data?.pending ?? 0
  if (waiting === 0) return null
  return (
    <div className={classes.bar}>
      <Button
        fullWidth
        variant="light"
        leftSection={<IconHandGrab size={17} stroke={1.75} aria-hidden />}
        title="Assumir próximo (Ctrl+G)"
        loading={isBusy}
        onClick={onTake}
      >
        Assumir próximo
      </Button>
    </div>
  )
}
