import { useCan } from '../../../kit/use-can.ts'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { AddConnection } from '../sessoes/add-connection.tsx'
import { ConnectionBoard } from '../sessoes/connection-board.tsx'

export default function SmsScreen() {
  if (!useCan('connections.write')) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="SMS"
          purpose="As contas por onde a empresa envia e recebe mensagens de texto."
          actions={<AddConnection kind="sms" />}
        />
      }
    >
      <ConnectionBoard
        kinds={['sms']}
        empty={{
          title: 'Nenhuma conta de SMS ainda',
          text: 'Adicione uma da Twilio, da Zenvia, da SMSDev ou da Comtele: o contato é o mesmo do WhatsApp, pelo telefone.',
        }}
      />
    </Page>
  )
}
