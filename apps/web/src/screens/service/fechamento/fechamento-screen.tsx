import { farewellResource } from '@balcao/contract/service/farewells.ts'
import { TextInput } from '@mantine/core'
import { VariablePreview } from '../../../features/contacts/variables/variable-preview.tsx'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'
import classes from './fechamento-screen.module.css'

export default function FechamentoScreen() {
  return (
    <ResourceScreen
      resource={farewellResource}
      title="Mensagens de fechamento"
      purpose="Textos prontos para se despedir: ao encerrar, o atendente pode enviar um deles."
      emptyText="Crie a primeira despedida, por exemplo agradecendo o contato e informando o protocolo."
      columns={[
        { key: 'name', label: 'Nome', width: 240 },
        {
          key: 'message',
          label: 'Mensagem',
          render: (farewell) => <span className={classes.message}>{farewell.message}</span>,
          csv: (farewell) => farewell.message,
        },
        changedColumn('Alterada'),
      ]}
      fields={(form) => (
        <>
          <TextInput
            label="Nome"
            description="Como o atendente encontra a mensagem; o cliente não vê."
            required
            maxLength={60}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <VariableTextarea
            label="Mensagem"
            required
            maxLength={4_000}
            {...form.getInputProps('message')}
            value={form.values.message}
          />
          <VariablePreview text={form.values.message} />
        </>
      )}
    />
  )
}
