import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { TicketWay } from '@balcao/contract/conversations/ways.ts'
import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChannelGlyph } from '../../../ui/channel-glyph.tsx'
import { showPhone } from '../../contacts/contacts/phone.ts'
import { channelsQuery } from '../../conversations/messages/abilities.ts'
import { chooseWay, isSame, renewWays } from '../../conversations/messages/ways.ts'
import classes from './way-chooser.module.css'

type Props = {
  ticket: Ticket
  ways: readonly TicketWay[]
  chosen: TicketWay | null
  /** To the conversation that is open there already. */
  onGo: (ticketId: string) => void
  onChosen: () => void
}

/** By which channel the answer goes, there only where another one could be chosen; and why it cannot go as it did. */
export const WayChooser = ({ ticket, ways, chosen, onGo, onChosen }: Props) => {
  const cache = useQueryClient()
  const channels = useQuery(channelsQuery).data
  const current = ways.find((one) => one.isCurrent)
  const shown = chosen ?? current
  if (!shown) return null
  const obstacle = shown.takes === 'nothing' && (
    <span className={classes.obstacle} role="status">
      {shown.reason}
    </span>
  )
  if (!ways.some((one) => one !== current && canLead(one))) return obstacle

  const whereOf = (way: TicketWay) => [channels?.[way.channel].label, showAddress(way)].filter(Boolean).join(' · ')
  const handleChoose = (way: TicketWay) => {
    if (way.takes === 'nothing') return way.otherTicketId ? onGo(way.otherTicketId) : undefined
    chooseWay(ticket.id, way.isCurrent ? null : way)
    onChosen()
  }
  return (
    <>
      <Menu position="top-start" width={340} withInitialFocusPlaceholder={false} returnFocus={false}>
        <Menu.Target>
          <UnstyledButton
            className={classes.target}
            data-other={chosen !== null}
            onClick={() => void renewWays(cache, ticket.id)}
          >
            <span className={classes.label}>Responder por</span>
            <ChannelGlyph channel={shown.channel} size={16} />
            <span className="truncate">{shown.whatsapp.name}</span>
            {chosen && <span className={`truncate ${classes.address}`}>{showAddress(chosen)}</span>}
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown className={classes.list}>
          {ways.map((way) => (
            <Menu.Item
              key={`${way.whatsapp.id}:${way.address?.value}`}
              classNames={{ item: classes.way, itemLabel: classes.words }}
              leftSection={<ChannelGlyph channel={way.channel} size={20} />}
              rightSection={isSame(way, shown) ? <IconCheck size={16} aria-label="Em uso" /> : undefined}
              aria-disabled={!canLead(way) && !way.isCurrent}
              closeMenuOnClick={canLead(way) || way.isCurrent}
              onClick={() => handleChoose(way)}
            >
              <span className={`truncate ${classes.name}`}>{way.whatsapp.name}</span>
              <span className={`truncate ${classes.note}`}>{whereOf(way)}</span>
              {way.reason && (
                <span className={classes.note}>
                  {way.reason}
                  {way.otherTicketId && <span className={classes.go}> Abrir</span>}
                </span>
              )}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {obstacle}
    </>
  )
}

const canLead = ({ takes, otherTicketId }: TicketWay) => takes !== 'nothing' || otherTicketId !== null

/** Ids of a provider say nothing to people. */
const showAddress = ({ address }: TicketWay) => {
  if (address?.kind === 'phone') return showPhone(address.value)
  return address?.kind === 'email' ? address.value : ''
}
