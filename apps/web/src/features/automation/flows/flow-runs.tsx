import type { FlowRun } from '@balcao/contract/automation/flows/flows.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Anchor, Collapse, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime, formatDuration, formatTime } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './flow-runs.module.css'

/** What flows did in a conversation: which way, why, how long it took, and what they had learned. */
export const FlowRuns = ({ ticket }: { ticket: Ticket }) => {
  const runs = useQuery({
    // Each of its steps changes the conversation.
    queryKey: ['tickets', 'flow-runs', ticket.id, ticket.updatedAt],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: FlowRun[] }>(`/tickets/${ticket.id}/flow-runs`, { signal, quiet: true })).items,
    placeholderData: (before) => before,
  })
  if (runs.isError) return <ErrorState message={messageOf(runs.error)} onRetry={() => void runs.refetch()} />
  if (!runs.data) return <SkeletonList rows={2} />
  if (!runs.data.length)
    return (
      <Text size="sm" c="dimmed">
        Nenhum fluxo atendeu esta conversa.
      </Text>
    )
  return (
    <ul className={classes.runs}>
      {runs.data.map((run, at) => (
        <Run key={run.id} run={run} isOpenAtFirst={at === 0} />
      ))}
    </ul>
  )
}

const Run = ({ run, isOpenAtFirst }: { run: FlowRun; isOpenAtFirst: boolean }) => {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const mayOpen = useCan('flows.write')
  const { flow, version, startedBy, startedAt, outcome, steps, vars } = run
  const learned = Object.entries(vars).filter(([, value]) => value)
  return (
    <li className={classes.run}>
      <UnstyledButton className={classes.head} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronRight size={15} stroke={1.75} className={classes.chevron} data-open={isOpen} aria-hidden />
        <span className={classes.name}>{flow.name}</span>
        <span className={classes.meta}>versão {version.number}</span>
      </UnstyledButton>
      <Text size="xs" c="dimmed">
        {formatDateTime(startedAt)} · {startedBy} · {outcome}
      </Text>
      <Collapse expanded={isOpen}>
        <ol className={classes.steps}>
          {steps.map(({ stepId, nodeId, label, note, said, at, ms, problem }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one step may be told of twice, and they never change places
            <li key={`${stepId} ${nodeId} ${n}`} className={classes.step}>
              <span className={classes.label}>{label}</span>
              {note && <span className={classes.note}>{note}</span>}
              {said && <span className={classes.said}>{said}</span>}
              {problem && (
                <span className={classes.problem}>
                  <IconAlertTriangle size={14} aria-hidden /> {problem}
                </span>
              )}
              <span className={classes.meta} title={`${Math.round(ms)} ms do servidor`}>
                {[formatTime(at), tookAt(steps, n)].filter(Boolean).join(' · ')}
              </span>
            </li>
          ))}
        </ol>
        {learned.length > 0 && (
          <dl className={classes.vars}>
            {learned.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{isMessageId(value) ? 'Arquivo, na conversa' : value}</dd>
              </div>
            ))}
          </dl>
        )}
        {mayOpen && (
          <Anchor component={Link} size="xs" to={`/chat-flow/builder/${flow.id}`}>
            Abrir o fluxo
          </Anchor>
        )}
      </Collapse>
    </li>
  )
}

/** A file is kept by the message that carries it. */
const isMessageId = (value: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)

/** How long it stood there, until the step after it; what comes at once is not worth a word. */
const tookAt = (steps: FlowRun['steps'], n: number): string | undefined => {
  const [at, next] = [steps[n]?.at, steps[n + 1]?.at]
  const took = at && next ? Date.parse(next) - Date.parse(at) : 0
  return took >= 1_000 ? formatDuration(took) : undefined
}
