import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon, Button, Menu, Tooltip, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  type Icon,
  IconArrowBackUp,
  IconArrowLeft,
  IconArrowMerge,
  IconArrowsExchange,
  IconCheck,
  IconDots,
  IconDownload,
  IconInboxOff,
  IconKeyboard,
  IconLayoutSidebarRight,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerTrackNext,
  IconPlugConnected,
  IconRefresh,
  IconRobot,
  IconRobotOff,
  IconSearch,
  IconSpeakerphone,
  IconStar,
  IconTag,
  IconTicket,
  IconUserCircle,
  IconUsersPlus,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { WindowClock } from '../../../features/conversations/messages/window-clock.tsx'
import {
  callResponsible,
  releaseTicket,
  resumeTicket,
  switchBotOff,
} from '../../../features/conversations/tickets/calls.ts'
import { userOptions } from '../../../features/people/users/api.ts'
import { SlaClock } from '../../../features/service/sla/sla-clock.tsx'
import { PauseBanner } from '../../../features/workspace/inbox/pause-banner.tsx'
import type { TicketActions } from '../../../features/workspace/inbox/use-ticket-actions.ts'
import { useTicketCall } from '../../../features/workspace/inbox/use-ticket-call.ts'
import { useCommands } from '../../../kit/commands.ts'
import { savePreferences } from '../../../kit/preferences.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { MenuAction } from '../../../ui/menu-action.tsx'
import { notify } from '../../../ui/notify.ts'
import { TagChip } from '../../../ui/tag-chip.tsx'
import classes from './chat-header.module.css'

type Props = {
  ticket: Ticket
  actions: TicketActions
  viewers: readonly { userId: string; name: string; isTyping: boolean }[]
  /** Until when free text may be sent; null where the channel knows no such end. */
  windowEndsAt: number | null
  isWindowOver: boolean
  isPanelOpen: boolean
  onPanel: () => void
  onBack: () => void
  onGo: (ticketId: string) => void
  onTransfer: () => void
  onClose: () => void
  onReopen: () => void
  isClosing: boolean
  onSearch: () => void
  onShortcuts: () => void
}
export type Action = {
  label: string
  icon: Icon
  run: () => void
  isBusy?: boolean
  hint?: string
  /** Why it cannot be done now: it stays to be seen, and says so. */
  obstacle?: string
  /** Another button of the conversation does it already: offered by name only. */
  isElsewhere?: boolean
}
type DialogName = 'export' | 'pause' | 'share' | 'merge' | 'channel' | 'appraise' | 'protocol' | 'grade'

const ActionsSheet = lazy(async () => ({ default: (await import('./actions-sheet.tsx')).ActionsSheet }))
const ExportDialog = lazy(async () => ({
  default: (await import('../../../features/conversations/messages/export-dialog.tsx')).ExportDialog,
}))
const PauseDialog = lazy(async () => ({
  default: (await import('../../../features/workspace/inbox/pause-dialog.tsx')).PauseDialog,
}))
const ShareDialog = lazy(async () => ({
  default: (await import('../../../features/workspace/inbox/share-dialog.tsx')).ShareDialog,
}))
const MergeDialog = lazy(async () => ({
  default: (await import('../../../features/workspace/inbox/merge-dialog.tsx')).MergeDialog,
}))
const ChannelDialog = lazy(async () => ({
  default: (await import('../../../features/workspace/inbox/channel-dialog.tsx')).ChannelDialog,
}))
const AppraiseDialog = lazy(async () => ({
  default: (await import('../../../features/workspace/inbox/appraise-dialog.tsx')).AppraiseDialog,
}))

const ProtocolDialog = lazy(async () => ({
  default: (await import('../../../features/service/protocols/protocol-dialog.tsx')).ProtocolDialog,
}))
const GradeDialog = lazy(async () => ({
  default: (await import('../../../features/service/ratings/grade-dialog.tsx')).GradeDialog,
}))

/** With whom, by which way, in whose hands; and what can be done now. */
export const ChatHeader = (props: Props) => {
  const { ticket, viewers, windowEndsAt, isWindowOver, isPanelOpen, onPanel, onBack } = props
  const { userId } = useCurrentSession()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const { main, more } = useActions(props, setDialog)
  useCommands(
    [...main, ...more]
      .filter(({ obstacle, isBusy }) => !obstacle && !isBusy)
      .map(({ label, icon, run }) => ({
        label,
        icon,
        run,
        words: otherWords[label],
        section: `Conversa com ${ticket.name}`,
      })),
  )
  const endDialog = () => setDialog(null)
  const shown = main.filter((action) => !action.isElsewhere)
  const all = [
    ...shown,
    ...(isPhone ? [{ label: 'Dados do contato', icon: IconUserCircle, run: onPanel }] : []),
    ...more.filter(({ label }) => !isPhone || label !== keysLabel),
  ]
  const hands =
    ticket.userId === userId ? null : (ticket.username ?? (ticket.bot || ticket.chatFlowId ? 'o robô' : null))
  // On a phone the mark on the picture tells the channel.
  const where = [!isPhone && ticket.whatsapp.name, ticket.queue?.name ?? 'Sem fila', hands && `com ${hands}`]
    .filter(Boolean)
    .join(' · ')

  return (
    <div className={classes.frame}>
      <header className={classes.header}>
        {isPhone && (
          <ActionIcon aria-label="Voltar à lista" size={40} onClick={onBack}>
            <IconArrowLeft size={20} stroke={1.75} />
          </ActionIcon>
        )}
        <Avatar name={ticket.name} src={ticket.profilePicUrl} channel={ticket.channel} size={38} />
        <div className={classes.words}>
          <h2 className={`truncate ${classes.name}`} title={ticket.name}>
            {ticket.name}
          </h2>
          <p className={classes.meta}>
            <span className="truncate" title={where}>
              {where}
            </span>
            {windowEndsAt !== null && !isWindowOver && <WindowClock endsAt={windowEndsAt} />}
            <SlaClock ticket={ticket} />
          </p>
        </div>
        {!isPhone && ticket.tags.length > 0 && (
          <div className={classes.tags}>
            {ticket.tags.slice(0, 2).map((tag) => (
              <TagChip key={tag.id} name={tag.name} color={tag.color} />
            ))}
            {ticket.tags.length > 2 && <span className={classes.moreTags}>+{ticket.tags.length - 2}</span>}
          </div>
        )}
        {viewers.length > 0 && (
          <ul className={classes.viewers} aria-label="Também estão vendo">
            {viewers.slice(0, 3).map((viewer) => (
              <Tooltip
                key={viewer.userId}
                label={`${viewer.name} ${viewer.isTyping ? 'está escrevendo' : 'está vendo'}`}
              >
                <li aria-label={viewer.name} data-typing={viewer.isTyping}>
                  <Avatar name={viewer.name} size={26} />
                </li>
              </Tooltip>
            ))}
          </ul>
        )}
        {!isPhone && <Guests ticket={ticket} onShow={() => setDialog('share')} />}
        {isPhone ? (
          <ActionIcon size={40} aria-label="Ações" onClick={() => setSheetOpen(true)}>
            <IconDots size={20} stroke={1.75} />
          </ActionIcon>
        ) : (
          <div className={classes.actions}>
            {shown.map((action) => (
              <Tooltip key={action.label} label={action.hint} disabled={!action.hint}>
                <Button
                  variant="default"
                  size="sm"
                  className={classes.action}
                  leftSection={<action.icon size={17} stroke={1.75} aria-hidden />}
                  loading={action.isBusy}
                  onClick={action.run}
                >
                  {action.label}
                </Button>
              </Tooltip>
            ))}
            <Menu position="bottom-end" width={270} withInitialFocusPlaceholder={false}>
              <Menu.Target>
                <ActionIcon aria-label="Mais ações">
                  <IconDots size={18} stroke={1.75} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {more.map((action) => (
                  <MenuAction
                    key={action.label}
                    obstacle={action.obstacle}
                    leftSection={<action.icon size={17} stroke={1.75} aria-hidden />}
                    onClick={action.run}
                  >
                    {action.label}
                  </MenuAction>
                ))}
              </Menu.Dropdown>
            </Menu>
            <Tooltip label={isPanelOpen ? 'Fechar painel' : 'Dados do contato'}>
              <ActionIcon
                aria-label="Dados do contato"
                aria-expanded={isPanelOpen}
                variant={isPanelOpen ? 'light' : 'subtle'}
                onClick={onPanel}
              >
                <IconLayoutSidebarRight size={19} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          </div>
        )}
        {isSheetOpen && (
          <Suspense fallback={null}>
            <ActionsSheet actions={all} onClose={() => setSheetOpen(false)} />
          </Suspense>
        )}
      </header>
      {ticket.pausedAt && <PauseBanner ticket={ticket} />}
      <Suspense fallback={null}>
        {dialog === 'export' && <ExportDialog ticket={ticket} onClose={endDialog} />}
        {dialog === 'pause' && <PauseDialog ticket={ticket} onClose={endDialog} />}
        {dialog === 'share' && <ShareDialog ticket={ticket} onClose={endDialog} />}
        {dialog === 'merge' && <MergeDialog ticket={ticket} onClose={endDialog} />}
        {dialog === 'channel' && <ChannelDialog ticket={ticket} onGo={props.onGo} onClose={endDialog} />}
        {dialog === 'appraise' && <AppraiseDialog ticket={ticket} onClose={endDialog} />}
        {dialog === 'protocol' && (
          <ProtocolDialog
            ticketId={ticket.id}
            protocol={ticket.protocol}
            status={ticket.status}
            isWindowOver={isWindowOver}
            onClose={endDialog}
          />
        )}
        {dialog === 'grade' && (
          <GradeDialog ticketId={ticket.id} who={ticket.name} grade={null} comment="" onClose={endDialog} />
        )}
      </Suspense>
    </div>
  )
}

const mostGuests = 3
/** What people call an action besides its name, where they look for it by words. */
const otherWords: Partial<Record<string, string>> = {
  Encerrar: 'fechar finalizar concluir',
  Transferir: 'passar encaminhar colega fila',
  Pausar: 'adiar soneca lembrar depois',
  'Devolver para a triagem': 'sem fila soltar',
}
const keysLabel = 'Atalhos do teclado'

/** Colleagues it was shared with; a click shows them all. */
const Guests = ({ ticket, onShow }: { ticket: Ticket; onShow: () => void }) => {
  const people = useQuery({ ...userOptions, enabled: ticket.sharedWith.length > 0 }).data ?? []
  const guests = ticket.sharedWith.flatMap((id) => people.find((person) => person.id === id) ?? [])
  if (!guests.length) return null
  const names = guests.map((person) => person.name).join(', ')
  return (
    <Tooltip label={`Compartilhado com ${names}`}>
      <UnstyledButton className={classes.guests} aria-label={`Compartilhado com ${names}`} onClick={onShow}>
        {guests.slice(0, mostGuests).map((person) => (
          <Avatar key={person.id} name={person.name} size={24} />
        ))}
        {guests.length > mostGuests && <span className={classes.moreTags}>+{guests.length - mostGuests}</span>}
      </UnstyledButton>
    </Tooltip>
  )
}

/**
 * Aceitar and Reabrir stand in the bar where one would write; here is the rest. `main` are buttons where there is room,
 * `more` a menu; on a phone all are one sheet. A new action is one line in the list it belongs to.
 */
const useActions = (
  { ticket, actions, onTransfer, onClose, onReopen, isClosing, onSearch, onShortcuts }: Props,
  show: (dialog: DialogName) => void,
): { main: Action[]; more: Action[] } => {
  const canWork = useCan('tickets.write')
  const { userId, configuracoes, user } = useCurrentSession()
  const { opensNext } = user.configs
  const { run } = useTicketCall()
  const search = { label: 'Buscar na conversa', icon: IconSearch, run: onSearch }
  const exporting = { label: 'Exportar conversa', icon: IconDownload, run: () => show('export') }
  const keys = { label: keysLabel, icon: IconKeyboard, run: onShortcuts }
  const merge = {
    label: 'Unir com outro atendimento',
    icon: IconArrowMerge,
    run: () => show('merge'),
    obstacle: ticket.isGroup ? 'Conversas de grupo não podem ser unidas.' : undefined,
  }
  const protocol = {
    label: ticket.status === 'open' ? 'Enviar protocolo' : 'Protocolo',
    icon: IconTicket,
    run: () => show('protocol'),
  }
  const canGrade = useCan('ratings.grade')
  const grade = { label: 'Registrar avaliação', icon: IconStar, run: () => show('grade') }
  if (!canWork) return { main: [], more: [search, exporting, keys] }
  if (ticket.status === 'closed') {
    const reopen = { label: 'Reabrir', icon: IconRefresh, run: onReopen }
    return { main: [], more: [reopen, merge, protocol, ...(canGrade ? [grade] : []), search, exporting, keys] }
  }

  const handleCall = () =>
    void run(async () => {
      const { notified } = await callResponsible(ticket.id)
      const names = notified.map((person) => person.name)
      notify.success(`Você chamou ${new Intl.ListFormat('pt-BR').format(names)}.`)
      return undefined
    })
  const transfer = { label: 'Transferir', icon: IconArrowsExchange, run: onTransfer, hint: 'Transferir (T)' }
  const close = {
    label: 'Encerrar',
    icon: IconCheck,
    run: onClose,
    isBusy: isClosing || actions.busy === 'close',
    hint: 'Encerrar (E)',
  }
  const pause: Action[] = ticket.pausedAt
    ? [
        {
          label: 'Retomar',
          icon: IconPlayerPlay,
          run: () => void run(() => resumeTicket(ticket.id)),
          isElsewhere: true,
        },
      ]
    : configuracoes.allowPause === false
      ? []
      : [{ label: 'Pausar', icon: IconPlayerPause, run: () => show('pause'), hint: 'Pausar (P)' }]
  const giveBack = { label: 'Devolver à fila', icon: IconArrowBackUp, run: () => void actions.giveBack() }
  const release = {
    label: 'Devolver para a triagem',
    icon: IconInboxOff,
    run: () => void run(() => releaseTicket(ticket.id)),
    obstacle: !ticket.userId && !ticket.queueId ? 'Ele já está sem fila e sem atendente.' : undefined,
  }
  const bot: Action =
    ticket.bot || ticket.chatFlowId
      ? { label: 'Desligar o robô', icon: IconRobotOff, run: () => void run(() => switchBotOff(ticket.id)) }
      : {
          label: 'Devolver ao robô',
          icon: IconRobot,
          run: () => undefined,
          obstacle: 'A empresa ainda não tem um robô para atender.',
        }
  const isAlone = ticket.userId === userId && !ticket.sharedWith.some((id) => id !== userId) && !ticket.queueId
  const call = {
    label: 'Chamar responsáveis',
    icon: IconSpeakerphone,
    run: handleCall,
    obstacle: isAlone ? 'Só você está neste atendimento.' : undefined,
  }
  const more = [
    ...(ticket.status === 'open' ? [giveBack] : []),
    release,
    { label: 'Compartilhar', icon: IconUsersPlus, run: () => show('share') },
    call,
    bot,
    { label: 'Prioridade e valor', icon: IconTag, run: () => show('appraise') },
    { label: 'Mudar de canal', icon: IconPlugConnected, run: () => show('channel') },
    merge,
    protocol,
    search,
    exporting,
    {
      label: opensNext ? 'Ao encerrar ou transferir, ficar' : 'Ao encerrar ou transferir, ir à próxima',
      icon: IconPlayerTrackNext,
      run: () => void savePreferences({ opensNext: !opensNext }),
    },
    keys,
  ]
  return { main: [...pause, transfer, close], more }
}
