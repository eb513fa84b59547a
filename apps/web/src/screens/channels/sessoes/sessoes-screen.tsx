import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { connectionList, exportConnections } from '../../../features/channels/connections/api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { AddConnection } from './add-connection.tsx'
import classes from './connection-board.module.css'
import { ConnectionBoard } from './connection-board.tsx'
import { ConnectionFilters, ConnectionTroubles, useConnectionsFilter } from './connection-filters.tsx'
import { DiarioScreen } from './diario-screen.tsx'

export default function SessoesScreen() {
  const { connectionId } = useParams()
  const mayWrite = useCan('connections.write')
  if (connectionId) return <DiarioScreen key={connectionId} connectionId={connectionId} />
  if (!mayWrite) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="Canais"
          purpose="Por onde os clientes falam com a sua empresa."
          actions={
            <>
              <ExportConnections />
              <AddConnection />
            </>
          }
        >
          <ConnectionFilters />
        </PageHeader>
      }
    >
      <div className={classes.progress}>
        <BulkProgress kind="exportConnections" />
      </div>
      <ConnectionTroubles />
      <ConnectionBoard
        empty={{
          title: 'Nenhum canal ligado ainda',
          text: 'Comece pelo chat do seu site, que não depende de ninguém, ou ligue o WhatsApp da empresa.',
        }}
      />
    </Page>
  )
}

/** What the filters show, as a spreadsheet. */
const ExportConnections = () => {
  const filter = useConnectionsFilter()
  return useQuery(connectionList).data?.length ? <ExportButton onExport={() => exportConnections(filter)} /> : null
}
