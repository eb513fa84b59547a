import type { WallAgent } from '@balcao/contract/conversations/wall.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { IconClockPause, IconDotsVertical } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { type Choice, stateOf, useAvailability } from '../../people/presence/availability.ts'
import { stateNames, stateTones } from '../../people/presence/state-dot.tsx'

type Props = { agent: WallAgent; onPauses: (agent: WallAgent) => void }

/** Whoever leads the team says for a colleague what they do now, and sees when they stepped away. */
export const AgentMenu = ({ agent, onPauses }: Props) => {
  const change = useMutation({
    mutationFn: (choice: Choice) => api.put(`/users/${agent.id}/availability`, choice),
    onSuccess: (_, { state, reason }) =>
      notify.success(`${agent.name}: ${reason ? `em pausa, ${reason}` : stateNames[state].toLowerCase()}.`),
    onError: (error) => notify.error(messageOf(error)),
  })
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon size={32} aria-label={`Ações de ${agent.name}`} loading={change.isPending}>
          <IconDotsVertical size={16} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah="min(420px, 70dvh)" style={{ overflowY: 'auto' }}>
        <Menu.Item leftSection={<IconClockPause size={16} />} onClick={() => onPauses(agent)}>
          Pausas
        </Menu.Item>
        <Menu.Divider />
        <States agent={agent} onChoose={change.mutate} />
      </Menu.Dropdown>
    </Menu>
  )
}

const States = ({ agent, onChoose }: { agent: WallAgent; onChoose: (choice: Choice) => void }) => {
  const { reasons } = useAvailability()
  const now = stateOf({ isOnline: agent.isOnline, isAway: agent.awaySince !== null })
  const item = (label: string, choice: Choice) => (
    <Menu.RadioItem
      key={label}
      value={label}
      closeMenuOnClick
      checked={now === choice.state && (!choice.reason || choice.reason === agent.awayReason)}
      onChange={() => onChoose(choice)}
    >
      <StatusDot tone={stateTones[choice.state]} label={label} />
    </Menu.RadioItem>
  )
  return (
    <>
      <Menu.Label>Definir como</Menu.Label>
      {item(stateNames.online, { state: 'online' })}
      {item(stateNames.offline, { state: 'offline' })}
      <Menu.Label>Em pausa</Menu.Label>
      {reasons.length
        ? reasons.map((reason) => item(reason, { state: 'away', reason }))
        : item(stateNames.away, { state: 'away' })}
    </>
  )
}
