import type { FlowProblem } from '@balcao/contract/automation/flows/flows.ts'
import { titleOf } from '@balcao/contract/automation/flows/problems.ts'
import { ActionIcon, Text } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconX } from '@tabler/icons-react'
import { useBuilder, useDesk } from '../../../features/automation/flows/builder-context.ts'
import listClasses from './problems-panel.module.css'
import classes from './step-panel.module.css'

type ListProps = { problems: readonly FlowProblem[]; onShow: (problem: FlowProblem) => void }

/** What is wrong, what hinders first; a click leads to its step. */
export const ProblemList = ({ problems, onShow }: ListProps) => {
  const { desk } = useBuilder()
  const nodes = useDesk(desk, (state) => state.nodes)
  const sorted = problems.toSorted((a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'))
  return (
    <ul className={listClasses.list}>
      {sorted.map((problem) => {
        const Icon = problem.level === 'error' ? IconAlertCircle : IconAlertTriangle
        const where = problem.nodeId === null ? 'Configurações do fluxo' : titleOf(nodes.get(problem.nodeId))
        return (
          <li key={`${problem.nodeId} ${problem.path} ${problem.message}`}>
            <button
              type="button"
              className={listClasses.problem}
              data-level={problem.level}
              onClick={() => onShow(problem)}
            >
              <Icon size={17} aria-label={problem.level === 'error' ? 'Impede a publicação' : 'Aviso'} />
              <span className={listClasses.words}>
                <strong>{where}</strong>
                <span>{problem.message}</span>
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

export const ProblemsPanel = ({ onClose, ...list }: ListProps & { onClose: () => void }) => (
  <aside className={classes.panel} aria-label="Problemas do fluxo">
    <header className={classes.head}>
      <h2 className={classes.title}>Antes de publicar</h2>
      <ActionIcon size={32} aria-label="Fechar painel" onClick={onClose}>
        <IconX size={17} stroke={1.75} />
      </ActionIcon>
    </header>
    <div className={classes.fields}>
      {list.problems.length ? <ProblemList {...list} /> : <Text c="dimmed">Nada a corrigir.</Text>}
    </div>
  </aside>
)
