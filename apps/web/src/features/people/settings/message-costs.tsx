import {
  type MessageCost,
  type MessageCosts as Month,
  priceCategoryLabels,
} from '@balcao/contract/channels/message-prices.ts'
import { priceText } from '@balcao/contract/channels/template-text.ts'
import { Box, Select, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { SettingSection } from './setting-row.tsx'

const monthsShown = 6
const monthAt = (back: number) => {
  const now = new Date()
  const at = new Date(now.getFullYear(), now.getMonth() - back, 1)
  const value = `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}`
  return { value, label: at.toLocaleDateString('pt-BR', { month: 'long', year: 'numeric' }) }
}
const months = () => Array.from({ length: monthsShown }, (_, back) => monthAt(back))
const countries = new Intl.DisplayNames('pt-BR', { type: 'region' })
const countryName = (code: string | null) => (code ? (countries.of(code) ?? code) : 'Não informado')

/** What Meta charged for a month, by channel, country and category. */
export const MessageCosts = () => {
  const [month, setMonth] = useState(() => monthAt(0).value)
  const costs = useQuery({
    queryKey: ['message-costs', month],
    queryFn: ({ signal }) => api.get<Month>('/message-costs', { query: { month }, signal }),
  })
  return (
    <SettingSection
      title="Gasto do mês"
      note="Mensagens entregues pelo WhatsApp oficial, como a Meta as contou, aos preços de hoje. A fatura da Meta é a que vale."
    >
      <Select
        aria-label="Mês"
        w={220}
        m="md"
        mb="xs"
        data={months()}
        value={month}
        onChange={(value) => value && setMonth(value)}
        allowDeselect={false}
      />
      {costs.isPending ? (
        <Box px="md" pb="md">
          <SkeletonList rows={3} height={36} />
        </Box>
      ) : costs.isError ? (
        <ErrorState message={messageOf(costs.error)} onRetry={() => void costs.refetch()} />
      ) : costs.data.items.length === 0 ? (
        <Text c="dimmed" size="sm" px="md" pb="md">
          Nenhuma mensagem cobrável neste mês. Elas aparecem aqui quando a Meta confirma a entrega.
        </Text>
      ) : (
        <CostTable costs={costs.data} />
      )}
    </SettingSection>
  )
}

const CostTable = ({ costs }: { costs: Month }) => (
  <>
    <Table.ScrollContainer minWidth={560} type="native" tabIndex={0}>
      <Table aria-label="Gasto por canal, país e categoria" className="tabular" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Canal</Table.Th>
            <Table.Th>País</Table.Th>
            <Table.Th>Categoria</Table.Th>
            <Table.Th ta="right">Cobradas</Table.Th>
            <Table.Th ta="right">Grátis</Table.Th>
            <Table.Th ta="right">Preço</Table.Th>
            <Table.Th ta="right">Total</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {costs.items.map((one) => (
            <CostRow key={`${one.connectionId} ${one.country} ${one.category}`} cost={one} />
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th colSpan={6}>Total</Table.Th>
            <Table.Th ta="right">{priceText(costs.total)}</Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
    {costs.unpriced > 0 && (
      <Text size="sm" c="dimmed" px="md" py="sm">
        {costs.unpriced === 1
          ? '1 mensagem foi para um país sem preço na tabela e não está no total.'
          : `${formatNumber(costs.unpriced)} mensagens foram para países sem preço na tabela e não estão no total.`}
      </Text>
    )}
  </>
)

const CostRow = ({ cost }: { cost: MessageCost }) => (
  <Table.Tr>
    <Table.Td>{cost.connectionName}</Table.Td>
    <Table.Td>{countryName(cost.country)}</Table.Td>
    <Table.Td>{priceCategoryLabels[cost.category]}</Table.Td>
    <Table.Td ta="right">{formatNumber(cost.charged)}</Table.Td>
    <Table.Td ta="right">{formatNumber(cost.free)}</Table.Td>
    <Table.Td ta="right">{cost.price === null ? 'sem preço' : priceText(cost.price)}</Table.Td>
    <Table.Td ta="right">{cost.total === null ? '—' : priceText(cost.total)}</Table.Td>
  </Table.Tr>
)
