import { type Integration, integrationResource } from '@balcao/contract/core/integrations/index.ts'
import { IntegrationForm } from '../../../features/core/integrations/integration-form.tsx'
import { IntegrationState } from '../../../features/core/integrations/integration-state.tsx'
import { type FormAsked, ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'
import { useOpened } from '../../../kit/use-opened.ts'
import { notify } from '../../../ui/notify.ts'

/** The company's systems that hear of what happens: a view of the integrations of that one kind. */
export default function WebhooksScreen() {
  return (
    <ResourceScreen
      resource={webhooks}
      purpose="Sistemas da empresa avisados do que acontece aqui: conversas, mensagens e contatos."
      createLabel="Adicionar webhook"
      emptyText="Informe o endereço do seu sistema e escolha o que ele quer saber. Cada aviso vai assinado, e o que não for entregue é tentado de novo."
      query={onlyWebhooks}
      columns={[
        { key: 'name', label: 'Nome' },
        {
          key: 'state',
          label: 'Situação',
          render: (row) => <IntegrationState of={row} />,
          csv: ({ stateText }) => stateText,
        },
        changedColumn('Alterado'),
      ]}
      form={(asked) => <WebhookForm key={asked.row?.id ?? 'novo'} {...asked} />}
    />
  )
}

const webhooks = { ...integrationResource, label: { one: 'Webhook', many: 'Webhooks' } }
const onlyWebhooks = { kind: 'webhook' }

const WebhookForm = ({ row, onClose, onSaved, onDelete }: FormAsked<Integration>) => {
  const { setOpened } = useOpened()
  const handleSaved = (saved: Integration) => {
    notify.success(row ? 'Alterações salvas.' : `${saved.name}: webhook adicionado.`)
    onSaved()
    setOpened(row ? null : saved.id) // a new one can be tested now, and has a key to copy
  }
  return <IntegrationForm kind="webhook" row={row} onClose={onClose} onSaved={handleSaved} onDelete={onDelete} />
}
