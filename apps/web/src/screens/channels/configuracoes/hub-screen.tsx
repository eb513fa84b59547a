import { useCan } from '../../../kit/use-can.ts'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { AddConnection } from '../sessoes/add-connection.tsx'
import { ConnectionBoard } from '../sessoes/connection-board.tsx'
import { GatewayServer } from './gateway-server.tsx'
import { HubChannels } from './hub-channels.tsx'

const ofAccounts = {
  title: 'Conta do NotificaMe',
  gone: 'Token excluído.',
  test: 'Testar token',
  edit: 'Trocar token',
  ask: 'Informe uma vez o token da conta do NotificaMe. Os canais dela aparecem aqui, e cada um se conecta com um toque.',
  give: 'Informar token',
  given: 'token informado.',
  what: 'a conta',
}

export default function HubScreen() {
  if (!useCan('connections.write')) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="NotificaMe Hub"
          purpose="Um só token, e os canais da conta que entram aqui."
          actions={<AddConnection kind="hub" />}
        />
      }
    >
      <GatewayServer kind="hub" words={ofAccounts} />
      <HubChannels />
      <ConnectionBoard
        kinds={['hub']}
        empty={{
          title: 'Nenhum canal do hub conectado ainda',
          text: 'Informe o token da conta e conecte um dos canais dela, ou adicione um à mão.',
        }}
      />
    </Page>
  )
}
