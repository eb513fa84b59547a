import { Button, CloseButton, Group, Popover } from '@mantine/core'
import { IconCoin } from '@tabler/icons-react'
import { formatCents } from '../../../kit/format.ts'
import classes from '../../../ui/filter-menu.module.css'
import { MoneyInput } from '../../../ui/money-input.tsx'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'

/** Cents as the address has them; empty: open at that end. */
type Props = { from: string; to: string; setFrom: (cents: string) => void; setTo: (cents: string) => void }

/** Between which values a negotiation lies. */
export const ValueFilter = ({ from, to, setFrom, setTo }: Props) => {
  const isActive = Boolean(from || to)
  const isReversed = from !== '' && to !== '' && Number(from) > Number(to)
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <span className={classes.filter} data-active={isActive}>
        <Popover.Target>
          <Button
            variant="default"
            fw={400}
            className={classes.button}
            leftSection={<IconCoin size={16} aria-hidden />}
          >
            <span className="truncate">{isActive ? titleOf(from, to) : 'Valor'}</span>
          </Button>
        </Popover.Target>
        {isActive && (
          <CloseButton
            size="sm"
            className={classes.clear}
            aria-label="Limpar filtro Valor"
            onClick={() => {
              setFrom('')
              setTo('')
            }}
          />
        )}
      </span>
      <PopoverPanel label="Valor">
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <MoneyInput label="De" value={reais(from)} onChange={(value) => setFrom(cents(value))} />
          <MoneyInput
            label="Até"
            value={reais(to)}
            onChange={(value) => setTo(cents(value))}
            error={isReversed && 'Use um valor maior que o inicial.'}
          />
        </Group>
      </PopoverPanel>
    </Popover>
  )
}

const reais = (text: string) => (text ? Number(text) / 100 : '')
const cents = (value: string | number) => (value === '' ? '' : String(Math.round(Number(value) * 100)))
const titleOf = (from: string, to: string) => {
  if (!to) return `desde ${formatCents(Number(from))}`
  return from ? `${formatCents(Number(from))} a ${formatCents(Number(to))}` : `até ${formatCents(Number(to))}`
}
