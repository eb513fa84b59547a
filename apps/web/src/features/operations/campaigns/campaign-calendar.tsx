import { type CampaignRow, campaignStateLabels } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatDate } from '../../../kit/format.ts'
import { MonthGrid, type MonthItem, useMonth } from '../../../kit/month-grid.tsx'
import { type CampaignsAsked, campaignsBetween } from './api.ts'
import { conflictsOf } from './conflicts.ts'

type Props = { asked: CampaignsAsked; onOpen: (id: string) => void; onShowDay: (day: string) => void }

/** When campaigns begin, and which of them share a channel at the same time. */
export const CampaignCalendar = ({ asked, onOpen, onShowDay }: Props) => {
  const at = useMonth()
  const [first = '', last = first] = [at.days[0], at.days.at(-1)]
  const list = useQuery(campaignsBetween({ ...asked, dateFrom: first, dateTo: last }))
  const rows = (list.data ?? []).filter((one) => beginOf(one) !== null)
  const conflicts = conflictsOf(rows)
  return (
    <>
      {conflicts.slice(0, 3).map(({ one, other, connection, from }) => (
        <Alert key={`${one.id}${other.id}${connection}`} variant="light" color="amber" mb="sm">
          {one.name} e {other.name} usam {connection} ao mesmo tempo, a partir de {formatDate(from)}: dividem o ritmo do
          canal.
        </Alert>
      ))}
      <MonthGrid
        at={at}
        list={list}
        items={rows.map(
          (one): MonthItem => ({
            id: one.id,
            at: beginOf(one) ?? '',
            label: one.name,
            title: `${one.name}: ${campaignStateLabels[one.state]}`,
            ...marks[one.state],
          }),
        )}
        none="Nenhuma campanha neste mês."
        onOpen={onOpen}
        onCreate={() => {}}
        onShowDay={onShowDay}
        createLabel={() => undefined}
      />
    </>
  )
}

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
