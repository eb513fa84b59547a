import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Icon } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { savePreferences } from '../../../kit/preferences.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { putTicket } from '../../conversations/tickets/api.ts'
import { callResponsible, releaseTicket, resumeTicket, switchBotOff } from '../../conversations/tickets/handling.ts'
import { receiveMark } from '../../conversations/tickets/live.ts'
import { putMarks, useMarks } from '../../conversations/tickets/marks.ts'
import {
  actionOfLetter,
  type DialogName,
  type Hand,
  offeredOn,
  type Place,
  type Situation,
  type Surface,
  type TicketAction,
} from './ticket-actions.ts'
import { useClosing } from './use-closing.ts'
import { useTicketActions } from './use-ticket-actions.ts'
import { useTicketCall } from './use-ticket-call.ts'

/** An action as a surface draws it. */
export type OfferedAction = {
  key: string
  label: string
  icon: Icon
  /** The name with its key. */
  hint?: string
  words?: string
  obstacle?: string
  /** It leads there, as any link. */
  href?: string
  isBusy: boolean
  run: () => void
}
type Around = {
  place?: Place
  /** Told before the conversation leaves one's hands; what it answers runs once it has. */
  onLeaving?: () => () => void
  /** The same, where a pause takes it away as well. */
  onPausing?: () => () => void
  /** What was closed or given away is back. */
  onUndone?: (ticketId: string) => void
  /** What begins the work, where more follows it than the change. */
  begin?: Hand['begin']
  /** Told before it is marked as unread: on screen it would be read again at once. */
  beforeUnread?: () => void
}

/** What one may do now: permissions, settings and marks beside the conversation itself. */
export const useSituation = (): Omit<Situation, 'ticket' | 'isPinned' | 'isFollowed'> => {
  const { userId, configuracoes, user } = useCurrentSession()
  return {
    selfId: userId,
    canWork: useCan('tickets.write'),
    canGrade: useCan('ratings.grade'),
    canCall: useCan('calls.write'),
    allowsPause: configuracoes.allowPause !== false,
    opensNext: user.configs.opensNext,
  }
}

/** One conversation in somebody's hand: what is offered, what is being asked, and the calls behind. `TicketDialogs` asks. */
export const useTicketWork = (ticket: Ticket, around: Around = {}) => {
  const { place = {}, onLeaving, onUndone } = around
  const cache = useQueryClient()
  const marks = useMarks()
  const personal = useSituation()
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const actions = useTicketActions(ticket, { onLeaving, onUndone })
  const closing = useClosing(ticket, actions)
  const { run } = useTicketCall()
  const now: Situation = {
    ...personal,
    ticket,
    isPinned: marks.pinned.has(ticket.id),
    isFollowed: marks.followed.has(ticket.id),
  }

  const hand: Hand = {
    ask: setDialog,
    begin: (how) => (around.begin ? around.begin(how) : void actions[how]()),
    close: () => void closing.begin(),
    giveBack: () => void actions.giveBack(),
    release: () => void run(() => releaseTicket(ticket.id)),
    resume: () => void run(() => resumeTicket(ticket.id)),
    switchBotOff: () => void run(() => switchBotOff(ticket.id)),
    callResponsible: () =>
      void run(async () => {
        const { notified } = await callResponsible(ticket.id)
        const names = notified.map((person) => person.name)
        notify.success(`Você chamou ${new Intl.ListFormat('pt-BR').format(names)}.`)
        return undefined
      }),
    mark: (change) =>
      void run(async () => {
        receiveMark(cache, await putMarks(ticket.id, change))
        return undefined
      }),
    setUnread: (isUnread) => {
      if (isUnread) around.beforeUnread?.()
      void run(() => putTicket(ticket.id, { unreadMessages: isUnread ? 1 : 0 }))
    },
    openNextAfter: (opensNext) => void savePreferences({ opensNext }),
  }
  const perform = (action: TicketAction) => {
    const obstacle = action.obstacle?.(now)
    if (obstacle) notify.error(obstacle)
    else if ('does' in action) action.does(hand)
    else if (action.needs !== 'href') place[action.needs]?.()
  }
  const busyKey = closing.isLoading ? 'close' : actions.busy
  return {
    actions,
    closing,
    dialog,
    ask: setDialog,
    endDialog: () => setDialog(null),
    onPausing: around.onPausing,
    offered: (surface: Surface): OfferedAction[] =>
      offeredOn(surface, now, place).map((action) => ({
        ...action,
        hint: action.letters && `${action.label} (${action.letters[0]})`,
        obstacle: action.obstacle?.(now) || undefined,
        href: 'needs' in action && action.needs === 'href' ? place.href : undefined,
        isBusy: busyKey === action.key,
        run: () => perform(action),
      })),
    /** What a letter means here; false: nothing. */
    press: (letter: string): boolean => {
      const action = actionOfLetter(letter, now)
      if (action) perform(action)
      return action !== undefined
    },
  }
}
export type TicketWork = ReturnType<typeof useTicketWork>
