import { z } from 'zod'

/** A form of the channel's, filled in: what stands in each field, as a person reads it. */
export const formAnswers = z
  .array(z.object({ field: z.string().max(200), value: z.string().max(2_000) }))
  .min(1)
  .max(100)
export type FormAnswers = z.output<typeof formAnswers>

/** What a customer put into the basket of a catalogue. */
export const order = z.object({
  /** The catalogue its products are of, as the provider names it. */
  catalogId: z.string().max(40).optional(),
  items: z
    .array(
      z.object({
        /** The shop's own for the product. */
        id: z.string().max(200),
        name: z.string().max(200).nullable(),
        quantity: z.number().positive(),
        unitCents: z.int(),
        currency: z.string().length(3),
      }),
    )
    .min(1)
    .max(200),
  note: z.string().max(2_000),
})
export type Order = z.output<typeof order>

/** In cents, of each currency it is in. */
export const orderTotals = ({ items }: Pick<Order, 'items'>): { currency: string; cents: number }[] => {
  const totals = new Map<string, number>()
  for (const { currency, quantity, unitCents } of items)
    totals.set(currency, (totals.get(currency) ?? 0) + Math.round(quantity * unitCents))
  return [...totals].map(([currency, cents]) => ({ currency, cents }))
}
export const priceText = (cents: number, currency: string): string =>
  new Intl.NumberFormat('pt-BR', { style: 'currency', currency }).format(cents / 100)

/** As words: what is searched, exported, and read by flows. */
export const answersText = (answers: FormAnswers): string =>
  ['Formulário respondido', ...answers.map(({ field, value }) => `${field}: ${value}`)].join('\n')
export const orderText = (asked: Order): string => {
  const lines = asked.items.map(
    ({ id, name, quantity, unitCents, currency }) =>
      `${quantity.toLocaleString('pt-BR')} × ${name ?? id} (${priceText(unitCents, currency)})`,
  )
  const totals = orderTotals(asked).map(({ currency, cents }) => priceText(cents, currency))
  return ['Pedido do catálogo:', ...lines, `Total: ${totals.join(' + ')}`, ...(asked.note ? [asked.note] : [])].join(
    '\n',
  )
}
