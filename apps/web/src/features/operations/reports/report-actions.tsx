import type { ReportDefinition } from '@balcao/contract/operations/reports/definitions.ts'
import { type ReportFile, reportFiles } from '@balcao/contract/operations/reports/reports.ts'
import type { ReportView } from '@balcao/contract/operations/reports/views.ts'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconBookmark, IconDownload, IconPencil, IconPlus, IconPrinter } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { reasonOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { notify } from '../../../ui/notify.ts'
import { receiveJob } from '../../conversations/tickets/bulk-api.ts'
import { addressOfView, downloadReport, exportList, type Query, reportViewList, viewParam } from './api.ts'
import { ViewDialog } from './view-dialog.tsx'

const fileNames: Record<ReportFile, string> = { csv: 'CSV', xlsx: 'Excel', pdf: 'PDF' }
type Props = { report: ReportDefinition; query: Query; filters: Query }

/** What one takes along: the report as a file or on paper, the rows behind it as a spreadsheet. */
export const ReportDownloads = ({ report, query, filters }: Props) => {
  const cache = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work().catch((error) => notify.error(reasonOf(error)))
    setBusy(false)
  }
  const { lists } = report
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="Exportar" loading={isBusy}>
          <IconDownload size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Este relatório</Menu.Label>
        {reportFiles.map((format) => (
          <Menu.Item key={format} onClick={() => void run(() => downloadReport(report.key, format, query))}>
            {fileNames[format]}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
          Imprimir
        </Menu.Item>
        {lists && (
          <>
            <Menu.Label>{lists === 'tickets' ? 'Cada atendimento' : 'Cada contato'}</Menu.Label>
            {(['csv', 'xlsx'] as const).map((format) => (
              <Menu.Item
                key={format}
                onClick={() => void run(async () => receiveJob(cache, await exportList(lists, format, filters)))}
              >
                Lista em {fileNames[format]}
              </Menu.Item>
            ))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Reports saved of this one: to open, to change, or to save another. */
export const SavedViews = ({ report }: { report: ReportDefinition }) => {
  const views = useQuery(reportViewList)
  const go = useNavigate()
  const { search } = useLocation()
  const [edited, setEdited] = useState<ReportView | 'new' | null>(null)
  const mine = (views.data ?? []).filter((view) => view.report === report.key)
  const params = new URLSearchParams(search)
  const named = params.get(viewParam)
  params.delete(viewParam)
  const current = params.toString()
  const shown = mine.find(({ id }) => id === named) ?? mine.find(({ query }) => isSame(query, current))
  const isChanged = shown !== undefined && !isSame(shown.query, current)
  const { userId } = useCurrentSession()
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
            {shown ? `${shown.name}${isChanged ? ' (alterado)' : ''}` : 'Salvos'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mine.map((view) => (
            <Menu.Item key={view.id} onClick={() => void go(addressOfView(view))}>
              {view.name}
            </Menu.Item>
          ))}
          {mine.length > 0 && <Menu.Divider />}
          {shown && shown.userId === userId && (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEdited(shown)}>
              Editar “{shown.name}”
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
            Salvar e enviar por e-mail…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {edited && (
        <ViewDialog
          saved={edited === 'new' ? null : edited}
          report={report.key}
          current={current}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

/** The same filters, in whatever order they were chosen. */
const isSame = (one: string, other: string) => sorted(one) === sorted(other)
const sorted = (query: string) => {
  const params = new URLSearchParams(query)
  params.sort()
  return params.toString()
}
