import { type AiSpending, budgetWarningAt } from '@balcao/contract/automation/models.ts'
import { Anchor, Progress, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { moneyOf } from './money.ts'

const microsOfCent = 10_000

/** What each assistant has cost in the month that runs, beside what it may. */
export const AssistantSpending = ({ assistants }: Pick<AiSpending, 'assistants'>) => (
  <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
    <Table aria-label="Gasto do mês por assistente" className="tabular" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Assistente</Table.Th>
          <Table.Th ta="right">Neste mês</Table.Th>
          <Table.Th ta="right">Orçamento</Table.Th>
          <Table.Th w="25%">Usado</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {assistants.map(({ id, name, monthMicros, budgetCents }) => (
          <Table.Tr key={id}>
            <Table.Td>
              {name ? (
                <Anchor component={Link} to={`/assistentes/${id}`} size="sm">
                  {name}
                </Anchor>
              ) : (
                'Assistente excluído'
              )}
            </Table.Td>
            <Table.Td ta="right">{moneyOf(monthMicros)}</Table.Td>
            <Table.Td ta="right">
              {budgetCents === null ? 'O da empresa' : moneyOf(budgetCents * microsOfCent)}
            </Table.Td>
            <Table.Td>{budgetCents !== null && <Used name={name} used={monthMicros} cents={budgetCents} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

const Used = ({ name, used, cents }: { name: string; used: number; cents: number }) => {
  const share = cents ? used / (cents * microsOfCent) : 1
  const color = share >= 1 ? 'red' : share >= budgetWarningAt ? 'yellow' : 'accent'
  return (
    <>
      <Progress value={Math.min(100, share * 100)} color={color} aria-label={`Usado do orçamento de ${name}`} />
      <Text size="xs" c="dimmed">
        {share >= 1
          ? 'Acabou: passa para a equipe'
          : share > 0 && share < 0.01
            ? 'menos de 1 %'
            : `${Math.round(share * 100)} %`}
      </Text>
    </>
  )
}
