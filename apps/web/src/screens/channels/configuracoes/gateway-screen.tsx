import { gatewayKinds } from '@balcao/contract/channels/hosts.ts'
import { integrations } from '@balcao/contract/core/integrations/index.ts'
import { useLocation } from 'react-router'
import { useCan } from '../../../kit/use-can.ts'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { AddConnection } from '../sessoes/add-connection.tsx'
import { ConnectionBoard } from '../sessoes/connection-board.tsx'
import { GatewayServer } from './gateway-server.tsx'

/** One page per WhatsApp gateway, named by its path: the company's server, and the channels that stand there. */
export default function GatewayScreen() {
  const { pathname } = useLocation()
  const kind = gatewayKinds.find((one) => pathname.endsWith(`/${one}`))
  const mayWrite = useCan('connections.write')
  if (!mayWrite || !kind) return <ForbiddenState />
  const { label } = integrations[kind]
  return (
    <Page
      header={
        <PageHeader
          title={label}
          purpose="O servidor da empresa, informado uma vez, e os canais que ficam nele."
          actions={<AddConnection kind={kind} />}
        />
      }
    >
      <GatewayServer kind={kind} />
      <ConnectionBoard
        kinds={[kind]}
        empty={{
          title: `Nenhum canal pela ${label} ainda`,
          text: 'Adicione um: dê um nome e leia o código com o WhatsApp do telefone.',
        }}
      />
    </Page>
  )
}
