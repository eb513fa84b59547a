import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import { Button, Loader, UnstyledButton } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { notify, useToasts } from '../../../ui/notify.ts'
import type { Abilities } from './abilities.ts'
import { allowedOn } from './allowed.ts'
import {
  conversationQuery,
  loadAround,
  loadLatest,
  loadNewer,
  loadOlder,
  receiveMessage,
  resendMessage,
} from './api.ts'
import type { BubbleActions } from './bubble.tsx'
import type { Conversation } from './conversation.ts'
import classes from './conversation-view.module.css'
import { MessageMenu } from './message-menu.tsx'
import { MessageRow } from './message-row.tsx'
import { retrySend } from './outbox.ts'
import { useOutgoing } from './outbox-entries.ts'
import { reactWith } from './reacting.ts'
import { type ChatRow, firstUnreadOf, rowsOf, sideOf } from './rows.ts'
import { SelectionBar } from './selection-bar.tsx'
import { starsOf } from './stars.ts'
import { type TakenBack, takeBack } from './take-back.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

const ResendQuestion = lazy(async () => ({ default: (await import('./message-questions.tsx')).ResendQuestion }))
const ForwardDialog = lazy(async () => ({ default: (await import('./forward-dialog.tsx')).ForwardDialog }))
const MediaViewer = lazy(async () => ({ default: (await import('../../core/media/media-viewer.tsx')).MediaViewer }))

/** Room above for what is loaded later: the list keeps its place when older pages come in. */
const firstIndex = 1_000_000

type Wish = { id: string; at: number }
type Props = {
  ticket: Ticket
  conversation: Conversation
  /** How many were unread when the conversation was opened: where "novas mensagens" begins. */
  unreadAtOpen: number
  abilities: Abilities
  /** A message to go to, e.g. from the search; `at` makes the same one twice two wishes. */
  jump: Wish | null
  onReply: (message: Message) => void
  onEdit: (message: Message) => void
  onStartChat: (card: Message['contacts'][number]) => void
  /** What was not sent is in the composer again: in which mode, and answering what. */
  onTakenBack: (back: TakenBack) => void
}

/** The conversation, wherever in it one is: a jump to a place that is not loaded begins a new stretch there. */
export const ConversationView = (props: Props) => {
  const { ticket, conversation, jump } = props
  const cache = useQueryClient()
  const [wish, setWish] = useState(jump)
  const [asked, setAsked] = useState(jump)
  if (asked !== jump) {
    setAsked(jump)
    setWish(jump)
  }
  const handleLatest = () => {
    setWish(null)
    loadLatest(cache, ticket.id).catch((error: unknown) => notify.error(messageOf(error)))
  }
  return (
    <Stretch
      key={conversation.segment ?? 0}
      {...props}
      jump={wish}
      onJump={(id) => setWish({ id, at: Date.now() })}
      onLatest={handleLatest}
    />
  )
}

type StretchProps = Props & { onJump: (messageId: string) => void; onLatest: () => void }
/** One stretch: virtual, keeping the reading position, following only while the reader is at the end. */
const Stretch = (props: StretchProps) => {
  const { ticket, conversation, unreadAtOpen, abilities, jump, onJump, onLatest } = props
  const { onReply, onEdit, onStartChat, onTakenBack } = props
  const cache = useQueryClient()
  const { userId, profile } = useCurrentSession()
  const list = useRef<VirtuosoHandle>(null)
  const outgoing = useOutgoing()
  const [firstNewId, setFirstNew] = useState(() =>
    conversation.segment ? null : firstUnreadOf(conversation.items, unreadAtOpen),
  )
  const [isAtEnd, setAtEnd] = useState(true)
  const [isLoading, setLoading] = useState(false)
  const [olderFailed, setOlderFailed] = useState(false)
  const [menu, setMenu] = useState<{ message: Message; anchor: HTMLElement } | null>(null)
  const [viewing, setViewing] = useState<Media | null>(null)
  const [doubting, setDoubting] = useState<Message | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const [forwarding, setForwarding] = useState<readonly string[] | null>(null)
  const stars = useQuery(starsOf(ticket.id)).data
  const hasNewer = conversation.hasNewer ?? false

  const own = outgoing.filter((entry) => entry.message.ticketId === ticket.id)
  const ownKey = own.map((entry) => entry.message.id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the messages on their way are told apart by their ids
  const rows = useMemo(() => {
    const known = new Set(conversation.items.map((message) => message.id))
    const waiting = hasNewer ? [] : own.map((entry) => entry.message).filter((message) => !known.has(message.id))
    return rowsOf([...conversation.items, ...waiting], firstNewId)
  }, [conversation.items, ownKey, firstNewId, hasNewer])

  const [anchorId] = useState(rows[0]?.message.id)
  const above = Math.max(
    0,
    rows.findIndex((row) => row.message.id === anchorId),
  )

  const last = rows.at(-1)?.message
  const seen = useSeen(rows, isAtEnd, hasNewer)
  const unseen = seen.unseen
  const firstUnseenId = unseen[0]?.id
  useEffect(() => {
    if (firstUnseenId) setFirstNew((now) => now ?? firstUnseenId)
  }, [firstUnseenId])
  const isOwnLast = last !== undefined && own.some((entry) => entry.message.id === last.id)
  useEffect(() => {
    if (isOwnLast) setFirstNew(null)
  }, [isOwnLast])

  const handleOlder = () => {
    if (isLoading || !conversation.hasOlder) return
    setLoading(true)
    setOlderFailed(false)
    loadOlder(cache, ticket.id)
      .catch(() => setOlderFailed(true))
      .finally(() => setLoading(false))
  }
  const handleNewer = () => {
    if (isLoading || !hasNewer) return
    setLoading(true)
    loadNewer(cache, ticket.id)
      .catch((error: unknown) => notify.error(messageOf(error)))
      .finally(() => setLoading(false))
  }
  const scrollToEnd = () =>
    hasNewer ? onLatest() : list.current?.scrollToIndex({ index: 'LAST', align: 'end', behavior: 'auto' })

  const latest = useRef(onLatest)
  latest.current = onLatest
  const newestOwn = own.at(-1)?.message.id
  useEffect(() => {
    if (newestOwn && hasNewer) latest.current()
  }, [newestOwn, hasNewer])

  const latestRows = useRef(rows)
  latestRows.current = rows
  const jumpTo = useCallback(
    async (id: string) => {
      if (!latestRows.current.some((row) => row.message.id === id)) {
        // Once it is loaded this view begins anew there, with the same wish.
        return loadAround(cache, ticket.id, id)
          .then((isThere) => isThere || notify.info('Esta mensagem não está mais nesta conversa.'))
          .catch((error: unknown) => notify.error(messageOf(error)))
      }
      requestAnimationFrame(() => {
        const index = latestRows.current.findIndex((row) => row.message.id === id)
        if (index === -1) return
        list.current?.scrollToIndex({ index, align: 'center', behavior: 'auto' })
        setTimeout(() => flash(id), 160)
      })
    },
    [cache, ticket.id],
  )
  const jumped = useRef<Wish | null>(null)
  useEffect(() => {
    if (!jump || jumped.current === jump) return // once: a conversation shown again stays where it was
    jumped.current = jump
    void jumpTo(jump.id)
  }, [jump, jumpTo])

  const jumping = useRef(onJump)
  jumping.current = onJump
  const startChat = useRef(onStartChat)
  startChat.current = onStartChat
  const replying = useRef(onReply)
  replying.current = onReply
  const takenBack = useRef(onTakenBack)
  takenBack.current = onTakenBack
  const actions = useMemo((): BubbleActions => {
    const resend = (message: Message) =>
      resendMessage(message.id)
        .then((renewed) => receiveMessage(cache, renewed))
        .catch((error: unknown) => notify.error(messageOf(error)))
    let renewedAt = 0
    return {
      onMenu: (message, anchor) => setMenu({ message, anchor }),
      onOpenMedia: setViewing,
      onBroken: () => {
        if (Date.now() - renewedAt < 60_000) return
        renewedAt = Date.now()
        void cache.invalidateQueries({ queryKey: conversationQuery(ticket.id).queryKey })
      },
      onJump: (id) => jumping.current(id),
      onResend: (message) => (message.status === 'uncertain' ? setDoubting(message) : void resend(message)),
      onRetry: (entry) => retrySend(entry.message.id),
      onForce: (entry) => retrySend(entry.message.id, true),
      onWithdraw: (entry) => {
        const back = takeBack(ticket.id, entry.message.id)
        if (back) takenBack.current(back)
      },
      onStartChat: (card) => startChat.current(card),
      allowedOn: (message) =>
        allowedOn(message, { status: ticket.status, abilities, userId, isAdmin: profile === 'admin' }),
      onReply: (message) => replying.current(message),
      onReact: (message, emoji) =>
        void reactWith(message, emoji)
          .then((renewed) => receiveMessage(cache, renewed))
          .catch((error: unknown) => notify.error(messageOf(error))),
    }
  }, [cache, ticket.id, ticket.status, abilities, userId, profile])

  const pictures = useMemo(
    () =>
      conversation.items.flatMap(({ media, isDeleted }) =>
        media && !isDeleted && (media.kind === 'image' || media.kind === 'video') ? [media] : [],
      ),
    [conversation.items],
  )
  const newAt = firstNewId ? rows.findIndex((row) => row.message.id === firstNewId) : -1
  const jumpAt = jump ? rows.findIndex((row) => row.message.id === jump.id) : -1
  const startAt = jumpAt >= 0 ? jumpAt : newAt > 2 ? newAt : -1
  const scrollerRef = useStickToEnd(startAt < 0, hasNewer)
  const handleToggle = useCallback((id: string) => {
    setSelected((now) => {
      const next = new Set(now)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])

  return (
    <div className={classes.frame} data-picking={selected !== null}>
      <Virtuoso
        ref={list}
        scrollerRef={scrollerRef}
        className={classes.list}
        data={rows}
        firstItemIndex={firstIndex - above}
        initialTopMostItemIndex={startAt >= 0 ? { index: startAt, align: 'center' } : { index: 'LAST', align: 'end' }}
        computeItemKey={(_, row) => row.message.id}
        increaseViewportBy={{ top: 800, bottom: 400 }}
        alignToBottom
        atBottomThreshold={60}
        atBottomStateChange={setAtEnd}
        startReached={handleOlder}
        endReached={handleNewer}
        followOutput={(isAtBottom) => (!hasNewer && (isAtBottom || isOwnLast) ? 'auto' : false)}
        context={{
          isLoading,
          hasOlder: conversation.hasOlder,
          onRetry: olderFailed ? handleOlder : undefined,
        }}
        components={parts}
        itemContent={(_, row) => (
          <MessageRow
            row={row}
            outgoing={own.find((entry) => entry.message.id === row.message.id)}
            userId={userId}
            actions={actions}
            isStarred={stars?.includes(row.message.id) ?? false}
            selection={selected && (selected.has(row.message.id) ? 'on' : 'off')}
            onToggle={handleToggle}
          />
        )}
        role="log"
        aria-label="Mensagens"
        tabIndex={0}
      />
      {(!isAtEnd || hasNewer) && !selected && (
        <UnstyledButton className={classes.toEnd} data-new={unseen.length > 0 || hasNewer} onClick={scrollToEnd}>
          <IconArrowDown size={18} aria-hidden />
          <span className={unseen.length > 0 || hasNewer ? undefined : classes.hidden}>
            {unseen.length === 0
              ? hasNewer
                ? 'Voltar para agora'
                : 'Ir para o fim'
              : unseen.length === 1
                ? '1 nova mensagem'
                : `${formatNumber(unseen.length)} novas mensagens`}
          </span>
        </UnstyledButton>
      )}
      {menu && (
        <MessageMenu
          message={menu.message}
          anchor={menu.anchor}
          ticket={ticket}
          abilities={abilities}
          onReply={onReply}
          onEdit={onEdit}
          isStarred={stars?.includes(menu.message.id) ?? false}
          onForward={() => setForwarding([menu.message.id])}
          onSelect={() => setSelected(new Set([menu.message.id]))}
          onClose={() => setMenu(null)}
        />
      )}
      {selected && (
        <SelectionBar
          count={selected.size}
          onForward={() => setForwarding([...selected])}
          onClose={() => setSelected(null)}
        />
      )}
      {forwarding && (
        <Suspense fallback={null}>
          <ForwardDialog
            messageIds={forwarding}
            onClose={(isDone) => {
              setForwarding(null)
              if (isDone) setSelected(null)
            }}
          />
        </Suspense>
      )}
      {viewing && (
        <Suspense fallback={null}>
          <MediaViewer
            items={pictures.some((item) => item.id === viewing.id) ? pictures : [viewing]}
            startId={viewing.id}
            onClose={() => setViewing(null)}
          />
        </Suspense>
      )}
      {doubting && (
        <Suspense fallback={null}>
          <ResendQuestion
            onClose={() => setDoubting(null)}
            onConfirm={() => {
              setDoubting(null)
              resendMessage(doubting.id)
                .then((renewed) => receiveMessage(cache, renewed))
                .catch((error: unknown) => notify.error(messageOf(error)))
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

type ListContext = { isLoading: boolean; hasOlder: boolean; onRetry: (() => void) | undefined }
const Top = ({ context }: { context?: ListContext }) => (
  <div className={classes.top}>
    {context?.onRetry ? (
      <span role="alert">
        Não conseguimos carregar as anteriores.
        <Button size="compact-sm" variant="subtle" onClick={context.onRetry}>
          Tentar de novo
        </Button>
      </span>
    ) : context?.isLoading || context?.hasOlder ? (
      <Loader size={18} role="status" aria-label="Carregando mensagens" />
    ) : null}
  </div>
)
/** Where toasts stand over the end of the conversation, its last message moves up. */
const Bottom = () => <div className={classes.bottom} data-toasts={useToasts().length > 0} />
const parts = { Header: Top, Footer: Bottom }

/** What came from others since the reader was last at the end; what was loaded on the way back to now is no news. */
const useSeen = (rows: readonly ChatRow[], isAtEnd: boolean, hasNewer: boolean) => {
  const lastSeq = rows.findLast((row) => row.message.seq !== Number.MAX_SAFE_INTEGER)?.message.seq ?? 0
  const [seenSeq, setSeen] = useState(lastSeq)
  const [hadNewer, setHadNewer] = useState(hasNewer)
  if (hadNewer && seenSeq < lastSeq) setSeen(lastSeq)
  if (hadNewer !== hasNewer) setHadNewer(hasNewer)
  useEffect(() => {
    if (isAtEnd && !document.hidden) setSeen(lastSeq)
  }, [isAtEnd, lastSeq])
  const unseen = rows
    .map((row) => row.message)
    .filter((message) => message.seq > seenSeq && message.seq <= lastSeq && sideOf(message) === 'theirs')
  return { unseen }
}

const flash = (id: string) => {
  const bubble = document.getElementById(`m-${id}`)
  if (!bubble) return
  bubble.setAttribute('data-flash', '')
  setTimeout(() => bubble.removeAttribute('data-flash'), 1_700)
}
