import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { Anchor, Popover } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '../../../kit/format.ts'
import { jobRefusalsQuery } from '../../conversations/tickets/bulk-api.ts'
import classes from './bulk-progress.module.css'

/** Why some could not be done, each reason with how many. */
export const JobRefusals = ({ job }: { job: BulkJob }) => {
  const [isOpen, setOpen] = useState(false)
  const refusals = useQuery({ ...jobRefusalsQuery(job.id), enabled: isOpen })
  return (
    <Popover opened={isOpen} onChange={setOpen} width={320} shadow="md" withinPortal>
      <Popover.Target>
        <Anchor component="button" type="button" size="sm" onClick={() => setOpen(!isOpen)}>
          Ver motivos
        </Anchor>
      </Popover.Target>
      <Popover.Dropdown>
        {refusals.isError && <span className={classes.hint}>Não foi possível ler os motivos. Tente de novo.</span>}
        {refusals.isPending && <span className={classes.hint}>Lendo…</span>}
        <ul className={classes.reasons}>
          {(refusals.data ?? []).map(({ reason, count }) => (
            <li key={reason}>
              <span className="tabular">{formatNumber(count)}</span> · {reason}
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
