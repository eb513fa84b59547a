import { type BoardCard, type BoardColumn, mostCounted } from '@balcao/contract/contacts/board.ts'
import { Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Board } from '../../../ui/board.tsx'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { type BoardAsked, boardQuery, useMoreCards, useMoveCard } from '../../contacts/board/api.ts'
import { contactQuery } from '../../contacts/contacts/queries.ts'
import { StartConversation } from '../inbox/start-conversation.tsx'
import classes from './contact-board.module.css'
import { ContactCard } from './contact-card.tsx'

const TaskDrawer = lazy(async () => ({ default: (await import('../../operations/tasks/task-drawer.tsx')).TaskDrawer }))

/** Contacts by stage or by tag. */
export const ContactBoard = ({ asked }: { asked: BoardAsked }) => {
  const board = useQuery({ ...boardQuery(asked), placeholderData: keepPreviousData })
  const mayWrite = useCan('contacts.write')
  const more = useMoreCards(asked)
  const move = useMoveCard(asked)
  const [talkingTo, setTalkingTo] = useState<string | null>(null)
  const [taskFor, setTaskFor] = useState<BoardCard | null>(null)
  const contact = useQuery({ ...contactQuery(talkingTo ?? ''), enabled: talkingTo !== null })
  if (board.isPending)
    return (
      <div className={classes.waiting} role="status" aria-label="Carregando">
        {[0, 1, 2, 3].map((n) => (
          <Skeleton key={n} height={220 - n * 30} width={288} radius="md" />
        ))}
      </div>
    )
  if (board.isError) return <ErrorState message={messageOf(board.error)} onRetry={() => void board.refetch()} />
  const { columns } = board.data
  if (columns.length === 1) return <NoColumns by={asked.by} />
  // By tags one contact stands in several columns: a card is itself and its column.
  const idOf = (columnId: string, cardId: string) => `${columnId}:${cardId}`
  const cards = (column: BoardColumn) =>
    column.cards.map((card) => ({ id: idOf(column.id, card.id), card, from: column.id }))
  return (
    <>
      <Board
        label={asked.by === 'kanban' ? 'Contatos por etapa' : 'Contatos por etiqueta'}
        columns={columns.map((column) => ({
          key: column.id,
          label: column.name,
          count: column.total,
          cards: cards(column),
          isLoadingMore: more.isPending && more.variables.id === column.id,
          onMore: () => column.nextCursor && !more.isPending && more.mutate(column),
          head: <Head column={column} />,
          none: (
            <Text c="dimmed" size="sm" ta="center" py="md">
              Nenhum contato aqui
            </Text>
          ),
        }))}
        takes={mayWrite ? ({ card, from }, key) => key !== from && !(asked.by === 'tag' && has(card, key)) : undefined}
        onMove={({ card, from }, to) => move.mutate({ card, from, to })}
        idIn={({ card }, to) => idOf(to, card.id)}
        draw={({ card, from }) => (
          <ContactCard
            card={card}
            shownTags={asked.by === 'tag' ? card.tags.filter((tag) => tag.id !== from) : card.tags}
            moves={
              mayWrite
                ? columns
                    .filter(({ id }) => id !== from && !(asked.by === 'tag' && has(card, id)))
                    .map(({ id, name, color }) => ({
                      id,
                      name,
                      color,
                      onMove: () => move.mutate({ card, from, to: id }),
                    }))
                : []
            }
            onTalk={() => setTalkingTo(card.id)}
            onTask={() => setTaskFor(card)}
          />
        )}
      />
      <StartConversation contact={(talkingTo !== null && contact.data) || null} onClose={() => setTalkingTo(null)} />
      <Suspense fallback={null}>
        {taskFor && (
          <TaskDrawer
            task={null}
            newLinks={{ contact: { value: taskFor.id, label: taskFor.name } }}
            onClose={() => setTaskFor(null)}
          />
        )}
      </Suspense>
    </>
  )
}

/** One column is no board: what it stands for comes first. */
const NoColumns = ({ by }: Pick<BoardAsked, 'by'>) => {
  const mayDefine = { kanban: useCan('lanes.write'), tag: useCan('tags.write') }[by]
  const words = {
    kanban: { title: 'Ainda não há etapas', what: 'etapas como “Novo”, “Em negociação” e “Cliente”', to: '/lanes' },
    tag: { title: 'Ainda não há etiquetas', what: 'etiquetas como “Atacado” e “Cliente VIP”', to: '/etiquetas' },
  }[by]
  return (
    <EmptyState
      title={words.title}
      action={
        mayDefine && (
          <GoTo to={`${words.to}?registro=novo`} label={by === 'kanban' ? 'Criar etapa' : 'Criar etiqueta'} />
        )
      }
    >
      {mayDefine ? 'Crie' : 'Quem administra cria'} {words.what}; os contatos passam de uma a outra neste quadro.
    </EmptyState>
  )
}

const has = (card: BoardCard, tagId: string) => card.tags.some(({ id }) => id === tagId)

const Head = ({ column: { name, color, total, limit } }: { column: BoardColumn }) => {
  const isFull = limit !== null && total > limit
  const text = total > mostCounted ? `${formatNumber(mostCounted)}+` : formatNumber(total)
  return (
    <h2 className={classes.heading}>
      {color ? <ColorDot color={color} label={name} /> : <span className="truncate">{name}</span>}
      <span
        className={`tabular ${classes.count}`}
        data-full={isFull}
        title={isFull ? `Acima do limite de ${formatNumber(limit)}` : undefined}
      >
        {limit === null ? text : `${text} de ${formatNumber(limit)}`}
      </span>
    </h2>
  )
}
