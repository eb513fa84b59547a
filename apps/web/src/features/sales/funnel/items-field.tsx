import { itemsTotal, type OpportunityItem } from '@balcao/contract/sales/opportunities.ts'
import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { formatCents } from '../../../kit/format.ts'
import { MoneyField } from '../../../ui/money-input.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
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
            <NumberField
              aria-label={`Quantidade do produto ${at + 1}`}
              min={0}
              decimalSeparator=","
              hideControls
              value={item.quantity}
              onChange={(quantity) => set(at, { quantity })}
              error={errorOf(`items.${at}.quantity`)}
            />
            <MoneyField
              aria-label={`Preço do produto ${at + 1}`}
              cents={item.price}
              onCents={(price) => set(at, { price })}
              error={errorOf(`items.${at}.price`)}
            />
            <NumberField
              aria-label={`Desconto do produto ${at + 1}`}
              suffix="%"
              min={0}
              max={100}
              hideControls
              decimalSeparator=","
              value={item.discountPercent}
              empty={0}
              onChange={(discountPercent) => set(at, { discountPercent })}
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
