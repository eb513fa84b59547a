import { itemsTotal, type OpportunityItem } from '@balcao/contract/sales/opportunities.ts'
import { ActionIcon, Button, NumberInput, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { formatCents } from '../../../kit/format.ts'
import { MoneyInput } from '../../../ui/money-input.tsx'
import classes from './funnel.module.css'

type Props = {
  items: readonly OpportunityItem[]
  onChange: (items: OpportunityItem[]) => void
  errorOf: (path: string) => ReactNode
}

/** What is offered: products with quantity, price and discount, and what they come to. */
export const ItemsField = ({ items, onChange, errorOf }: Props) => {
  const list = useRef<HTMLDivElement>(null)
  const set = (at: number, patch: Partial<OpportunityItem>) =>
    onChange(items.map((item, index) => (index === at ? { ...item, ...patch } : item)))
  const add = () => {
    onChange([...items, { name: '', quantity: 1, price: 0, discountPercent: 0 }])
    requestAnimationFrame(() => list.current?.lastElementChild?.querySelector('input')?.focus())
  }
  return (
    <div className={classes.items}>
      <Text fw={500} size="sm">
        Produtos
      </Text>
      {items.length > 0 && (
        <div className={`${classes.item} ${classes.meta}`} aria-hidden>
          <span>Produto</span>
          <span>Quantidade</span>
          <span>Preço</span>
          <span>Desconto</span>
        </div>
      )}
      <div ref={list} className={classes.items}>
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
          <div key={at} className={classes.item}>
            <TextInput
              aria-label={`Produto ${at + 1}`}
              placeholder="Produto"
              maxLength={120}
              value={item.name}
              onChange={(event) => set(at, { name: event.currentTarget.value })}
              error={errorOf(`items.${at}.name`)}
            />
            <NumberInput
              aria-label={`Quantidade do produto ${at + 1}`}
              min={0}
              decimalSeparator=","
              hideControls
              value={item.quantity}
              onChange={(quantity) => set(at, { quantity: Number(quantity) || 0 })}
              error={errorOf(`items.${at}.quantity`)}
            />
            <MoneyInput
              aria-label={`Preço do produto ${at + 1}`}
              value={item.price / 100}
              onChange={(price) => set(at, { price: Math.round(Number(price) * 100) || 0 })}
              error={errorOf(`items.${at}.price`)}
            />
            <NumberInput
              aria-label={`Desconto do produto ${at + 1}`}
              suffix="%"
              min={0}
              max={100}
              hideControls
              decimalSeparator=","
              value={item.discountPercent}
              onChange={(discount) => set(at, { discountPercent: Number(discount) || 0 })}
              error={errorOf(`items.${at}.discountPercent`)}
            />
            <ActionIcon
              size={36}
              aria-label={`Remover o produto ${at + 1}`}
              onClick={() => onChange(items.filter((_, index) => index !== at))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        ))}
      </div>
      {items.length > 0 && (
        <div className={classes.total}>
          <span>Total</span>
          <span className="tabular">{formatCents(itemsTotal(items))}</span>
        </div>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={add}
        style={{ alignSelf: 'flex-start' }}
      >
        Adicionar produto
      </Button>
    </div>
  )
}
