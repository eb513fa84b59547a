import { momentAt } from '@balcao/contract/core/wall-time.ts'
import type { CampaignRow } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dayOf, formatDate, plural } from '../../../kit/format.ts'
import { MonthGrid, type MonthItem, useMonth } from '../../../kit/month-grid.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { type CampaignsAsked, campaignsBetween } from './api.ts'
import { conflictsOf } from './conflicts.ts'
import { stateLabelOf } from './words.ts'

type Props = { asked: CampaignsAsked; onOpen: (id: string) => void; onShowDay: (day: string) => void }

const mostShown = 3
/** When campaigns begin, and which of them share a channel at the same time. */
export const CampaignCalendar = ({ asked, onOpen, onShowDay }: Props) => {
  const { timezone } = useCurrentSession().user.tenant
  const at = useMonth()
  const [first = '', last = first] = [at.days[0], at.days.at(-1)]
  const list = useQuery(campaignsBetween({ ...asked, dateFrom: first, dateTo: last }))
  const rows = (list.data ?? []).filter((one) => beginOf(one) !== null)
  const conflicts = conflictsOf(rows)
  return (
    <>
      {conflicts.slice(0, mostShown).map(({ one, other, connection, from }) => (
        <Alert key={`${one.id}${other.id}${connection}`} variant="light" color="amber" mb="sm">
          {one.name} e {other.name} usam {connection} ao mesmo tempo, a partir de {formatDate(from)}: dividem o ritmo do
          canal.
        </Alert>
      ))}
      {conflicts.length > mostShown && (
        <Text size="sm" c="dimmed" mb="sm">
          E mais {plural(conflicts.length - mostShown, 'conflito', 'conflitos')} neste mês.
        </Text>
      )}
      <MonthGrid
        at={at}
        list={list}
        items={rows.flatMap((one) => itemsOf(one, at.days, timezone)).toSorted(byTime)}
        none="Nenhuma campanha neste mês."
        onOpen={onOpen}
        onCreate={() => {}}
        onShowDay={onShowDay}
        createLabel={() => undefined}
      />
    </>
  )
}

/** What begins on a day by its hour, then what goes on. */
const byTime = (a: MonthItem, b: MonthItem) =>
  Number(a.isAllDay ?? false) - Number(b.isAllDay ?? false) || a.at.localeCompare(b.at)

/** At its beginning with the hour, and on every day after it on which it may still send. */
const itemsOf = (one: CampaignRow, days: readonly string[], timezone: string): MonthItem[] => {
  const begin = beginOf(one) ?? ''
  const [first, last] = [dayOf(begin), dayOf(endOf(one) ?? begin)]
  const item = {
    ...{ id: one.id, label: one.name, title: `${one.name}: ${stateLabelOf(one)}`, ...marks[one.state] },
  }
  const later = days.filter(
    (day) => day > first && day <= last && one.window.days.includes(new Date(`${day}T12:00:00Z`).getUTCDay()),
  )
  return [
    { ...item, at: begin },
    ...later.map((day) => ({ ...item, at: momentAt(`${day}T12:00`, timezone), isAllDay: true })),
  ]
}
const endOf = ({ finishedAt, endsAbout, endsAt }: CampaignRow) => finishedAt ?? endsAbout ?? endsAt
const beginOf = ({ startedAt, startsAt }: CampaignRow) => startedAt ?? startsAt
const marks: Record<CampaignRow['state'], Pick<MonthItem, 'mark' | 'isStruck'>> = {
  draft: {},
  approval: {},
  scheduled: { mark: 'coming' },
  preparing: { mark: 'doing' },
  running: { mark: 'doing' },
  paused: { mark: 'failed' },
  finished: { mark: 'done' },
  canceled: { mark: 'canceled', isStruck: true },
}
