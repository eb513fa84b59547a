import { z } from 'zod'
import { id } from '../common.ts'
import type { TenantSettings } from '../people/settings.ts'

/** What a provider charges by. Free-form answers count since 1 October 2026, at about the utility rate. */
export const priceCategories = ['MARKETING', 'UTILITY', 'AUTHENTICATION', 'SERVICE'] as const
export type PriceCategory = (typeof priceCategories)[number]
export const isPriceCategory = (category: string): category is PriceCategory =>
  priceCategories.some((one) => one === category)
export const priceCategoryLabels: Record<PriceCategory, string> = {
  MARKETING: 'Marketing',
  UTILITY: 'Utilidade',
  AUTHENTICATION: 'Autenticação',
  SERVICE: 'Atendimento',
}

/**
 * The one place of prices: a delivered message, by the country of who gets it, in hundredths of a cent of R$. Brazil:
 * US$ 0.0625 and US$ 0.0068 of January 2026 at R$ 5,50 (waba-meta.md §7, source 19). A country is one line; without one its
 * messages are counted and have no price. What a company writes under “Preço dos modelos” goes before the line of Brazil.
 */
export const messagePrices: Partial<Record<string, Record<PriceCategory, number>>> = {
  BR: { MARKETING: 3_438, UTILITY: 374, AUTHENTICATION: 374, SERVICE: 374 },
}

const { SERVICE: _, ...brazil } = { MARKETING: 0, UTILITY: 0, AUTHENTICATION: 0, SERVICE: 0, ...messagePrices.BR }
/** What a company begins with. */
export const pricesOfBrazil = brazil

/** Of one message; undefined where the table has no line. */
export const messagePrice = (
  { templatePrices }: Pick<TenantSettings, 'templatePrices'>,
  country: string | null,
  category: PriceCategory,
): number | undefined => {
  const own = country === 'BR' ? { ...templatePrices, SERVICE: templatePrices.UTILITY } : undefined
  return (own ?? messagePrices[country ?? ''])?.[category]
}

/** GET /message-costs: a month of the company's calendar. */
export const costsQuery = z.object({ month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Use o formato 2026-11.') })
const cost = z.object({
  connectionId: id,
  connectionName: z.string(),
  /** Two letters; null: not known. */
  country: z.string().nullable(),
  category: z.enum(priceCategories),
  /** Delivered messages that are charged, and those that are not. */
  charged: z.int(),
  free: z.int(),
  /** Of one message and of all that are charged, in hundredths of a cent; null: no line in the table of prices. */
  price: z.int().nullable(),
  total: z.int().nullable(),
})
export type MessageCost = z.output<typeof cost>
export const messageCosts = z.object({
  items: z.array(cost),
  /** Of what has a price. */
  total: z.int(),
  /** Charged messages without one. */
  unpriced: z.int(),
})
export type MessageCosts = z.output<typeof messageCosts>
