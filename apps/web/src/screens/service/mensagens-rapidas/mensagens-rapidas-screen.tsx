import { quickMessageProblems, quickMessageResource } from '@balcao/contract/service/quick-messages.ts'
import { TextInput } from '@mantine/core'
import { VariablePreview } from '../../../features/contacts/variables/variable-preview.tsx'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { MediaField } from '../../../features/core/media/media-field.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { LibraryTabs } from './library-tabs.tsx'
import { MacrosTab } from './macros-tab.tsx'
import { ScopeFields, useScopeColumn } from './scope.tsx'

/** What is kept ready: texts, and series of steps. */
export default function MensagensRapidasScreen() {
  const [tab] = useUrlState('aba')
  return tab === 'macros' ? <MacrosTab key="macros" /> : <QuickMessagesTab key="mensagens" />
}

const QuickMessagesTab = () => {
  const { userId } = useCurrentSession()
  const mayShare = useCan('quick-messages.share')
  const scopeColumn = useScopeColumn()
  return (
    <ResourceScreen
      resource={quickMessageResource}
      extraFilters={<LibraryTabs value="mensagens" />}
      purpose="Respostas prontas: na conversa, digite / e o atalho."
      emptyText="Guarde aqui o que você escreve todo dia, como o horário de funcionamento ou os dados para pagamento."
      rowName={(row) => `/${row.key}`}
      canWrite={(row) => row.userId === userId || mayShare}
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
        scopeColumn,
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
          <ScopeFields scope={form.values.scope} inputOf={(field) => form.getInputProps(field)} />
        </>
      )}
    />
  )
}
