import { useCan } from '../../../kit/use-can.ts'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { AddConnection } from '../sessoes/add-connection.tsx'
import { ConnectionBoard } from '../sessoes/connection-board.tsx'
import { MailAccounts } from './mail-accounts.tsx'

export default function SmtpScreen() {
  if (!useCan('connections.write')) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="E-mail"
          purpose="As caixas em que os clientes escrevem, e as contas de onde saem os avisos da empresa."
          actions={<AddConnection kind="email" />}
        />
      }
    >
      <MailAccounts />
      <ConnectionBoard
        kinds={['email']}
        empty={{
          title: 'Nenhuma caixa de e-mail ainda',
          text: 'Adicione a caixa que os clientes conhecem: o que chega nela vira atendimento, e a resposta sai dela.',
        }}
      />
    </Page>
  )
}
