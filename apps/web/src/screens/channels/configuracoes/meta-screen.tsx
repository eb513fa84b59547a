import { useCan } from '../../../kit/use-can.ts'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { AddConnection } from '../sessoes/add-connection.tsx'
import { ConnectionBoard } from '../sessoes/connection-board.tsx'

export default function MetaScreen() {
  if (!useCan('connections.write')) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="Meta"
          purpose="WhatsApp oficial, Instagram e Messenger: um aplicativo da Meta atende quantos números e páginas você tiver."
          actions={<AddConnection />}
        />
      }
    >
      <ConnectionBoard
        kinds={['waba', 'instagram', 'messenger']}
        empty={{
          title: 'Nenhum canal da Meta ainda',
          text: 'Adicione um número do WhatsApp oficial, uma conta do Instagram ou uma página do Facebook. O formulário diz, passo a passo, o que copiar do painel da Meta.',
        }}
      />
    </Page>
  )
}
