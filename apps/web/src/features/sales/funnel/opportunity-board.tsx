import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import type { Stage } from '@balcao/contract/sales/pipelines.ts'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf, problemsOf } from '../../../kit/api-error.ts'
import { formatCents, formatNumber } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Board } from '../../../ui/board.tsx'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { type BoardAsked, boardQuery, useMoreCards, useMoveOpportunity } from './api.ts'
import classes from './funnel.module.css'
import { OpportunityCard } from './opportunity-card.tsx'

type Props = {
  asked: BoardAsked
  stages: readonly Stage[]
  /** With a stage: the form asks for what that one requires. */
  onOpen: (id: string, stageId?: string) => void
  onEnd: (card: Opportunity, status: 'win' | 'lose') => void
  onWrite: (card: Opportunity) => void
}

/** The opportunities of a pipeline by stage, with what each stage comes to. */
export const OpportunityBoard = ({ asked, stages, onOpen, onEnd, onWrite }: Props) => {
  const mayWrite = useCan('funnel.write')
  const board = useQuery(boardQuery(asked))
  const more = useMoreCards(asked)
  const { shown, move } = useMoveOpportunity(asked, ({ card, stageId }, error) => {
    if (problemsOf(error).length) onOpen(card.id, stageId)
    else notify.error(messageOf(error))
  })
  if (board.isPending)
    return (
      <div className={classes.waiting} role="status" aria-label="Carregando">
        {[0, 1, 2, 3].map((n) => (
          <Skeleton key={n} height={220 - n * 30} width={288} radius="md" />
        ))}
      </div>
    )
  if (board.isError) return <ErrorState message={messageOf(board.error)} onRetry={() => void board.refetch()} />
  const columns = shown(board.data.columns)
  return (
    <Board
      label="Oportunidades por etapa"
      columns={columns.flatMap((column) => {
        const stage = stages.find(({ id }) => id === column.stageId)
        if (!stage) return []
        return {
          key: column.stageId,
          label: stage.name,
          count: column.total,
          cards: column.cards,
          isLoadingMore: more.isPending && more.variables.stageId === column.stageId,
          onMore: () => column.nextCursor && !more.isPending && more.mutate(column),
          head: (
            <div className={classes.columnHead}>
              <h2 className={classes.heading}>
                <ColorDot color={stage.color} label={stage.name} />
                <span className={classes.sums}>{formatNumber(column.total)}</span>
              </h2>
              <span className={classes.sums} title={`Ponderado: vezes a probabilidade da etapa, ${stage.probability}%`}>
                {formatCents(column.value)} · ponderado{' '}
                {formatCents(Math.round((column.value * stage.probability) / 100))}
              </span>
            </div>
          ),
          none: (
            <Text c="dimmed" size="sm" ta="center" py="md">
              Nenhuma oportunidade aqui
            </Text>
          ),
        }
      })}
      takes={mayWrite ? (card, stageId) => card.stageId !== stageId : undefined}
      onMove={(card, stageId) => move(columns, card, stageId)}
      draw={(card) => {
        const stage = stages.find(({ id }) => id === card.stageId)
        return (
          stage && (
            <OpportunityCard
              card={card}
              stage={stage}
              others={stages.filter(({ id }) => id !== card.stageId)}
              onOpen={() => onOpen(card.id)}
              onMove={(stageId) => move(columns, card, stageId)}
              onEnd={(status) => onEnd(card, status)}
              onWrite={() => onWrite(card)}
            />
          )
        )
      }}
    />
  )
}
