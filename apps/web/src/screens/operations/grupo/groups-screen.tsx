import { memberRoleLabels } from '@balcao/contract/conversations/groups.ts'
import type { GroupRow } from '@balcao/contract/operations/group-list.ts'
import { ActionIcon, Anchor, Button, Switch, Tooltip } from '@mantine/core'
import { IconListCheck, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { connectionList } from '../../../features/channels/connections/api.ts'
import {
  allGroups,
  exportGroups,
  groupList,
  mostChosen,
  refreshGroups,
} from '../../../features/operations/groups/api.ts'
import { groupsKey } from '../../../features/operations/groups/live.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { notify } from '../../../ui/notify.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import classes from './groups-screen.module.css'

const GroupDrawer = lazy(async () => ({ default: (await import('./group-drawer.tsx')).GroupDrawer }))
const ResultsDrawer = lazy(async () => ({ default: (await import('./results-drawer.tsx')).ResultsDrawer }))

/** The chosen groups, or all that the list shows. */
export type Meant = {
  ids: string[]
  rows: GroupRow[]
  all?: { searchParam: string; connectionIds: string[]; isAdmin: boolean }
  count: number
}
type Props = {
  title: string
  purpose: string
  actions?: ReactNode
  /** What can be done with those that are chosen. */
  bulk: (meant: Meant, done: () => void) => ReactNode
  children?: ReactNode
}

/** Groups of all channels: searched, narrowed, chosen one by one or all, and what is under way with them. */
export const GroupsScreen = ({ title, purpose, actions, bulk, children }: Props) => {
  const cache = useQueryClient()
  const [search] = useUrlState('busca')
  const [connectionIds, setConnections] = useUrlList('canal')
  const [only, setOnly] = useUrlState('admin')
  const { opened, setOpened } = useOpened()
  const { opened: results, setOpened: setResults } = useOpened('resultado')
  // To and fro inside the drawer is no step of its own.
  const [, changeResults] = useUrlState('resultado')
  const able = useQuery(connectionList).data?.filter(({ abilities }) => abilities.supports.includes('groupMessages'))
  const hasNone = able?.length === 0
  const mayWrite = useCan('groups.write')
  const filter = { searchParam: search, connectionIds, isAdmin: only === 'sim' }
  const list = useInfiniteQuery({ ...groupList(filter), placeholderData: keepRows, staleTime: 0 })
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? []
  const total = list.data?.pages[0]?.count ?? rows.length
  // Kept with what is known of them: another search does not show them, and they stay chosen.
  const [chosen, setChosen] = useState<ReadonlyMap<string, GroupRow>>(new Map())
  const [isAll, setAll] = useState(false)
  const [allOf, setAllOf] = useState<string | null>(null)
  const shownNow = JSON.stringify(filter)
  const allLoaded =
    rows.length > 0 && rows.every(({ id }) => chosen.has(id)) && total > rows.length && allOf !== shownNow
  const now = new Map(rows.map((row) => [row.id, row]))
  const meant: Meant = isAll
    ? { ids: [], rows, all: filter, count: total }
    : { ids: [...chosen.keys()], rows: [...chosen.values()].map((row) => now.get(row.id) ?? row), count: chosen.size }
  const choose = (ids: ReadonlySet<string>) => {
    const known = new Map([...chosen, ...now])
    setChosen(new Map([...known].filter(([id]) => ids.has(id))))
    setAll(false)
    setAllOf(null)
  }
  const chooseAll = useMutation({
    mutationFn: async () => {
      if (total > mostChosen) return setAll(true)
      const all = await allGroups(filter)
      setChosen((before) => new Map([...before, ...all.map((row) => [row.id, row] as const)]))
      setAllOf(shownNow)
    },
    onError: (error) => notify.error(reasonOf(error)),
  })
  // Of those that another search shows it is said that they are still meant.
  const elsewhere = list.hasNextPage || isAll ? 0 : chosen.size - rows.filter(({ id }) => chosen.has(id)).length
  const done = () => choose(new Set())
  const refresh = useMutation({
    mutationFn: refreshGroups,
    onSuccess: ({ groups, problems }) => {
      void cache.invalidateQueries({ queryKey: groupsKey })
      for (const { connection, reason } of problems) notify.error(`${connection.name}: ${reason}`)
      if (groups || !problems.length)
        notify.success(groups === 1 ? '1 grupo nos canais.' : `${formatNumber(groups)} grupos nos canais.`)
    },
    onError: (error) => notify.error(reasonOf(error)),
  })
  const shown = rows.find(({ id }) => id === opened)
  return (
    <ReadingScreen<GroupRow>
      title={title}
      purpose={purpose}
      searchLabel="Buscar grupo"
      actions={
        <>
          <Tooltip label="Resultados por grupo">
            <ActionIcon
              variant="default"
              size={36}
              aria-label="Resultados por grupo"
              onClick={() => setResults('lista')}
            >
              <IconListCheck size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Atualizar lista">
            <ActionIcon
              variant="default"
              size={36}
              aria-label="Atualizar lista"
              loading={refresh.isPending}
              onClick={() => refresh.mutate()}
            >
              <IconRefresh size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
          <ExportButton onExport={() => exportGroups(filter)} />
          {actions}
        </>
      }
      filters={
        <>
          <FilterMenu
            label="Canal"
            options={(able ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={connectionIds}
            onChange={setConnections}
          />
          <Switch
            label="Só onde administramos"
            checked={only === 'sim'}
            onChange={(event) => setOnly(event.currentTarget.checked ? 'sim' : '')}
          />
        </>
      }
      progress={
        <>
          <BulkProgress only={({ kind }) => kind === 'groupAct' || kind === 'undoGroupAct'} />
          <BulkProgress kind="exportGroups" />
        </>
      }
      list={list}
      rowName={({ name }) => name}
      selected={mayWrite ? new Set(chosen.keys()) : undefined}
      onSelect={mayWrite ? choose : undefined}
      bulkActions={
        <>
          {allLoaded && !isAll && (
            <Anchor component="button" type="button" size="sm" onClick={() => chooseAll.mutate()}>
              Escolher todos os {formatNumber(total)} grupos
            </Anchor>
          )}
          {elsewhere > 0 && <span className={classes.all}>{formatNumber(elsewhere)} fora desta busca</span>}
          {isAll && <span className={classes.all}>Todos os {formatNumber(total)} grupos da lista</span>}
          {bulk(meant, done)}
        </>
      }
      onOpen={(row) => setOpened(row.id)}
      empty={{
        title: hasNone ? 'Nenhum canal com grupos' : 'Nenhum grupo por aqui ainda',
        text: hasNone
          ? 'Conecte um WhatsApp por QR code, um gateway ou um bot do Telegram.'
          : 'Toque em “Atualizar lista” para perguntar aos canais em que grupos eles estão.',
        action: hasNone ? (
          <GoTo to="/sessoes" label="Ver canais" />
        ) : (
          <Button variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
            Atualizar lista
          </Button>
        ),
      }}
      under={({ connection, members, ourRole }) =>
        `${connection.name} · ${formatNumber(members)} ${members === 1 ? 'pessoa' : 'pessoas'}${ourRole ? ` · ${memberRoleLabels[ourRole]}` : ''}`
      }
      columns={[
        {
          key: 'name',
          label: 'Grupo',
          render: ({ name, profilePicUrl }) => (
            <span className={classes.name}>
              <Avatar name={name} src={profilePicUrl} size={28} />
              <span className="truncate">{name}</span>
            </span>
          ),
        },
        { key: 'connection', label: 'Canal', width: 200, wideOnly: true, render: ({ connection }) => connection.name },
        {
          key: 'members',
          label: 'Pessoas',
          width: 100,
          wideOnly: true,
          render: ({ members }) => <span className="tabular">{members ? formatNumber(members) : '—'}</span>,
        },
        {
          key: 'ourRole',
          label: 'Este número é',
          width: 160,
          wideOnly: true,
          render: ({ ourRole }) =>
            ourRole ? (
              <StatusDot tone={ourRole === 'member' ? 'quiet' : 'good'} label={memberRoleLabels[ourRole]} />
            ) : (
              '—'
            ),
        },
        {
          key: 'isAdminsOnly',
          label: 'Quem escreve',
          width: 160,
          wideOnly: true,
          render: ({ isAdminsOnly }) => (isAdminsOnly === null ? '—' : isAdminsOnly ? 'Administradores' : 'Todos'),
        },
      ]}
    >
      <Suspense fallback={null}>
        {shown && <GroupDrawer row={shown} onClose={() => setOpened(null)} />}
        {results && <ResultsDrawer opened={results} onOpen={changeResults} onClose={() => setResults(null)} />}
      </Suspense>
      {children}
    </ReadingScreen>
  )
}
