import { useChangeParams, useUrlState } from '../../../kit/url-state.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { ImportFlow } from './import-flow.tsx'
import { ImportStart } from './import-start.tsx'

/** A file of contacts from its first look to its undo; without one in hand, where to drop it and what came before. */
export default function ImportarScreen() {
  const [importId] = useUrlState('importacao')
  const change = useChangeParams()
  const open = (id: string | null) =>
    change((params) => (id ? params.set('importacao', id) : params.delete('importacao')))
  return (
    <Page
      header={
        <PageHeader
          title="Importar contatos"
          purpose="Traga contatos de uma planilha, de um vCard ou da agenda de um canal. Você pode desfazer por 30 dias."
        />
      }
    >
      {importId ? <ImportFlow key={importId} importId={importId} onOpen={open} /> : <ImportStart onOpen={open} />}
    </Page>
  )
}
