import { distributionLabels, queueResource } from '@balcao/contract/service/queues.ts'
import { MultiSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { weekProblems } from '../../../features/core/hours/week.ts'
import { WeekField } from '../../../features/core/hours/week-field.tsx'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { InUseRemoval } from '../../../features/operations/replacing/in-use-removal.tsx'
import { PersonOption } from '../../../features/people/presence/person-option.tsx'
import { userOptions } from '../../../features/people/users/api.ts'
import { personChoices } from '../../../features/people/users/person-choices.ts'
import { RowSelect } from '../../../features/service/actions/row-select.tsx'
import { SignatureField } from '../../../features/workspace/composer/signature-field.tsx'
import { formatNumber } from '../../../kit/format.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { activeColumn, changedColumn } from '../../../kit/row-columns.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { ColorInput, swatches } from '../../../ui/color-input.tsx'
import { DistributionFields } from './distribution-fields.tsx'

export default function FilasScreen() {
  const users = useQuery(userOptions)
  const mayFlow = useCan('flows.write')
  return (
    <ResourceScreen
      resource={queueResource}
      purpose="Departamentos que recebem os atendimentos. Cada pessoa vê as filas de que participa."
      emptyText="Crie filas como “Vendas” e “Suporte” e escolha quem atende em cada uma."
      newValues={{ color: swatches[1] }}
      check={(values) => weekProblems(values.businessHours, 'businessHours')}
      labels={{
        memberIds: 'Quem atende',
        isActive: 'Situação',
        color: 'Cor',
        distribution: 'Distribuição',
        acceptWithin: 'Tempo para aceitar',
        businessHours: 'Horário da fila',
        absenceMessage: 'Mensagem fora do horário',
        mailSignature: 'Assinatura dos e-mails',
        chatFlowId: 'Fluxo inicial',
      }}
      columns={[
        { key: 'name', label: 'Nome', render: (queue) => <ColorDot color={queue.color} label={queue.name} /> },
        {
          key: 'memberIds',
          label: 'Pessoas',
          align: 'right',
          width: 110,
          render: (queue) => <span className="tabular">{formatNumber(queue.memberIds.length)}</span>,
          csv: (queue) => queue.memberIds.length,
        },
        {
          key: 'distribution',
          label: 'Distribuição',
          width: 190,
          wideOnly: true,
          render: (queue) => distributionLabels[queue.distribution],
          csv: (queue) => distributionLabels[queue.distribution],
        },
        activeColumn('Ativa', 'Inativa'),
        changedColumn('Alterada'),
      ]}
      progress={<BulkProgress kind="replaceQueue" />}
      removal={(asked) => <InUseRemoval resource={queueResource} without="Ficam sem fila, na triagem" {...asked} />}
      fields={(form, row, inputOf) => (
        <>
          <TextInput {...inputOf('name')} />
          <ColorInput label="Cor" required {...form.getInputProps('color')} />
          <MultiSelect
            label="Quem atende"
            description="Estas pessoas veem e aceitam os atendimentos da fila."
            placeholder={form.values.memberIds.length ? undefined : 'Escolha as pessoas'}
            data={personChoices(users.data, form.values.memberIds)}
            searchable
            clearable
            hidePickedOptions
            limit={100}
            renderOption={({ option }) => (
              <PersonOption person={users.data?.find(({ id }) => id === option.value)} name={option.label} />
            )}
            nothingFoundMessage={users.isPending ? 'Carregando…' : 'Ninguém encontrado'}
            {...form.getInputProps('memberIds')}
          />
          <DistributionFields form={form} />
          <WeekField
            label="Horário da fila"
            limit={{ on: 'Esta fila tem horário próprio', off: 'Vale o horário da empresa.' }}
            {...form.getInputProps('businessHours')}
          />
          <Textarea
            label="Mensagem fora do horário"
            description="O que o cliente lê quando escreve com a fila fechada. Vazia: a mensagem da empresa."
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            {...form.getInputProps('absenceMessage')}
          />
          <SignatureField
            label="Assinatura dos e-mails"
            description="Abaixo do texto, quando quem escreve não tem a sua. Vazia: a do canal."
            {...form.getInputProps('mailSignature')}
          />
          {mayFlow && (
            <RowSelect
              names="flows"
              label="Fluxo inicial"
              description="Atende quem chega a esta fila, quando o canal não tem um fluxo próprio."
              placeholder="Nenhum"
              error={form.errors.chatFlowId}
              value={form.values.chatFlowId ?? ''}
              onChange={(id) => form.setFieldValue('chatFlowId', id || null)}
            />
          )}
          <Switch
            label="Ativa"
            description="Uma fila inativa não recebe novos atendimentos."
            {...form.getInputProps('isActive', { type: 'checkbox' })}
          />
          {row?.isActive && !form.values.isActive && (
            <FlowsNaming ids={[row.id]} then="lá, a conversa fica na fila em que já está." />
          )}
        </>
      )}
    />
  )
}
