import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import {
  type Icon,
  IconArrowBackUp,
  IconArrowMerge,
  IconArrowsExchange,
  IconArrowsMove,
  IconBell,
  IconBellOff,
  IconCheck,
  IconDownload,
  IconExternalLink,
  IconEye,
  IconHandGrab,
  IconInboxOff,
  IconKeyboard,
  IconMail,
  IconMailOpened,
  IconPhoneOutgoing,
  IconPin,
  IconPinnedOff,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerTrackNext,
  IconPlugConnected,
  IconRefresh,
  IconRobot,
  IconRobotOff,
  IconSearch,
  IconSparkles,
  IconSpeakerphone,
  IconSquareCheck,
  IconStar,
  IconTag,
  IconTicket,
  IconUserCircle,
  IconUsersGroup,
  IconUsersPlus,
} from '@tabler/icons-react'
import { turnOf } from '../../conversations/tickets/turn.ts'
import { actionKeys } from './action-keys.ts'

/** Where actions are offered; `bar` are the header's buttons and `menu` the list behind them, `commands` finds by words. */
export type Surface = 'bar' | 'menu' | 'sheet' | 'commands' | 'row' | 'wall' | 'monitor' | 'monitorBar'

/** What only the surface can do, because it is about the surface; what it does not give is not offered there. */
export type Place = Partial<
  Record<
    | 'open'
    | 'watch'
    | 'take'
    | 'move'
    | 'select'
    | 'search'
    | 'showContact'
    | 'showKeys'
    | 'suggest'
    | 'summarise'
    | 'advise',
    () => void
  >
> & { href?: string }
export type DialogName =
  | 'voiceCall'
  | 'flow'
  | 'transfer'
  | 'pause'
  | 'share'
  | 'merge'
  | 'channel'
  | 'appraise'
  | 'protocol'
  | 'grade'
  | 'export'

/** What an action is done with: questions, calls, marks. */
export type Hand = {
  ask: (dialog: DialogName) => void
  begin: (how: 'accept' | 'takeOver' | 'reopen') => void
  close: () => void
  giveBack: () => void
  release: () => void
  resume: () => void
  callResponsible: () => void
  switchBotOff: () => void
  mark: (change: { isPinned?: boolean; isFollowed?: boolean }) => void
  setUnread: (isUnread: boolean) => void
  openNextAfter: (opensNext: boolean) => void
}

/** All that decides what is offered. */
export type Situation = {
  ticket: Pick<
    Ticket,
    'status' | 'isGroup' | 'userId' | 'username' | 'queueId' | 'pausedAt' | 'bot' | 'chatFlowId' | 'unreadMessages'
  > & { sharedWith?: readonly string[]; protocol?: string }
  selfId: string
  canWork: boolean
  canGrade: boolean
  canCall: boolean
  allowsPause: boolean
  opensNext: boolean
  isPinned: boolean
  isFollowed: boolean
}

export type TicketAction = {
  key: string
  label: string
  icon: Icon
  on: readonly Surface[]
  isShown?: (now: Situation) => boolean
  /** Why it cannot be done now: it stays to be seen, and says so. */
  obstacle?: (now: Situation) => string | false
  /** Not only reading: for whoever works on conversations. */
  isWork?: true
  /** The keyboard's letters; `keysText` where they do two things in turn. */
  letters?: readonly string[]
  keysText?: string
  /** What people call it besides its name, where they look for it by words. */
  words?: string
} & ({ does: (hand: Hand) => void } | { needs: keyof Place })

/** What campaigns said to a contact has no protocol: there is nothing to be done with it but to read it. */
const isWorked = ({ ticket }: Situation) => ticket.protocol !== ''
const isLive = ({ ticket }: Situation) => ticket.status !== 'closed'
const isClosed = ({ ticket }: Situation) => ticket.status === 'closed'
const isWaiting = ({ ticket }: Situation) => ticket.status === 'pending'
const hasBot = ({ ticket }: Situation) => Boolean(ticket.bot || ticket.chatFlowId)
const turnOfOther = ({ ticket, selfId }: Situation) => {
  const turn = turnOf(ticket)
  return turn && turn.userId !== selfId ? turn : null
}
const isAlone = ({ ticket, selfId }: Situation) =>
  ticket.userId === selfId && !ticket.sharedWith?.some((id) => id !== selfId) && !ticket.queueId

/**
 * Everything that can be done with a conversation, in the order in which it is offered: buttons and menu of its header,
 * the row's menu, the wall, the sheet of keys and the command bar all read these rows. A new action is one row here.
 */
// biome-ignore format: a table reads as lines
export const ticketActions: readonly TicketAction[] = [
  { key: 'open-tab', label: 'Abrir em nova guia', icon: IconExternalLink, on: ['row'], needs: 'href' },
  { key: 'watch', label: 'Espiar', icon: IconEye, on: ['wall'], needs: 'watch' },
  { key: 'open', label: 'Abrir no atendimento', icon: IconExternalLink, on: ['monitor'], needs: 'open' },
  { key: 'pin', label: 'Fixar no topo', icon: IconPin, on: ['row', 'commands'], isShown: (now) => !now.isPinned, does: (hand) => hand.mark({ isPinned: true }) },
  { key: 'unpin', label: 'Desafixar', icon: IconPinnedOff, on: ['row', 'commands'], isShown: (now) => now.isPinned, does: (hand) => hand.mark({ isPinned: false }) },
  { key: 'follow', label: 'Seguir', icon: IconBell, on: ['row', 'commands'], isShown: (now) => !now.isFollowed, does: (hand) => hand.mark({ isFollowed: true }) },
  { key: 'unfollow', label: 'Deixar de seguir', icon: IconBellOff, on: ['row', 'commands'], isShown: (now) => now.isFollowed, does: (hand) => hand.mark({ isFollowed: false }) },
  { key: 'read', label: 'Marcar como lida', icon: IconMailOpened, on: ['row'], isWork: true, isShown: ({ ticket }) => ticket.unreadMessages > 0, letters: actionKeys.unread, does: (hand) => hand.setUnread(false) },
  { key: 'unread', label: 'Marcar como não lida', icon: IconMail, on: ['row'], isWork: true, isShown: ({ ticket }) => ticket.unreadMessages === 0, letters: actionKeys.unread, keysText: 'Marcar como lida ou não lida', does: (hand) => hand.setUnread(true) },
  { key: 'select', label: 'Selecionar', icon: IconSquareCheck, on: ['row'], isWork: true, needs: 'select' },

  { key: 'accept', label: 'Aceitar', icon: IconHandGrab, on: ['row', 'commands'], isWork: true, isShown: isWaiting, obstacle: (now) => sentenceOfTurn(turnOfOther(now)?.name), letters: actionKeys.accept, words: 'atender assumir', does: (hand) => hand.begin('accept') },
  { key: 'take-over', label: 'Assumir mesmo assim', icon: IconHandGrab, on: ['row', 'commands'], isWork: true, isShown: (now) => turnOfOther(now) !== null, does: (hand) => hand.begin('takeOver') },
  { key: 'take', label: 'Assumir', icon: IconHandGrab, on: ['wall', 'monitorBar'], isWork: true, isShown: ({ ticket, selfId }) => ticket.userId !== selfId, needs: 'take' },
  { key: 'reopen', label: 'Reabrir', icon: IconRefresh, on: ['menu', 'sheet', 'commands', 'row'], isWork: true, isShown: isClosed, does: (hand) => hand.begin('reopen') },
  { key: 'move', label: 'Mover para…', icon: IconArrowsMove, on: ['wall', 'monitorBar'], isWork: true, isShown: isLive, needs: 'move' },
  // Its button stands in the banner of the pause.
  { key: 'resume', label: 'Retomar', icon: IconPlayerPlay, on: ['commands', 'row'], isWork: true, isShown: ({ ticket }) => ticket.status !== 'closed' && ticket.pausedAt !== null, letters: actionKeys.pause, does: (hand) => hand.resume() },
  { key: 'pause', label: 'Pausar', icon: IconPlayerPause, on: ['bar', 'sheet', 'commands', 'row'], isWork: true, isShown: (now) => isLive(now) && now.ticket.pausedAt === null && now.allowsPause, letters: actionKeys.pause, keysText: 'Pausar ou retomar', words: 'adiar soneca lembrar depois', does: (hand) => hand.ask('pause') },
  { key: 'transfer', label: 'Transferir', icon: IconArrowsExchange, on: ['bar', 'sheet', 'commands', 'row'], isWork: true, isShown: isLive, letters: actionKeys.transfer, words: 'passar encaminhar colega fila', does: (hand) => hand.ask('transfer') },
  { key: 'close', label: 'Encerrar', icon: IconCheck, on: ['bar', 'sheet', 'commands', 'row', 'monitor'], isWork: true, isShown: isLive, letters: actionKeys.close, words: 'fechar finalizar concluir', does: (hand) => hand.close() },

  { key: 'contact', label: 'Dados do contato', icon: IconUserCircle, on: ['sheet'], isShown: ({ ticket }) => !ticket.isGroup, needs: 'showContact' },
  { key: 'group', label: 'Dados do grupo', icon: IconUsersGroup, on: ['sheet'], isShown: ({ ticket }) => ticket.isGroup, needs: 'showContact' },
  { key: 'give-back', label: 'Devolver à fila', icon: IconArrowBackUp, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: ({ ticket }) => ticket.status === 'open', does: (hand) => hand.giveBack() },
  { key: 'release', label: 'Devolver para a triagem', icon: IconInboxOff, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: isLive, obstacle: ({ ticket }) => !ticket.userId && !ticket.queueId && 'Ele já está sem fila e sem atendente.', words: 'sem fila soltar', does: (hand) => hand.release() },
  { key: 'share', label: 'Compartilhar', icon: IconUsersPlus, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: isLive, does: (hand) => hand.ask('share') },
  { key: 'call', label: 'Chamar responsáveis', icon: IconSpeakerphone, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: isLive, obstacle: (now) => isAlone(now) && 'Só você está neste atendimento.', does: (hand) => hand.callResponsible() },
  { key: 'bot-off', label: 'Desligar o robô', icon: IconRobotOff, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: (now) => isLive(now) && hasBot(now), does: (hand) => hand.switchBotOff() },
  { key: 'bot-on', label: 'Devolver ao robô', icon: IconRobot, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: (now) => isLive(now) && !hasBot(now) && !now.ticket.isGroup, words: 'fluxo bot', does: (hand) => hand.ask('flow') },
  { key: 'voice-call', label: 'Ligar com assistente de voz', icon: IconPhoneOutgoing, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: (now) => now.canCall && !now.ticket.isGroup, words: 'telefone ligação chamada vapi voz gravação transcrição', does: (hand) => hand.ask('voiceCall') },
  { key: 'appraise', label: 'Prioridade e valor', icon: IconTag, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: isLive, does: (hand) => hand.ask('appraise') },
  { key: 'channel', label: 'Mudar de canal', icon: IconPlugConnected, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: isLive, does: (hand) => hand.ask('channel') },
  { key: 'merge', label: 'Unir com outro atendimento', icon: IconArrowMerge, on: ['menu', 'sheet', 'commands'], isWork: true, obstacle: ({ ticket }) => ticket.isGroup && 'Conversas de grupo não podem ser unidas.', does: (hand) => hand.ask('merge') },
  { key: 'send-protocol', label: 'Enviar protocolo', icon: IconTicket, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: ({ ticket }) => ticket.status === 'open', does: (hand) => hand.ask('protocol') },
  { key: 'protocol', label: 'Protocolo', icon: IconTicket, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: ({ ticket }) => ticket.status !== 'open', does: (hand) => hand.ask('protocol') },
  { key: 'grade', label: 'Registrar avaliação', icon: IconStar, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: (now) => isClosed(now) && now.canGrade, does: (hand) => hand.ask('grade') },
  { key: 'search', label: 'Buscar na conversa', icon: IconSearch, on: ['menu', 'sheet', 'commands'], needs: 'search' },
  { key: 'export', label: 'Exportar conversa', icon: IconDownload, on: ['menu', 'sheet', 'commands'], does: (hand) => hand.ask('export') },
  { key: 'stay', label: 'Ao encerrar ou transferir, ficar', icon: IconPlayerTrackNext, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: (now) => isLive(now) && now.opensNext, does: (hand) => hand.openNextAfter(false) },
  { key: 'go-on', label: 'Ao encerrar ou transferir, ir à próxima', icon: IconPlayerTrackNext, on: ['menu', 'sheet', 'commands'], isWork: true, isShown: (now) => isLive(now) && !now.opensNext, does: (hand) => hand.openNextAfter(true) },
  { key: 'copilot-suggest', label: 'Copiloto: sugerir resposta', icon: IconSparkles, on: ['commands'], isWork: true, words: 'ia inteligência artificial escrever', needs: 'suggest' },
  { key: 'copilot-summary', label: 'Copiloto: resumir a conversa', icon: IconSparkles, on: ['commands'], words: 'ia resumo inteligência artificial', needs: 'summarise' },
  { key: 'copilot-next', label: 'Copiloto: próximo passo', icon: IconSparkles, on: ['commands'], words: 'ia conselho ação inteligência artificial', needs: 'advise' },
  { key: 'keys', label: 'Atalhos do teclado', icon: IconKeyboard, on: ['menu', 'commands'], needs: 'showKeys' },
]

const sentenceOfTurn = (name: string | undefined) =>
  name !== undefined && `Este atendimento está na vez de ${name}. Você pode assumir mesmo assim.`

/** What can be done there and now, by its row. */
export const offeredOn = (surface: Surface, now: Situation, place: Place): TicketAction[] =>
  ticketActions.filter((action) => action.on.includes(surface) && isOffered(action, now, place))

/** What a letter does now; none: nothing. */
export const actionOfLetter = (letter: string, now: Situation): TicketAction | undefined =>
  ticketActions.find((action) => action.letters?.includes(letter.toUpperCase()) && isOffered(action, now, {}))

const isOffered = (action: TicketAction, now: Situation, place: Place) =>
  (!action.isWork || (now.canWork && isWorked(now))) &&
  (action.isShown?.(now) ?? true) &&
  ('does' in action || place[action.needs] !== undefined)
