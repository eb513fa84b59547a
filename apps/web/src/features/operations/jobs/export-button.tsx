import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { receiveJob } from '../../conversations/tickets/bulk-api.ts'

/** Asks for the list as a spreadsheet; `BulkProgress` of its kind shows how far it is, and the file. */
export const ExportButton = ({ onExport }: { onExport: () => Promise<BulkJob> }) => {
  const cache = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const handleExport = async () => {
    setBusy(true)
    try {
      receiveJob(cache, await onExport())
    } catch (error) {
      notify.error(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <Tooltip label="Exportar CSV">
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Exportar CSV"
        loading={isBusy}
        onClick={() => void handleExport()}
      >
        <IconDownload size={18} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
}
