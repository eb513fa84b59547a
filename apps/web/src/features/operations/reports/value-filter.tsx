import { Group } from '@mantine/core'
import { IconCoin } from '@tabler/icons-react'
import { formatCents } from '../../../kit/format.ts'
import { FilterPopover } from '../../../ui/filter-popover.tsx'
import { MoneyInput } from '../../../ui/money-input.tsx'

/** Cents as the address has them; empty: open at that end. */
type Props = { from: string; to: string; setFrom: (cents: string) => void; setTo: (cents: string) => void }

/** Between which values a negotiation lies. */
export const ValueFilter = ({ from, to, setFrom, setTo }: Props) => {
  const isReversed = from !== '' && to !== '' && Number(from) > Number(to)
  const handleClear = () => {
    setFrom('')
    setTo('')
  }
  return (
    <FilterPopover
      label="Valor"
      title={from || to ? titleOf(from, to) : null}
      icon={<IconCoin size={16} aria-hidden />}
      onClear={handleClear}
    >
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <MoneyInput label="De" value={reais(from)} onChange={(value) => setFrom(cents(value))} />
        <MoneyInput
          label="Até"
          value={reais(to)}
          onChange={(value) => setTo(cents(value))}
          error={isReversed && 'Use um valor maior que o inicial.'}
        />
      </Group>
    </FilterPopover>
  )
}

const reais = (text: string) => (text ? Number(text) / 100 : '')
const cents = (value: string | number) => (value === '' ? '' : String(Math.round(Number(value) * 100)))
const titleOf = (from: string, to: string) => {
  if (!to) return `desde ${formatCents(Number(from))}`
  return from ? `${formatCents(Number(from))} a ${formatCents(Number(to))}` : `até ${formatCents(Number(to))}`
}
