import { type AiSpending, aiPurposeLabels } from '@balcao/contract/automation/models.ts'
import { integrations } from '@balcao/contract/core/integrations/index.ts'
import { Anchor, Box, Group, SegmentedControl, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { exportCalls, spendingQuery } from '../../../features/automation/models/api.ts'
import { AssistantSpending } from '../../../features/automation/models/assistant-spending.tsx'
import { BudgetSetting } from '../../../features/automation/models/budget-setting.tsx'
import { moneyOf } from '../../../features/automation/models/money.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { SettingSection } from '../../../features/people/settings/setting-row.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { LineChart } from '../../../ui/line-chart.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { SettingsPage, SwitchSection } from '../../people/configuracoes/settings-page.tsx'

const dayMs = 86_400_000
const dayAt = (back: number) => new Date(Date.now() - back * dayMs).toLocaleDateString('sv-SE')
const periods = [
  { value: '6', label: '7 dias' },
  { value: '29', label: '30 dias' },
  { value: '89', label: '90 dias' },
]

export default function UsoIaScreen() {
  const [back, setBack] = useState('29')
  const query = { from: dayAt(Number(back)), to: dayAt(0) }
  const spending = useQuery(spendingQuery(query))
  return (
    <SettingsPage
      title="Uso e orçamento"
      purpose="O que a inteligência artificial faz na empresa, e quanto ela pode custar."
    >
      {(props) => (
        <>
          <BudgetSetting
            budgetCents={props.settings.aiBudgetCents}
            month={spending.data?.month}
            problem={props.problems.aiBudgetCents}
            save={props.save}
          />
          <SwitchSection section="ia" {...props} />
          {spending.data && spending.data.assistants.length > 0 && (
            <SettingSection
              title="Por assistente"
              note="Neste mês, do orçamento de cada um. Quando o de um acaba, é ele que passa as conversas para a equipe."
            >
              <AssistantSpending assistants={spending.data.assistants} />
            </SettingSection>
          )}
          <SettingSection
            title="Gasto"
            note="Contado a cada chamada, pelos preços de cada provedor. A fatura do provedor é a que vale."
            actions={
              <Group gap="xs">
                <SegmentedControl size="xs" aria-label="Período" data={periods} value={back} onChange={setBack} />
                <ExportButton onExport={() => exportCalls(query)} />
              </Group>
            }
          >
            <BulkProgress kind="exportAiCalls" />
            {spending.isPending ? (
              <Box p="md">
                <SkeletonList rows={4} height={48} />
              </Box>
            ) : spending.isError ? (
              <ErrorState message={messageOf(spending.error)} onRetry={() => void spending.refetch()} />
            ) : spending.data.days.length === 0 ? (
              <Text c="dimmed" size="sm" p="md">
                Nada foi gasto neste período.{' '}
                <Anchor component={Link} to="/configuracoes/chat-gpt" underline="always">
                  Ligue um provedor
                </Anchor>{' '}
                para começar.
              </Text>
            ) : (
              <Spent spending={spending.data} {...query} />
            )}
          </SettingSection>
        </>
      )}
    </SettingsPage>
  )
}

type Period = { from: string; to: string }
const Spent = ({ spending, from, to }: { spending: AiSpending } & Period) => {
  const { days, accounts, assistants, tickets } = spending
  const nameOf = (id: string) => {
    const account = accounts.find((one) => one.id === id)
    return account ? account.name || integrations[account.kind].label : 'Conta excluída'
  }
  const assistantOf = (id: string | null) =>
    id === null ? 'Sem assistente' : assistants.find((one) => one.id === id)?.name || 'Assistente excluído'
  return (
    <>
      <Box p="md">
        <LineChart
          label="Gasto por dia"
          of="Dia"
          points={everyDay(days, { from, to })}
          series={[{ name: 'cost', label: 'Gasto (R$)', color: 'accent.6' }]}
        />
      </Box>
      <Sums title="Por finalidade" rows={sumsBy(days, ({ purpose }) => aiPurposeLabels[purpose])} />
      <Sums title="Por assistente" rows={sumsBy(days, ({ assistantId }) => assistantOf(assistantId))} />
      <Sums title="Por conta" rows={sumsBy(days, ({ integrationId }) => nameOf(integrationId))} />
      {tickets.length > 0 && (
        <Table.ScrollContainer minWidth={480} type="native" tabIndex={0}>
          <Table aria-label="Conversas que mais custaram" className="tabular" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Conversas que mais custaram</Table.Th>
                <Table.Th ta="right">Chamadas</Table.Th>
                <Table.Th ta="right">Custo</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {tickets.map(({ ticketId, protocol, contact, calls, costMicros }) => (
                <Table.Tr key={ticketId}>
                  <Table.Td>
                    <Anchor component={Link} to={`/atendimento/${ticketId}`} size="sm">
                      {contact}
                    </Anchor>{' '}
                    <Text span size="sm" c="dimmed">
                      {protocol}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">{formatNumber(calls)}</Table.Td>
                  <Table.Td ta="right">{moneyOf(costMicros)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  )
}

type Sum = { name: string; calls: number; failures: number; tokens: number; costMicros: number }
const Sums = ({ title, rows }: { title: string; rows: Sum[] }) => (
  <Table.ScrollContainer minWidth={480} type="native" tabIndex={0}>
    <Table aria-label={title} className="tabular" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{title}</Table.Th>
          <Table.Th ta="right">Chamadas</Table.Th>
          <Table.Th ta="right">Sem resposta</Table.Th>
          <Table.Th ta="right">Tokens</Table.Th>
          <Table.Th ta="right">Custo</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.name}>
            <Table.Td>{row.name}</Table.Td>
            <Table.Td ta="right">{formatNumber(row.calls)}</Table.Td>
            <Table.Td ta="right">{formatNumber(row.failures)}</Table.Td>
            <Table.Td ta="right">{formatNumber(row.tokens)}</Table.Td>
            <Table.Td ta="right">{moneyOf(row.costMicros)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

const sumsBy = (days: AiSpending['days'], nameOf: (day: AiSpending['days'][number]) => string): Sum[] => {
  const sums = new Map<string, Sum>()
  for (const day of days) {
    const name = nameOf(day)
    const sum = sums.get(name) ?? { name, calls: 0, failures: 0, tokens: 0, costMicros: 0 }
    sum.calls += day.calls
    sum.failures += day.failures
    sum.tokens += day.inputTokens + day.outputTokens
    sum.costMicros += day.costMicros
    sums.set(name, sum)
  }
  return [...sums.values()].sort((a, b) => b.costMicros - a.costMicros)
}

/** Days without any are drawn too. */
const everyDay = (days: AiSpending['days'], { from, to }: Period) => {
  const costs = new Map<string, number>()
  for (const { day, costMicros } of days) costs.set(day, (costs.get(day) ?? 0) + costMicros)
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(Date.parse(from) + at * dayMs).toISOString().slice(0, 10)
    return { label: `${day.slice(8)}/${day.slice(5, 7)}`, cost: Math.round((costs.get(day) ?? 0) / 100) / 10_000 }
  })
}
