import { actionKinds, definitionOf, describeAction } from '@balcao/contract/conversations/actions/index.ts'
import { macroResource } from '@balcao/contract/service/macros.ts'
import { TextInput } from '@mantine/core'
import { ActionsField } from '../../../features/service/actions/actions-field.tsx'
import { useNames } from '../../../features/service/actions/use-names.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { LibraryTabs } from './library-tabs.tsx'
import { ScopeFields, useScopeColumn } from './scope.tsx'

/** Several actions on a conversation under one name. */
export const MacrosTab = () => {
  const { userId, user } = useCurrentSession()
  const mayShare = useCan('quick-messages.share')
  const offered = actionKinds.filter((kind) => {
    const { can, canChoose = can } = definitionOf(kind)
    return user.permissions.includes(canChoose)
  })
  const { nameOf } = useNames()
  const scopeColumn = useScopeColumn()
  return (
    <ResourceScreen
      resource={macroResource}
      title="Mensagens rápidas"
      purpose="Vários passos de uma vez: na conversa, digite \ e o nome da macro."
      emptyText="Junte o que você sempre faz em sequência: responder, etiquetar, transferir, encerrar."
      extraFilters={<LibraryTabs value="macros" />}
      canWrite={(row) => row.userId === userId || mayShare}
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
          render: (row) => row.actions.map((step) => describeAction(step, nameOf)).join(' → '),
          csv: (row) => row.actions.map((step) => describeAction(step, nameOf)).join(' → '),
        },
        scopeColumn,
      ]}
      fields={(form, _row, inputOf) => (
        <>
          <TextInput {...inputOf('name')} />
          <ActionsField
            steps={form.values.actions}
            onChange={(actions) => form.setFieldValue('actions', actions)}
            offered={offered}
            errorOf={(path) => form.errors[path]}
          />
          <ScopeFields scope={form.values.scope} inputOf={(field) => form.getInputProps(field)} />
        </>
      )}
    />
  )
}
