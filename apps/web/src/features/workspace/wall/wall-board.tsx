import type { WallAgent, WallCard, WallGroup } from '@balcao/contract/conversations/wall.ts'
import { Text } from '@mantine/core'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Board } from '../../../ui/board.tsx'
import { ColumnHead } from './column-head.tsx'
import { type Column, expectedCard, patchFor } from './columns.ts'
import type { useWall } from './use-wall.ts'
import { WallTicket } from './wall-card.tsx'

type Props = {
  columns: Column[]
  group: WallGroup
  wall: ReturnType<typeof useWall>
  onOpen: (id: string) => void
  onMove: (card: WallCard) => void
  onPauses: (agent: WallAgent) => void
}

/** Who waits longest first in each column; a card let go in another changes hands. */
export const WallBoard = ({ columns, group, wall, onOpen, onMove, onPauses }: Props) => {
  const { userId: selfId, username } = useCurrentSession()
  const canWork = useCan('tickets.write')
  const canLead = useCan('users.supervise')
  const takenBy = new Set(columns.filter((column) => column.takes).map((column) => column.key))
  const take = (card: WallCard) => {
    const patch = { isTransference: true, userId: selfId }
    void wall.change(card, patch, { ...expectedCard(card, patch, columns), username })
  }
  return (
    <Board
      label="Colunas do painel"
      columns={columns.map((column) => {
        const page = wall.cards.data?.[column.key]
        const cards = page?.items ?? []
        const kicker = group === 'user' && !column.agent && column.key.startsWith('queue:') ? 'Sem atendente' : null
        const count = column.open + column.pending
        return {
          key: column.key,
          label: kicker ? `${kicker}: ${column.title}` : column.title,
          count,
          cards,
          isLoadingMore: wall.loading.has(column.key),
          onMore: page?.hasMore ? () => void wall.more(column.key) : undefined,
          head: (
            <ColumnHead
              column={column}
              kicker={kicker}
              total={page && !page.hasMore ? cards.length : count}
              onPauses={canLead ? onPauses : undefined}
            />
          ),
          none: (
            <Text c="dimmed" fz={13} ta="center" px={12} py={16}>
              {page?.hasMore ? 'Carregando…' : 'Nenhum atendimento'}
            </Text>
          ),
        }
      })}
      takes={canWork ? (card, key) => takenBy.has(key) && patchFor(card, key, group, selfId) !== undefined : undefined}
      onMove={(card, key) => {
        const patch = patchFor(card, key, group, selfId)
        if (patch) void wall.change(card, patch, expectedCard(card, patch, columns))
      }}
      draw={(card, key) => (
        <WallTicket
          card={card}
          selfId={selfId}
          canWork={canWork}
          showsAgent={group !== 'user'}
          showsQueue={!key.startsWith('queue:')}
          onOpen={onOpen}
          onTake={take}
          onMove={onMove}
          onPriority={(card, priority) => void wall.change(card, { priority }, { ...card, priority })}
        />
      )}
    />
  )
}
