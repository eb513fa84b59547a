import type { Interactive, PollVotes } from '@balcao/contract/conversations/messages.ts'
import { Popover, VisuallyHidden } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useContext, useState } from 'react'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import { CustomerName } from './customer-name.ts'
import classes from './poll-view.module.css'

type Props = { interactive: Interactive; question: string; votes: PollVotes | null }

/** A poll with what it has come to: a bar for each option, and on a press who chose it. */
export const PollView = ({ interactive: { options, selectable }, question, votes }: Props) => {
  const people = votes?.people ?? 0
  return (
    <div className={classes.poll}>
      <span className={classes.kind}>
        <IconChartBar size={15} stroke={1.75} aria-hidden />
        {selectable === 1 ? 'Enquete' : 'Enquete · várias respostas'}
      </span>
      <strong className={classes.question}>
        <UserText text={question} />
      </strong>
      <ul className={classes.options} aria-label={`Enquete: ${question}`}>
        {options.map(({ id, title }, at) => (
          <Option key={id} title={title} people={people} chosen={votes?.options.find(({ option }) => option === at)} />
        ))}
      </ul>
      <span className={classes.foot}>{turnout(people)}</span>
    </div>
  )
}

const turnout = (people: number) =>
  people === 0 ? 'Ninguém votou ainda' : people === 1 ? '1 pessoa votou' : `${people} pessoas votaram`

type OptionProps = { title: string; people: number; chosen: PollVotes['options'][number] | undefined }
const Option = ({ title, people, chosen }: OptionProps) => {
  const customer = useContext(CustomerName)
  const [isOpen, setOpen] = useState(false)
  const count = chosen?.count ?? 0
  const told = count === 1 ? '1 voto' : `${count} votos`
  const inside = (
    <>
      <span className={classes.title}>{title}</span>
      <span className={`tabular ${classes.count}`} aria-hidden>
        {count}
      </span>
      <span className={classes.track} aria-hidden>
        <span className={classes.bar} style={{ width: `${people ? (count / people) * 100 : 0}%` }} />
      </span>
    </>
  )
  if (!chosen)
    return (
      <li>
        <span className={classes.option}>
          {inside}
          <VisuallyHidden>{told}</VisuallyHidden>
        </span>
      </li>
    )
  return (
    <li>
      <Popover opened={isOpen} onChange={setOpen} position="top" width={260} shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <button
            type="button"
            className={classes.option}
            aria-label={`${title}: ${told}. Ver quem votou`}
            onClick={() => setOpen(!isOpen)}
          >
            {inside}
          </button>
        </Popover.Target>
        <PopoverPanel label={`Quem votou em ${title}`} p="xs">
          <ul className={classes.who}>
            {namesOf(chosen.who, customer).map(({ key, name }) => (
              <li key={key}>{name}</li>
            ))}
            {count > chosen.who.length && <li>e mais {count - chosen.who.length}</li>}
          </ul>
        </PopoverPanel>
      </Popover>
    </li>
  )
}

const namesOf = (who: PollVotes['options'][number]['who'], customer: string) =>
  who.map(({ fromMe, name }, at) => ({ key: at, name: fromMe ? 'Equipe' : (name ?? customer) }))
