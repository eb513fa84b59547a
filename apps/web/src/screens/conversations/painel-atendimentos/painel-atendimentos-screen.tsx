import { type WallAgent, type WallCard, type WallGroup, wallGroups } from '@balcao/contract/conversations/wall.ts'
import { Button, SegmentedControl, Switch, Tooltip } from '@mantine/core'
import { IconDeviceTv, IconLayoutBoard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { queueOptions } from '../../../features/core/pickers/options.ts'
import { columnsOf, isIdle } from '../../../features/workspace/wall/columns.ts'
import { useWall } from '../../../features/workspace/wall/use-wall.ts'
import { WallBoard } from '../../../features/workspace/wall/wall-board.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
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
            <WallBoard
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
      ticketId={card.id}
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
