import { macroResource } from '@balcao/contract/macros.ts'
import { quickMessageScopes } from '@balcao/contract/quick-messages.ts'
import { Select, TextInput } from '@mantine/core'
import { describeStep } from '../../features/macros/describe.ts'
import { StepsField } from '../../features/macros/steps-field.tsx'
import { useNames } from '../../features/macros/use-names.ts'
import { ResourceScreen } from '../../kit/resource-screen.tsx'
import { useCurrentSession } from '../../kit/session.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { LibraryTabs } from './library-tabs.tsx'
import { scopeLabels } from './scope-labels.ts'

/** Several actions on a conversation under one name. */
export const MacrosTab = () => {
  const { userId, profile } = useCurrentSession()
  const { queues, nameOf } = useNames()
  const queueOf = (id: string | null) => queues.find((queue) => queue.id === id)
  return (
    <ResourceScreen
      resource={macroResource}
      title="Mensagens rápidas"
      purpose="Vários passos de uma vez: na conversa, digite \ e o nome da macro."
      emptyText="Junte o que você sempre faz em sequência: responder, etiquetar, transferir, encerrar."
      extraFilters={<LibraryTabs value="macros" />}
      canWrite={(row) => row.userId === userId || profile !== 'user'}
      check={({ scope, queueId }) =>
        scope === 'queue' && !queueId ? [{ path: 'queueId', message: 'Escolha a fila.' }] : []
      }
      labels={{ actions: 'Passos', scope: 'Quem usa', queueId: 'Fila' }}
      newValues={{ actions: [{ kind: 'send', body: '' }] }}
      columns={[
        {
          key: 'name',
          label: 'Nome',
          width: 220,
          render: (row) => <strong>{row.name}</strong>,
          csv: (row) => row.name,
        },
        {
          key: 'actions',
          label: 'Passos',
          wideOnly: true,
          render: (row) => row.actions.map((step) => describeStep(step, nameOf)).join(' → '),
          csv: (row) => row.actions.map((step) => describeStep(step, nameOf)).join(' → '),
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
      fields={(form) => (
        <>
          <TextInput label="Nome" required maxLength={60} data-autofocus {...form.getInputProps('name')} />
          <StepsField
            steps={form.values.actions}
            onChange={(actions) => form.setFieldValue('actions', actions)}
            errorOf={(path) => form.errors[path]}
          />
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
              data={queues.map((queue) => ({ value: queue.id, label: queue.name }))}
              {...form.getInputProps('queueId')}
            />
          )}
        </>
      )}
    />
  )
}
