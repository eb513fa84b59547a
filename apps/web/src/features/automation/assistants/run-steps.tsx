import type { Passage, RunStep } from '@balcao/contract/automation/assistants/assistants.ts'
import { Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import classes from './assistant-runs.module.css'

const kinds: Record<RunStep['kind'], string> = {
  model: 'Modelo',
  tool: 'Ferramenta',
  rule: 'Regra',
  search: 'Busca no conhecimento',
}

/** How an answer came about: what was searched, asked, called and refused. */
export const RunSteps = ({ steps, passages }: { steps: readonly RunStep[]; passages: readonly Passage[] }) => (
  <>
    <ol className={classes.steps}>
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are told once, and never change places
        <li key={at} className={classes.step}>
          <span className={classes.label}>
            {kinds[step.kind]}
            {step.kind === 'tool' && `: ${step.name}`}
          </span>
          {step.reason && <span className={classes.note}>{step.reason}</span>}
          {step.kind === 'tool' && step.input && <code className={classes.code}>{step.input}</code>}
          {step.output && <span className={classes.note}>{step.output}</span>}
          {step.problem && (
            <span className={classes.problem}>
              <IconAlertTriangle size={14} aria-hidden /> {step.problem}
            </span>
          )}
          <span className={classes.meta}>{Math.round(step.ms)} ms</span>
        </li>
      ))}
    </ol>
    {passages.length > 0 && (
      <details className={classes.passages}>
        <summary>{passages.length === 1 ? '1 trecho usado' : `${passages.length} trechos usados`}</summary>
        {passages.map(({ chunkId, source, heading, body }) => (
          <blockquote key={chunkId} className={classes.passage}>
            <Text size="xs" fw={600}>
              {[source, heading].filter(Boolean).join(' · ')}
            </Text>
            <Text size="xs">{body}</Text>
          </blockquote>
        ))}
      </details>
    )}
  </>
)
