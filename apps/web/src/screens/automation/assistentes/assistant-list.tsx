import { type Assistant, assistantResource } from '@balcao/contract/automation/assistants/assistants.ts'
import { botLabels } from '@balcao/contract/people/settings.ts'
import { Button, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { Link } from 'react-router'
import { editorPath } from '../../../features/automation/assistants/api.ts'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { moneyOf } from '../../../features/automation/models/money.ts'
import { formatNumber } from '../../../kit/format.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { changedColumn } from '../../../kit/row-columns.tsx'
import { useGo } from '../../../kit/use-go.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'

const stateOf = ({ isActive, published, isChanged }: Assistant) => {
  if (!isActive) return { tone: 'quiet', label: 'Desligado' } as const
  if (!published) return { tone: 'waiting', label: 'Nunca publicado' } as const
  return { tone: 'good', label: isChanged ? 'Publicado, com mudanças' : 'Publicado' } as const
}
const monthText = ({ monthMicros, config: { budgetCents } }: Assistant) =>
  budgetCents === null ? moneyOf(monthMicros) : `${moneyOf(monthMicros)} de ${moneyOf(budgetCents * 10_000)}`
const placeText = ({ allTickets }: Assistant) => (allTickets ? 'Todas as conversas novas' : 'Quando alguém liga')

/** Every assistant: whether it answers, where, how often it had to call the team, and what it cost. */
export const AssistantList = () => {
  const go = useGo()
  return (
    <ResourceScreen
      resource={assistantResource}
      purpose="Respondem sozinhos com inteligência artificial, só com o que você permitir, e passam para a equipe quando devem."
      emptyText="Crie o primeiro: diga quem ele é, ensaie ao lado como se fosse um cliente e publique quando gostar."
      createLabel="Criar assistente"
      onCreated={(row) => go(editorPath(row.id))}
      rowActions={(row) => (
        <Button
          component={Link}
          to={editorPath(row.id)}
          variant="light"
          size="compact-sm"
          aria-label={`Abrir ${row.name}`}
        >
          Abrir
        </Button>
      )}
      under={(row) => <StatusDot {...stateOf(row)} />}
      columns={[
        {
          key: 'name',
          width: 260,
          render: (row) => (
            <span>
              <Text fw={600} size="sm">
                {row.name}
              </Text>
              {row.description && (
                <Text size="xs" c="dimmed">
                  {row.description}
                </Text>
              )}
            </span>
          ),
          csv: (row) => row.name,
        },
        {
          key: 'isActive',
          label: 'Situação',
          width: 200,
          wideOnly: true,
          render: (row) => <StatusDot {...stateOf(row)} />,
          csv: (row) => stateOf(row).label,
        },
        {
          key: 'bot',
          label: 'Quem responde',
          wideOnly: true,
          width: 140,
          render: (row) => (row.bot ? botLabels[row.bot] : '—'),
          csv: (row) => (row.bot ? botLabels[row.bot] : ''),
        },
        { key: 'allTickets', label: 'Onde começa', wideOnly: true, render: placeText, csv: placeText },
        {
          key: 'numbers',
          label: 'Em 30 dias',
          wideOnly: true,
          width: 230,
          render: ({ numbers: { answered, handedOver, costMicros } }) => (
            <span className="tabular">
              {answered + handedOver
                ? `${formatNumber(answered)} ${answered === 1 ? 'resposta' : 'respostas'} · ${formatNumber(handedOver)} à equipe · ${moneyOf(costMicros)}`
                : '—'}
            </span>
          ),
          csv: (row) => row.numbers.answered,
        },
        {
          key: 'monthMicros',
          label: 'Gasto do mês',
          wideOnly: true,
          width: 170,
          render: monthText,
          csv: (row) => (row.monthMicros / 1_000_000).toFixed(4).replace('.', ','),
        },
        changedColumn('Alterado'),
      ]}
      removal={({ rows, what, busy, onConfirm, onClose }) => (
        <ConfirmDelete opened what={what} busy={busy} onConfirm={() => onConfirm()} onClose={onClose}>
          <FlowsNaming ids={rows.map(({ id }) => id)} />
          Esta ação não pode ser desfeita.
        </ConfirmDelete>
      )}
      fields={(form, row, inputOf) => (
        <>
          {row && (
            <Button component={Link} to={editorPath(row.id)} leftSection={<IconRobot size={18} aria-hidden />}>
              Abrir o assistente
            </Button>
          )}
          <TextInput {...inputOf('name')} />
          <Textarea autosize minRows={2} {...inputOf('description')} />
          {row && (
            <Switch
              label="Ativo"
              description="Desligado, não responde em nenhuma conversa."
              {...form.getInputProps('isActive', { type: 'checkbox' })}
            />
          )}
          {row?.isActive && !form.values.isActive && (
            <FlowsNaming ids={[row.id]} then="lá, o passo segue por “O assistente não respondeu”." />
          )}
        </>
      )}
    />
  )
}
