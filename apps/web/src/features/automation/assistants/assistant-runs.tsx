import { type AssistantRun, runOutcomeLabels } from '@balcao/contract/automation/assistants/assistants.ts'
import { handOverReasonLabels } from '@balcao/contract/automation/assistants/config.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Anchor, Collapse, Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { moneyOf } from '../models/money.ts'
import { editorPath, ticketRunsQuery } from './api.ts'
import classes from './assistant-runs.module.css'
import { AssistantSwitch } from './assistant-switch.tsx'
import { RunSteps } from './run-steps.tsx'

/** Who answers this conversation by itself, and what assistants did in it: why, with what, at what cost. */
export const AssistantRuns = ({ ticket }: { ticket: Ticket }) => {
  const runs = useQuery({ ...ticketRunsQuery(ticket.id, ticket.updatedAt), placeholderData: (before) => before })
  return (
    <>
      <AssistantSwitch ticket={ticket} />
      {runs.isError && <ErrorState message={messageOf(runs.error)} onRetry={() => void runs.refetch()} />}
      {runs.isPending && <SkeletonList rows={2} />}
      {runs.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          Nenhum assistente respondeu nesta conversa.
        </Text>
      )}
      <ul className={classes.runs}>
        {runs.data?.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </ul>
    </>
  )
}

const Run = ({ run }: { run: AssistantRun }) => {
  const [isOpen, setOpen] = useState(false)
  const mayOpen = useCan('assistants.write')
  const { assistant, version, startedAt, asked, outcome, handOver, steps, passages, costMicros, ms, problem } = run
  return (
    <li className={classes.run}>
      <UnstyledButton className={classes.head} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronRight size={15} stroke={1.75} className={classes.chevron} data-open={isOpen} aria-hidden />
        <span className={classes.name}>{outcome ? runOutcomeLabels[outcome] : 'Pensando…'}</span>
      </UnstyledButton>
      <Text size="xs" c="dimmed" lineClamp={2}>
        “{asked}”
      </Text>
      <Text size="xs" c="dimmed">
        {[
          formatDateTime(startedAt),
          `${assistant.name}, versão ${version}`,
          handOver && handOverReasonLabels[handOver],
          `${(ms / 1_000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} s`,
          moneyOf(costMicros),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {problem && <span className={classes.problem}>{problem}</span>}
      <Collapse expanded={isOpen}>
        <RunSteps steps={steps} passages={passages} />
        {mayOpen && (
          <Anchor component={Link} size="xs" to={editorPath(assistant.id)}>
            Abrir o assistente
          </Anchor>
        )}
      </Collapse>
    </li>
  )
}
