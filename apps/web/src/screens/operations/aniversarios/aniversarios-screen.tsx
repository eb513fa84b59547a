import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { type Birthday, greetingLabels } from '@balcao/contract/operations/birthdays.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconSend2, IconSettings } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { userOptions } from '../../../features/people/users/api.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { allRows } from '../../../kit/resource-api.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useGo } from '../../../kit/use-go.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import classes from './aniversarios-screen.module.css'
import { birthdaySummary, birthdaysList, exportBirthdays } from './birthdays-api.ts'
import { MonthLine } from './month-line.tsx'

const GreetDialog = lazy(async () => ({ default: (await import('./greet-dialog.tsx')).GreetDialog }))
const WishesDrawer = lazy(async () => ({ default: (await import('./wishes-drawer.tsx')).WishesDrawer }))

/** Whose day it is today and in the next 30 days, and who was congratulated. */
export default function AniversariosScreen() {
  const go = useGo()
  const [when, setWhen] = useUrlState('quando', 'proximos')
  const [userIds, setUsers] = useUrlList('responsavel')
  const [tagIds, setTags] = useUrlList('etiqueta')
  const people = useQuery(userOptions).data ?? []
  const tags = useQuery(allRows<Tag>(tagResource)).data ?? []
  const query = { onlyToday: when === 'hoje', userIds, tagIds }
  const list = useInfiniteQuery({
    ...birthdaysList(query),
    placeholderData: keepRows,
    staleTime: 0,
  })
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? []
  const summary = useQuery({ ...birthdaySummary, staleTime: 0 })
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [greeting, setGreeting] = useState<readonly string[] | null>(null)
  const [showsWishes, setWishes] = useState(false)
  const maySend = useCan('schedules.write')
  const mayExport = useCan('contacts.export')
  const left = summary.data?.left ?? 0
  const chosen = rows.filter((row) => marked.has(row.id) && mayGreet(row))
  return (
    <ReadingScreen<Birthday>
      title="Aniversários"
      purpose="Quem faz anos hoje e nos próximos 30 dias, e quem já recebeu os parabéns."
      actions={
        <>
          {mayExport && <ExportButton onExport={() => exportBirthdays(query)} />}
          <Button
            variant="default"
            leftSection={<IconSettings size={18} aria-hidden />}
            onClick={() => setWishes(true)}
          >
            Canais
          </Button>
          {maySend && (
            <Button
              leftSection={<IconSend2 size={17} aria-hidden />}
              disabled={left === 0}
              onClick={() => setGreeting([])}
            >
              {left ? `Parabenizar hoje (${left})` : 'Parabenizar hoje'}
            </Button>
          )}
        </>
      }
      filters={
        <>
          <SegmentedControl
            aria-label="Quando"
            data={[
              { value: 'hoje', label: 'Hoje' },
              { value: 'proximos', label: 'Próximos 30 dias' },
            ]}
            value={when}
            onChange={setWhen}
          />
          <FilterMenu
            label="Responsável"
            options={people.map(({ id, name }) => ({ value: id, label: name }))}
            value={userIds}
            onChange={setUsers}
          />
          <FilterMenu
            label="Etiqueta"
            options={tags.map(({ id, name }) => ({ value: id, label: name }))}
            value={tagIds}
            onChange={setTags}
          />
        </>
      }
      progress={<BulkProgress kind="exportBirthdays" />}
      above={summary.data && <MonthLine summary={summary.data} />}
      list={list}
      rowName={(row) => row.name}
      selected={maySend && when === 'hoje' ? new Set(rows.flatMap(({ id }) => (marked.has(id) ? id : []))) : undefined}
      onSelect={maySend && when === 'hoje' ? setMarked : undefined}
      bulkActions={
        <Button
          size="xs"
          variant="light"
          leftSection={<IconSend2 size={16} aria-hidden />}
          disabled={chosen.length === 0}
          onClick={() => setGreeting(chosen.map(({ id }) => id))}
        >
          {chosen.length ? `Parabenizar (${chosen.length})` : 'Já receberam os parabéns'}
        </Button>
      }
      onOpen={(row, event) => go(`/contatos?registro=${row.id}`, event)}
      empty={{
        title: 'Ninguém faz aniversário nestes dias',
        text: 'Preencha a data de aniversário nos contatos para lembrar deles aqui.',
        action: <GoTo to="/contatos" label="Ver contatos" />,
      }}
      under={(row) => (
        <>
          {dayText(row)} · {row.state ? greetingLabels[row.state] : row.isOptedOut ? noCampaigns : ageText(row)}
        </>
      )}
      columns={[
        { key: 'name', label: 'Contato', render: (row) => row.name },
        {
          key: 'day',
          label: 'Dia',
          width: 130,
          wideOnly: true,
          render: (row) => (row.isToday ? <strong>Hoje</strong> : dayText(row)),
        },
        { key: 'age', label: 'Faz', width: 90, wideOnly: true, render: ageText },
        {
          key: 'owners',
          label: 'Responsável',
          width: 180,
          wideOnly: true,
          render: (row) => row.owners.map(({ name }) => name).join(', ') || '—',
        },
        {
          key: 'number',
          label: 'Telefone',
          width: 160,
          wideOnly: true,
          render: (row) => (row.number ? <PhoneText number={row.number} /> : '—'),
        },
        { key: 'state', label: 'Parabéns', width: 300, wideOnly: true, render: (row) => <State row={row} /> },
      ]}
    >
      <Suspense fallback={null}>
        {greeting && (
          <GreetDialog
            contactIds={greeting}
            count={greeting.length || left}
            onClose={() => setGreeting(null)}
            onSent={() => setMarked(new Set())}
          />
        )}
        {showsWishes && <WishesDrawer onClose={() => setWishes(false)} />}
      </Suspense>
    </ReadingScreen>
  )
}

/** Only on the day itself, and once. */
const mayGreet = ({ isToday, state }: Birthday) =>
  isToday && (state === null || state === 'refused' || state === 'failed')

const noCampaigns = 'Não quer receber campanhas'
const tones = { waiting: 'waiting', sent: 'good', failed: 'bad', refused: 'quiet' } as const satisfies Record<
  string,
  StatusTone
>
const State = ({ row: { state, problem, connection, isOptedOut } }: { row: Birthday }) => {
  if (!state) return isOptedOut ? <StatusDot tone="quiet" label={noCampaigns} /> : '—'
  return (
    <span className={classes.state}>
      <StatusDot tone={tones[state]} label={greetingLabels[state]} />
      <span className={classes.meta}>{problem ?? connection}</span>
    </span>
  )
}

const dayFormat = new Intl.DateTimeFormat('pt-BR', {
  day: 'numeric',
  month: 'short',
  weekday: 'short',
  timeZone: 'UTC',
})
const dayText = ({ day, isToday }: Birthday) => (isToday ? 'Hoje' : dayFormat.format(new Date(`${day}T00:00:00Z`)))
const ageText = ({ day, birthdayDate }: Birthday) => {
  const age = Number(day.slice(0, 4)) - Number(birthdayDate.slice(0, 4))
  return age > 0 && age < 130 ? (age === 1 ? '1 ano' : `${age} anos`) : '—'
}
