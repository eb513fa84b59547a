import { type Queue, queueResource } from '@balcao/contract/queues.ts'
import { quickMessageProblems, quickMessageResource, quickMessageScopes } from '@balcao/contract/quick-messages.ts'
import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MediaField } from '../../features/media/media-field.tsx'
import { VariablePreview } from '../../features/variables/variable-preview.tsx'
import { VariableTextarea } from '../../features/variables/variable-textarea.tsx'
import { allRows } from '../../kit/resource-api.ts'
import { ResourceScreen } from '../../kit/resource-screen.tsx'
import { useCurrentSession } from '../../kit/session.ts'
import { useUrlState } from '../../kit/url-state.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { LibraryTabs } from './library-tabs.tsx'
import { MacrosTab } from './macros-tab.tsx'
import { scopeLabels } from './scope-labels.ts'

/** What is kept ready: texts, and series of steps. */
export default function MensagensRapidasScreen() {
  const [tab] = useUrlState('aba')
  return tab === 'macros' ? <MacrosTab key="macros" /> : <QuickMessagesTab key="mensagens" />
}

const QuickMessagesTab = () => {
  const { userId, profile } = useCurrentSession()
  const queues = useQuery(allRows<Queue>(queueResource))
  const queueOf = (id: string | null) => queues.data?.find((queue) => queue.id === id)
  return (
    <ResourceScreen
      resource={quickMessageResource}
      extraFilters={<LibraryTabs value="mensagens" />}
      purpose="Respostas prontas: na conversa, digite / e o atalho."
      emptyText="Guarde aqui o que você escreve todo dia, como o horário de funcionamento ou os dados para pagamento."
      rowName={(row) => `/${row.key}`}
      canWrite={(row) => row.userId === userId || profile !== 'user'}
      check={quickMessageProblems}
      labels={{ message: 'Mensagem', scope: 'Quem usa', queueId: 'Fila', mediaId: 'Arquivo' }}
      columns={[
        {
          key: 'key',
          label: 'Atalho',
          width: 180,
          render: (row) => <strong>/{row.key}</strong>,
          csv: (row) => row.key,
        },
        {
          key: 'message',
          label: 'Mensagem',
          render: (row) => row.message || row.media?.name,
          csv: (row) => row.message,
        },
        {
          key: 'scope',
          label: 'Quem usa',
          width: 190,
          wideOnly: true,
          render: (row) => {
            const queue = row.scope === 'queue' ? queueOf(row.queueId) : undefined
            return queue ? <ColorDot color={queue.color} label={queue.name} /> : scopeLabels[row.scope]
          },
          csv: (row) => queueOf(row.queueId)?.name ?? scopeLabels[row.scope],
        },
      ]}
      fields={(form, row) => (
        <>
          <TextInput
            label="Atalho"
            required
            leftSection="/"
            maxLength={40}
            data-autofocus
            {...form.getInputProps('key')}
          />
          <VariableTextarea
            label="Mensagem"
            maxLength={4_000}
            value={form.values.message}
            onChange={(message) => form.setFieldValue('message', message)}
            error={form.errors.message}
          />
          {form.values.message && <VariablePreview text={form.values.message} />}
          <MediaField label="Arquivo" media={row?.media ?? null} {...form.getInputProps('mediaId')} />
          <Select
            label="Quem usa"
            data={quickMessageScopes.map((value) => ({ value, label: scopeLabels[value] }))}
            allowDeselect={false}
            {...form.getInputProps('scope')}
          />
          {form.values.scope === 'queue' && (
            <Select
              label="Fila"
              required
              searchable
              data={(queues.data ?? []).map((queue) => ({ value: queue.id, label: queue.name }))}
              {...form.getInputProps('queueId')}
            />
          )}
        </>
      )}
    />
  )
}
