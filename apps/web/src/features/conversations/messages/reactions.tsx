import type { Message } from '@balcao/contract/conversations/messages.ts'
import { Popover } from '@mantine/core'
import { useContext, useState } from 'react'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'
import { CustomerName } from './customer-name.ts'
import classes from './reactions.module.css'

type Reaction = Message['reactions'][number]

/** Who reacted with what: each emoji once, with how many; the names on a press, or under the mouse. */
export const Reactions = ({ reactions }: { reactions: readonly Reaction[] }) => {
  const [isOpen, setOpen] = useState(false)
  const customer = useContext(CustomerName)
  const byEmoji = [...Map.groupBy(reactions, ({ emoji }) => emoji)].map(([emoji, those]) => ({
    emoji,
    who: those.map(({ fromMe, author }) => (fromMe ? 'Equipe' : (author?.name ?? customer))),
  }))
  const told = byEmoji.map(({ emoji, who }) => `${emoji} ${listed(who)}`)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top" width={260} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.reactions}
          data-reactions
          aria-label={`Reações: ${told.join('; ')}`}
          title={told.join('\n')}
          onClick={() => setOpen(!isOpen)}
        >
          {byEmoji.map(({ emoji, who }) => (
            <span key={emoji}>
              {emoji}
              {who.length > 1 && <span className="tabular"> {who.length}</span>}
            </span>
          ))}
        </button>
      </Popover.Target>
      <PopoverPanel label="Reações" p="xs">
        <ul className={classes.list}>
          {byEmoji.map(({ emoji, who }) => (
            <li key={emoji}>
              <span aria-hidden>{emoji}</span>
              <span>{listed(who)}</span>
            </li>
          ))}
        </ul>
      </PopoverPanel>
    </Popover>
  )
}

const listed = (names: string[]) => new Intl.ListFormat('pt-BR').format(names)
