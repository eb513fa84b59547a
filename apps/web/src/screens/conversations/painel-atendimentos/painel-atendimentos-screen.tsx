import { type WallAgent, type WallCard, type WallGroup, wallGroups } from '@balcao/contract/conversations/wall.ts'
import { ActionIcon, Button, SegmentedControl, Select, Switch, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight, IconDeviceTv, IconLayoutBoard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { Virtuoso } from 'react-virtuoso'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { queueOptions } from '../../../features/core/pickers/options.ts'
import { type Column, columnsOf, expectedCard, isIdle, patchFor } from '../../../features/workspace/wall/columns.ts'
import { useWall } from '../../../features/workspace/wall/use-wall.ts'
import { BoardColumn } from '../../../features/workspace/wall/wall-column.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './painel-atendimentos.module.css'
import { useTvMode } from './use-tv-mode.ts'

const MonitorDrawer = lazy(async () => ({
  default: (await import('../../../features/workspace/wall/monitor-drawer.tsx')).MonitorDrawer,
}))
const PausesDrawer = lazy(async () => ({
  default: (await import('../../../features/workspace/wall/pauses-drawer.tsx')).PausesDrawer,
}))
const TransferDialog = lazy(async () => ({
  default: (await import('../../../features/workspace/inbox/transfer-dialog.tsx')).TransferDialog,
}))

const groupLabels: Record<WallGroup, string> = { user: 'Por atendente', queue: 'Por fila', status: 'Por estado' }
const isGroup = (value: string): value is WallGroup => wallGroups.some((group) => group === value)

/** The supervisor's wall: who serves whom, who waits, and a hand on all of it. */
export default function PainelAtendimentosScreen() {
  const [groupText, setGroup] = useUrlState('agrupar', 'user')
  const [queuesIds, setQueues] = useUrlList('fila')
  const [whatsappIds, setConnections] = useUrlList('canal')
  const [openId, setOpenId] = useUrlState('atendimento')
  const [showsIdle, setShowsIdle] = useState(false)
  const [moving, setMoving] = useState<Pick<WallCard, 'id' | 'userId'> | null>(null)
  const [pausesOf, setPausesOf] = useState<WallAgent | null>(null)
  const tv = useTvMode()
  const group = isGroup(groupText) ? groupText : 'user'
  const asked = useMemo(() => ({ group, queuesIds, whatsappIds }), [group, queuesIds, whatsappIds])
  const wall = useWall(asked)
  const queues = useQuery(queueOptions)
  const connections = useQuery(connectionList)

  const all = useMemo(
    () => (wall.heads.data ? columnsOf(wall.heads.data, group, queues.data ?? []) : []),
    [wall.heads.data, group, queues.data],
  )
  const idle = all.filter(isIdle).length
  const columns = showsIdle ? all : all.filter((column) => !isIdle(column))
  const total = all.reduce((sum, column) => sum + column.open + column.pending, 0)
  const late = all.reduce((sum, column) => sum + column.late, 0)

  return (
    <div className={classes.frame} data-tv={tv.isOn}>
      <Page
        header={
          <PageHeader
            title="Painel de atendimentos"
            purpose={
              wall.heads.data
                ? `${plural(total, 'atendimento ativo', 'atendimentos ativos')}, ${plural(late, 'atrasado', 'atrasados')}.`
                : 'Quem atende quem, e quem espera, agora.'
            }
            actions={
              <Tooltip label={tv.isOn ? 'Sair do modo TV' : 'Tela cheia, com letras maiores'}>
                <Button
                  variant={tv.isOn ? 'filled' : 'default'}
                  aria-pressed={tv.isOn}
                  leftSection={<IconDeviceTv size={18} aria-hidden />}
                  onClick={tv.toggle}
                >
                  Modo TV
                </Button>
              </Tooltip>
            }
          >
            <SegmentedControl
              aria-label="Agrupar"
              value={group}
              onChange={setGroup}
              data={wallGroups.map((value) => ({ value, label: groupLabels[value] }))}
            />
            <FilterMenu
              label="Filas"
              options={(queues.data ?? []).map(({ id, name, color }) => ({
                value: id,
                label: name,
                mark: <ColorDot color={color} />,
              }))}
              value={queuesIds}
              onChange={setQueues}
            />
            <FilterMenu
              label="Canais"
              options={(connections.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              value={whatsappIds}
              onChange={setConnections}
            />
            {idle > 0 && (
              <Switch
                label={plural(idle, 'pessoa offline', 'pessoas offline')}
                checked={showsIdle}
                onChange={(event) => setShowsIdle(event.currentTarget.checked)}
              />
            )}
          </PageHeader>
        }
      >
        {wall.cards.data && wall.heads.data ? (
          columns.length > 0 ? (
            <Board
              columns={columns}
              group={group}
              wall={wall}
              onOpen={setOpenId}
              onMove={setMoving}
              onPauses={setPausesOf}
            />
          ) : (
            <EmptyState icon={<IconLayoutBoard size={26} stroke={1.5} />} title="Nada por aqui">
              Quando houver atendentes conectados ou atendimentos ativos, eles aparecem aqui.
            </EmptyState>
          )
        ) : wall.cards.isError ? (
          <ErrorState message={messageOf(wall.cards.error)} onRetry={() => void wall.cards.refetch()} />
        ) : (
          <div className={classes.waiting}>
            {[0, 1, 2, 3].map((n) => (
              <SkeletonList key={n} rows={5} height={96} />
            ))}
          </div>
        )}
      </Page>
      <Suspense fallback={null}>
        {openId && <MonitorDrawer ticketId={openId} onMove={setMoving} onClose={() => setOpenId('')} />}
        {pausesOf && <PausesDrawer person={pausesOf} onClose={() => setPausesOf(null)} />}
        {moving && <MoveDialog card={moving} wall={wall} onClose={() => setMoving(null)} />}
      </Suspense>
    </div>
  )
}

type BoardProps = {
  columns: Column[]
  group: WallGroup
  wall: ReturnType<typeof useWall>
  onOpen: (id: string) => void
  onMove: (card: WallCard) => void
  onPauses: (agent: WallAgent) => void
}

const Board = ({ columns, group, wall, onOpen, onMove, onPauses }: BoardProps) => {
  const { userId: selfId, username } = useCurrentSession()
  const canWork = useCan('tickets.write')
  const canLead = useCan('users.supervise')
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const [dragged, setDragged] = useState<WallCard | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const at = Math.max(
    0,
    columns.findIndex((column) => column.key === chosen),
  )

  const drop = (key: string) => {
    const patch = dragged && patchFor(dragged, key, group, selfId)
    setDragged(null)
    if (dragged && patch) void wall.change(dragged, patch, expectedCard(dragged, patch, columns))
  }
  const draw = (column: Column) => (
    <BoardColumn
      column={column}
      page={wall.cards.data?.[column.key]}
      kicker={group === 'user' && !column.agent && column.key.startsWith('queue:') ? 'Sem atendente' : null}
      isTarget={column.takes && dragged !== null && patchFor(dragged, column.key, group, selfId) !== undefined}
      selfId={selfId}
      canWork={canWork}
      showsAgent={group !== 'user'}
      isLoadingMore={wall.loading.has(column.key)}
      onMore={(key) => void wall.more(key)}
      onDrop={drop}
      onPauses={canLead ? onPauses : undefined}
      onDrag={setDragged}
      onOpen={onOpen}
      onMove={onMove}
      onTake={(card) => {
        const patch = { isTransference: true, userId: selfId }
        void wall.change(card, patch, { ...expectedCard(card, patch, columns), username })
      }}
      onPriority={(card, priority) => void wall.change(card, { priority }, { ...card, priority })}
    />
  )
  const current = columns[at]
  if (isNarrow && current)
    return (
      <div className={classes.single}>
        <div className={classes.picker}>
          <ActionIcon
            variant="default"
            size={42}
            aria-label="Coluna anterior"
            disabled={at === 0}
            onClick={() => setChosen(columns[at - 1]?.key ?? null)}
          >
            <IconChevronLeft size={18} />
          </ActionIcon>
          <Select
            aria-label="Coluna"
            size="md"
            flex={1}
            searchable
            allowDeselect={false}
            data={columns.map((column) => ({
              value: column.key,
              label: `${column.title} (${column.open + column.pending})`,
            }))}
            value={current.key}
            onChange={setChosen}
          />
          <ActionIcon
            variant="default"
            size={42}
            aria-label="Próxima coluna"
            disabled={at === columns.length - 1}
            onClick={() => setChosen(columns[at + 1]?.key ?? null)}
          >
            <IconChevronRight size={18} />
          </ActionIcon>
        </div>
        <div className={classes.one}>{draw(current)}</div>
      </div>
    )
  return (
    <Virtuoso
      horizontalDirection
      className={classes.board}
      data={columns}
      computeItemKey={(_, column) => column.key}
      defaultItemHeight={312}
      increaseViewportBy={320}
      itemContent={(_, column) => <div className={classes.slot}>{draw(column)}</div>}
      aria-label="Colunas do painel"
    />
  )
}

type MoveProps = {
  card: Pick<WallCard, 'id' | 'userId'>
  wall: ReturnType<typeof useWall>
  onClose: () => void
}
/** "Mover para…": what dragging does, for the keyboard, with a word for whoever takes over. */
const MoveDialog = ({ card, wall, onClose }: MoveProps) => {
  const [busy, setBusy] = useState(false)
  const isDone = useRef(false)
  return (
    <TransferDialog
      busy={busy}
      currentUserId={card.userId}
      onClose={onClose}
      onTransfer={async ({ note, name: _name, ...to }) => {
        if (isDone.current) return
        setBusy(true)
        isDone.current = await wall.move(card.id, { ...to, isTransference: true, ...(note && { note }) })
        setBusy(false)
        if (isDone.current) onClose()
      }}
    />
  )
}
