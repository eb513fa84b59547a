import { templateCategoryLabels } from '@balcao/contract/channels/template-text.ts'

/** A category in words; one the provider has invented since as it came. */
export const categoryLabel = (category: string): string =>
  Object.entries(templateCategoryLabels).find(([name]) => name === category)?.[1] ?? category
