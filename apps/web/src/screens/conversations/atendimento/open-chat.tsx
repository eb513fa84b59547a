import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, Suspense, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { transcribe, useCopilotState } from '../../../features/automation/copilot/api.ts'
import { askComposer } from '../../../features/automation/copilot/asked.ts'
import { contactQuery } from '../../../features/contacts/contacts/queries.ts'
import { useReadMentions } from '../../../features/conversations/mentions/use-read-mentions.ts'
import { abilitiesOf } from '../../../features/conversations/messages/abilities.ts'
import { conversationQuery } from '../../../features/conversations/messages/api.ts'
import type { BubbleActions } from '../../../features/conversations/messages/bubble.tsx'
import type { ComposerTarget } from '../../../features/conversations/messages/composer-target.tsx'
import { lastSeqOf } from '../../../features/conversations/messages/conversation.ts'
import { ConversationPane } from '../../../features/conversations/messages/conversation-pane.tsx'
import type { TakenBack } from '../../../features/conversations/messages/take-back.ts'
import { useChannel } from '../../../features/conversations/messages/use-channel.ts'
import { useWindow } from '../../../features/conversations/messages/use-window.ts'
import { goingBy, useWays } from '../../../features/conversations/messages/ways.ts'
import { soonMs, WindowClock } from '../../../features/conversations/messages/window-clock.tsx'
import { useTicketPresence } from '../../../features/people/presence/use-presence.ts'
import { TicketComposer } from '../../../features/workspace/composer/ticket-composer.tsx'
import { WayChooser } from '../../../features/workspace/composer/way-chooser.tsx'
import type { ActionLetter } from '../../../features/workspace/inbox/action-keys.ts'
import { TicketDialogs } from '../../../features/workspace/inbox/ticket-dialogs.tsx'
import { useTicketWork } from '../../../features/workspace/inbox/use-ticket-work.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { PaneBoundary } from '../../../kit/pane-boundary.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './chat.module.css'
import { Bars } from './chat-bars.tsx'
import { ChatHeader } from './chat-header.tsx'
import { FollowAddress } from './follow-address.tsx'
import { TypingLine } from './typing-line.tsx'
import { type Arrival, useArrival } from './use-arrival.ts'
import { useDropFiles } from './use-drop-files.tsx'
import { useFocused } from './use-focused.ts'
import { useMarkRead } from './use-mark-read.ts'
import { usePanel } from './use-panel.ts'

const ContactPanel = lazyPart(async () => ({
  default: (await import('../../../features/workspace/contact-panel/contact-panel.tsx')).ContactPanel,
}))
const PanelDrawer = lazyPart(async () => ({ default: (await import('./panel-drawer.tsx')).PanelDrawer }))
const TemplateDialog = lazyPart(async () => ({
  default: (await import('../../../features/conversations/templates/template-dialog.tsx')).TemplateDialog,
}))
const ConversationSearch = lazyPart(async () => ({
  default: (await import('../../../features/conversations/messages/conversation-search.tsx')).ConversationSearch,
}))

export type ChatHandle = Record<'note' | 'reply' | 'dismiss', () => void> & {
  /** What a letter means to the conversation; false: nothing. */
  press: (letter: ActionLetter) => boolean
  /** Asked for again while it is open: the keyboard goes to where one writes. */
  enter: (ticketId: string) => void
  canType: () => boolean
}
export type ChatProps = {
  ticketId: string
  handle: RefObject<ChatHandle | null>
  arrival: RefObject<Arrival>
  onBack: () => void
  onGo: (ticketId: string) => void
  /** Told before the conversation leaves one's hands; what it answers runs once it has. */
  onLeaving: (ticketId: string) => () => void
  onShortcuts: () => void
  onStartChat: BubbleActions['onStartChat']
  onTalkTo: (contactId: string) => void
}

/** A conversation that is there: what was said, what one writes, and what can be done with it. */
export const OpenChat = ({
  ticket,
  handle,
  arrival,
  onBack,
  onGo,
  onLeaving,
  onShortcuts,
  onStartChat,
  onTalkTo,
}: ChatProps & { ticket: Ticket }) => {
  const canWrite = useCan('messages.write')
  const canTalk = useCan('tickets.write')
  const channel = useChannel(ticket)
  const abilities = useMemo(() => abilitiesOf(channel), [channel])
  const [unreadAtOpen] = useState(ticket.unreadMessages)
  const conversation = useQuery(conversationQuery(ticket.id, unreadAtOpen))
  const contact = useQuery(contactQuery(ticket.contactId))
  const presence = useTicketPresence(ticket.id)
  const [target, setTarget] = useState<ComposerTarget>(null)
  const [isNote, setNote] = useState(false)
  const [isSearching, setSearching] = useState(false)
  const [jump, setJump] = useState<{ id: string; at: number } | null>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  const panel = usePanel()
  const { endsAt: windowEndsAt, left, isOver: isOwnWindowOver, isKnown: isWindowKnown } = useWindow(ticket, channel)
  useMarkRead(ticket)
  useReadMentions(ticket.id, useFocused())

  const isOpen = ticket.status === 'open'
  const { ways, chosen } = useWays(ticket, canWrite && isOpen)
  const going = useMemo(() => goingBy(ticket, chosen), [ticket, chosen])
  const goingChannel = useChannel(going)
  const goingAbilities = useMemo(() => abilitiesOf(goingChannel), [goingChannel])
  const isWindowOver = chosen ? chosen.takes === 'template' : isOwnWindowOver
  const [isPicking, setPicking] = useState(false)
  // Who accepts may begin to write before the server has answered.
  const [isBegun, setBegun] = useState(false)
  const isBeginning = isBegun && !isOpen
  if (isBegun && isOpen) setBegun(false)
  const canAnswer = canWrite && (isOpen || isBeginning) && !isWindowOver
  const canNote = canWrite && ticket.status !== 'closed'
  const showsComposer = channel !== undefined && (canAnswer || (canNote && isNote))

  const frame = useRef<HTMLElement>(null)
  const arriving = useArrival({ ticketId: ticket.id, arrival, isSettled: channel !== undefined, input, frame })
  const begin = async (action: 'accept' | 'takeOver' | 'reopen') => {
    arriving.askSoon()
    setBegun(true)
    if (await work.actions[action]()) return
    setBegun(false)
    arriving.giveUp()
  }
  const copilot = useCopilotState()
  const work = useTicketWork(ticket, {
    onLeaving: () => onLeaving(ticket.id),
    onUndone: onGo,
    begin: (how) => void begin(how),
    beforeUnread: onBack,
    place: {
      search: () => setSearching(true),
      showContact: panel.toggle,
      showKeys: onShortcuts,
      ...(copilot.isOn && {
        suggest: () => askComposer({ ticketId: ticket.id, task: 'suggest' }),
        summarise: () => askComposer({ ticketId: ticket.id, task: 'summary' }),
        advise: () => askComposer({ ticketId: ticket.id, task: 'next' }),
      }),
    },
  })
  const handleNote = () => {
    if (!canNote) return
    setNote(true)
    requestAnimationFrame(() => input.current?.focus())
  }
  useImperativeHandle(handle, () => ({
    press: work.press,
    note: handleNote,
    reply: () => input.current?.focus(),
    enter: (id) => id === ticket.id && arriving.ask(),
    canType: () => input.current !== null,
    dismiss: () => {
      if (isSearching) setSearching(false)
      else if (panel.isOver) panel.close()
    },
  }))

  const handleTakenBack = ({ isNote: wasNote, quoted }: TakenBack) => {
    setNote(wasNote)
    setTarget(quoted && { kind: 'reply', message: quoted })
    requestAnimationFrame(() => input.current?.focus())
  }

  const drop = useDropFiles(ticket.id, canAnswer && goingAbilities.canAttach)

  const details = (
    <PaneBoundary about={ticket.contactId}>
      <Suspense fallback={<SkeletonList rows={6} />}>
        <ContactPanel ticket={ticket} onTalkTo={onTalkTo} onClose={panel.close} />
      </Suspense>
    </PaneBoundary>
  )

  return (
    <div className={classes.split}>
      <FollowAddress
        ticketId={ticket.id}
        isWindowOver={isWindowKnown ? isOwnWindowOver : undefined}
        onJump={setJump}
        onTemplate={setPicking}
      />
      <section
        ref={frame}
        className={classes.chat}
        aria-label={`Conversa com ${ticket.name}`}
        data-keys="frame"
        tabIndex={-1}
        {...drop.handlers}
      >
        <ChatHeader
          ticket={ticket}
          work={work}
          viewers={presence.others}
          windowEndsAt={windowEndsAt}
          isWindowOver={isOwnWindowOver}
          isPanelOpen={panel.isOpen}
          onPanel={panel.toggle}
          onBack={onBack}
        />
        {isSearching && (
          <Opened onLost={() => setSearching(false)}>
            <ConversationSearch
              ticketId={ticket.id}
              isGroup={ticket.isGroup}
              onPick={(id) => setJump({ id, at: Date.now() })}
              onClose={() => setSearching(false)}
            />
          </Opened>
        )}
        <ConversationPane
          ticket={ticket}
          unreadAtOpen={unreadAtOpen}
          abilities={abilities}
          jump={jump}
          onReply={(message: Message) =>
            setTarget({ kind: 'reply', message: { ...message, authorName: message.author?.name } })
          }
          onEdit={(message: Message) => setTarget({ kind: 'edit', message })}
          onStartChat={onStartChat}
          onTalkTo={canTalk ? onTalkTo : undefined}
          onTakenBack={handleTakenBack}
          onSentAgain={() => requestAnimationFrame(arriving.ask)}
          onTranscribe={copilot.transcribes ? transcribe : undefined}
        />
        <TypingLine
          contactName={presence.isContactTyping ? ticket.name : null}
          colleagues={presence.others.filter((viewer) => viewer.isTyping).map((viewer) => viewer.name)}
        />
        {isOpen && canWrite && !isNote && (
          <div className={classes.above}>
            <WayChooser
              ticket={ticket}
              ways={ways}
              chosen={chosen}
              onGo={onGo}
              onChosen={() => requestAnimationFrame(() => input.current?.focus())}
            />
            {windowEndsAt !== null && left !== null && left < soonMs && canAnswer && !chosen && (
              <WindowClock endsAt={windowEndsAt}>A janela de 24 horas fecha em </WindowClock>
            )}
          </div>
        )}
        {!(isBeginning && showsComposer) && (
          <Bars
            ticket={ticket}
            isBeginning={isBeginning}
            onBegin={begin}
            isWindowOver={isWindowOver && isOpen}
            hasTemplates={goingAbilities.canUseTemplates}
            canNote={canNote && !isNote}
            onNote={handleNote}
            onTalk={canTalk && !ticket.isGroup ? () => onTalkTo(ticket.contactId) : undefined}
            onTemplate={canWrite && goingAbilities.canUseTemplates ? () => setPicking(true) : undefined}
          />
        )}
        {showsComposer && (
          <TicketComposer
            ticket={going}
            contact={contact.data}
            abilities={goingAbilities}
            lastSeq={lastSeqOf(conversation.data)}
            target={target}
            onTarget={setTarget}
            isNote={isNote}
            onNote={setNote}
            onTakenBack={handleTakenBack}
            onlyNotes={!canAnswer}
            input={input}
            onClose={ticket.status === 'open' ? () => void work.closing.begin() : undefined}
          />
        )}
        {drop.hint}
      </section>
      {panel.isOpen &&
        (panel.isOver ? (
          <Opened onLost={panel.close}>
            <PanelDrawer onClose={panel.close}>{details}</PanelDrawer>
          </Opened>
        ) : (
          <div className={classes.panel}>{details}</div>
        ))}
      <TicketDialogs ticket={ticket} work={work} onGo={onGo} />
      <Opened onLost={() => setPicking(false)}>
        {isPicking && (
          <TemplateDialog
            ticket={going}
            contact={contact.data}
            lastSeq={lastSeqOf(conversation.data)}
            isWindowOver={isWindowOver}
            onClose={() => setPicking(false)}
          />
        )}
      </Opened>
    </div>
  )
}
