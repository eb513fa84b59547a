import { type Priority, priorityLabels } from '@balcao/contract/conversations/urgency.ts'
import { type Icon, IconChevronDown, IconChevronsUp, IconChevronUp } from '@tabler/icons-react'

const icons: Partial<Record<Priority, Icon>> = { urgent: IconChevronsUp, high: IconChevronUp, low: IconChevronDown }
/** How a list marks what is not like everything else; undefined for what is. */
export const priorityMark = (priority: Priority) => {
  const icon = icons[priority]
  return icon && { icon, label: `Prioridade ${priorityLabels[priority].toLowerCase()}` }
}
