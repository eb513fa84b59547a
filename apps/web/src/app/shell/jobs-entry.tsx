import { UnstyledButton } from '@mantine/core'
import { IconProgress } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { bulkJobsQuery, isUnderWay } from '../../features/conversations/tickets/bulk-api.ts'
import classes from './menu.module.css'

/** What runs in my name, from anywhere; nothing while nothing does. Events tell of it: the shell asks for no list. */
export const JobsEntry = () => {
  const { data } = useQuery({ ...bulkJobsQuery, enabled: false })
  const running = (data ?? []).filter(isUnderWay)
  if (!running.length) return null
  const total = running.reduce((sum, job) => sum + job.total, 0)
  const done = running.reduce((sum, job) => sum + job.done + job.failed, 0)
  const percent = total ? Math.min(100, Math.floor((done / total) * 100)) : 0
  return (
    <UnstyledButton component={Link} to="/andamento" className={classes.entry} aria-label={`Em andamento: ${percent}%`}>
      <IconProgress size={20} stroke={1.75} aria-hidden />
      <span className="tabular">{percent}%</span>
    </UnstyledButton>
  )
}
