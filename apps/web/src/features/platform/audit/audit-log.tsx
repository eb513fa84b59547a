import type { AuditEntry } from '@balcao/contract/platform/audit.ts'
import { auditAction, auditEntities, auditSubject } from '@balcao/contract/platform/audit-words.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime, formatExact } from '../../../kit/format.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { loadingOverlay } from '../../../ui/loading-overlay.tsx'
import { notify } from '../../../ui/notify.ts'
import { type AuditFilter, type AuditSource, auditList } from './api.ts'
import { EntryDrawer } from './entry-drawer.tsx'
import { whoOf } from './who.ts'

type Props<Entry> = {
  source: AuditSource
  title: string
  purpose: string
  filter: AuditFilter
  filters: ReactNode
  onExport: (filter: AuditFilter) => Promise<void>
  /** How far an export is. */
  progress?: ReactNode
  /** Beside when, who, action and what. */
  extraColumn?: Column<Entry>
}

/** What was done, latest first: a table, the filters that work on it, each entry before and after, and the CSV. */
export const AuditLog = <Entry extends AuditEntry>({
  source,
  filter,
  extraColumn,
  onExport,
  progress,
  ...words
}: Props<Entry>) => {
  const list = useInfiniteQuery(auditList<Entry>(source, filter))
  const [opened, setOpened] = useState<Entry | null>(null)
  const handleExport = () =>
    loadingOverlay
      .during(onExport(filter).then(() => list.refetch()))
      .catch((error: unknown) => notify.error(messageOf(error)))

  return (
    <ReadingScreen<Entry>
      title={words.title}
      purpose={words.purpose}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() => void handleExport()}
        >
          Exportar CSV
        </Button>
      }
      filters={words.filters}
      progress={progress}
      list={list}
      rowName={(row) => `${auditAction(row.action)} ${auditSubject(row)}`.trim()}
      onOpen={setOpened}
      activeId={opened?.id}
      empty={{ title: 'Nada foi mudado ainda', text: 'O que a equipe criar, alterar ou excluir aparece aqui.' }}
      under={(row) => [auditSubject(row), formatDateTime(row.at), whoOf(row)].filter(Boolean).join(' · ')}
      columns={[
        {
          key: 'action',
          label: 'O que foi feito',
          render: (row) => (
            <span>
              {auditAction(row.action)} · {auditEntities[row.entity] ?? row.entity}
            </span>
          ),
        },
        {
          key: 'subject',
          label: 'Qual',
          wideOnly: true,
          render: (row) => <span className="truncate">{auditSubject(row) || '—'}</span>,
        },
        ...(extraColumn ? [extraColumn] : []),
        { key: 'who', label: 'Quem', width: 220, wideOnly: true, render: whoOf },
        {
          key: 'at',
          label: 'Quando',
          width: 160,
          wideOnly: true,
          render: (row) => (
            <time className="tabular" dateTime={row.at} title={formatExact(row.at)}>
              {formatDateTime(row.at)}
            </time>
          ),
        },
      ]}
    >
      <EntryDrawer entry={opened} onClose={() => setOpened(null)} />
    </ReadingScreen>
  )
}
