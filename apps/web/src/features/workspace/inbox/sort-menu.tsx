import type { TicketSort } from '@balcao/contract/conversations/tickets.ts'
import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconSortDescending } from '@tabler/icons-react'
import classes from './sort-menu.module.css'

const labels: Record<TicketSort, { short: string; long: string }> = {
  recent: { short: 'Mais recentes', long: 'Mensagem mais recente primeiro' },
  waiting: { short: 'Maior espera', long: 'Quem espera há mais tempo primeiro' },
  sla: { short: 'Menor prazo', long: 'Prazo mais próximo primeiro' },
}
const sorts = Object.keys(labels) as TicketSort[]

type Props = { sort: TicketSort; onSort: (sort: TicketSort) => void }

export const SortMenu = ({ sort, onSort }: Props) => (
  <Menu position="bottom-start" width={300} withInitialFocusPlaceholder={false}>
    <Menu.Target>
      <UnstyledButton className={classes.button} aria-label={`Ordem: ${labels[sort].short}`}>
        <IconSortDescending size={16} stroke={1.75} aria-hidden /> {labels[sort].short}
      </UnstyledButton>
    </Menu.Target>
    <Menu.Dropdown>
      {sorts.map((one) => (
        <Menu.Item
          key={one}
          onClick={() => onSort(one)}
          rightSection={one === sort && <IconCheck size={16} aria-label="Em uso" />}
        >
          {labels[one].long}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)
