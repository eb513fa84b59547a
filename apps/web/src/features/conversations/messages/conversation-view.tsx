import { Button, Loader, UnstyledButton } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { notify, useToasts } from '../../../ui/notify.ts'
import classes from './conversation-view.module.css'
import { MessageRow } from './message-row.tsx'
import type { MessageSource } from './message-source.ts'
import { type ChatRow, firstUnreadOf, holds, rowsOf } from './rows.ts'
import { type MessageHandlers, useMessageDesk } from './use-message-desk.tsx'
import { useStickToEnd } from './use-stick-to-end.ts'
import { useUnseen } from './use-unseen.ts'

/** Room above for what is loaded later: the list keeps its place when older pages come in. */
const firstIndex = 1_000_000
/** So few rows stand in sight together, wherever the new ones begin. */
const aScreenful = 12

type Wish = { id: string; at: number }
type Props = MessageHandlers & {
  source: MessageSource
  /** How a screen reader calls the list. */
  label: string
  /** How many were unread when the conversation was opened: where "novas mensagens" begins. */
  unreadAtOpen?: number
  /** A message to go to, e.g. from the search; `at` makes the same one twice two wishes. */
  jump?: Wish | null
  /** What stands above a row, where the one before tells. */
  above?: (row: ChatRow, before: ChatRow | undefined) => ReactNode
}

/** The conversation, wherever in it one is: a jump to a place that is not loaded begins a new stretch there. */
export const ConversationView = (props: Props) => {
  const { source, jump = null } = props
  const [wish, setWish] = useState(jump)
  const [asked, setAsked] = useState(jump)
  if (asked !== jump) {
    setAsked(jump)
    setWish(jump)
  }
  const handleLatest = () => {
    setWish(null)
    source.loadLatest?.().catch((error: unknown) => notify.error(messageOf(error)))
  }
  return (
    <Stretch
      key={source.conversation.segment ?? 0}
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
  const { source, unreadAtOpen = 0, jump = null, onLatest } = props
  const { conversation, outgoing: own } = source
  const { userId } = useCurrentSession()
  const list = useRef<VirtuosoHandle>(null)
  const [firstNewId, setFirstNew] = useState(() =>
    conversation.segment ? null : firstUnreadOf(conversation.items, unreadAtOpen),
  )
  const [isAtEnd, setAtEnd] = useState(true)
  const [isLoading, setLoading] = useState(false)
  const [olderFailed, setOlderFailed] = useState(false)
  const desk = useMessageDesk(props)
  const hasNewer = conversation.hasNewer ?? false
  const isChoosing = desk.selected !== null

  const ownKey = own.map((entry) => entry.message.id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the messages on their way are told apart by their ids
  const rows = useMemo(() => {
    const known = new Set(conversation.items.map((message) => message.id))
    const waiting = hasNewer ? [] : own.map((entry) => entry.message).filter((message) => !known.has(message.id))
    return rowsOf([...conversation.items, ...waiting], firstNewId, { isApart: isChoosing })
  }, [conversation.items, ownKey, firstNewId, hasNewer, isChoosing])

  const [anchorId] = useState(rows[0]?.message.id)
  const above = Math.max(
    0,
    rows.findIndex((row) => anchorId !== undefined && holds(row, anchorId)),
  )

  const end = rows.at(-1)
  const last = end?.album?.at(-1) ?? end?.message
  const unseen = useUnseen(rows, isAtEnd, hasNewer)
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
    source
      .loadOlder()
      .catch(() => setOlderFailed(true))
      .finally(() => setLoading(false))
  }
  const handleNewer = () => {
    if (isLoading || !hasNewer || !source.loadNewer) return
    setLoading(true)
    source
      .loadNewer()
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
  const frame = useRef<HTMLDivElement>(null)
  /** Under way to a message, until it rests in sight or the reader scrolls. */
  const going = useRef<AbortController>(null)
  const around = useRef(source.loadAround)
  around.current = source.loadAround
  const jumpTo = useCallback(async (id: string) => {
    if (!latestRows.current.some((row) => holds(row, id))) {
      // Once it is loaded this view begins anew there, with the same wish.
      return around
        .current?.(id)
        .then((isThere) => isThere || notify.info('Esta mensagem não está mais nesta conversa.'))
        .catch((error: unknown) => notify.error(messageOf(error)))
    }
    going.current?.abort()
    const journey = new AbortController()
    going.current = journey
    const { signal } = journey
    const leave = () => journey.abort()
    for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      frame.current?.addEventListener(act, leave, { signal, passive: true })
    const goThere = (looks: number, inPlace: number) => {
      if (signal.aborted) return
      const index = latestRows.current.findIndex((row) => holds(row, id))
      if (index === -1 || looks === 0 || inPlace === restsAfter) return leave()
      if (inPlace === 0) list.current?.scrollToIndex({ index, align: 'center', behavior: 'auto' })
      setTimeout(() => {
        if (signal.aborted) return
        const isThere = isInSight(id)
        if (isThere && inPlace === 0) flash(id)
        goThere(looks - 1, isThere ? inPlace + 1 : 0)
      }, 160)
    }
    requestAnimationFrame(() => goThere(mostLooks, 0))
  }, [])
  const jumped = useRef<Wish | null>(null)
  useEffect(() => {
    if (!jump || jumped.current === jump) return // once: a conversation shown again stays where it was
    jumped.current = jump
    void jumpTo(jump.id)
  }, [jump, jumpTo])

  const newAt = firstNewId ? rows.findIndex((row) => holds(row, firstNewId)) : -1
  const jumpAt = jump ? rows.findIndex((row) => holds(row, jump.id)) : -1
  const startAt = jumpAt >= 0 ? jumpAt : newAt > 2 || rows.length > aScreenful ? newAt : -1
  const scrollerRef = useStickToEnd(startAt < 0, hasNewer)

  return (
    <div ref={frame} className={classes.frame} data-picking={desk.selected !== null}>
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
        itemContent={(index, row) => (
          <>
            {props.above?.(row, rows[index - (firstIndex - above) - 1])}
            <MessageRow
              row={row}
              outgoing={own.find((entry) => entry.message.id === (row.album?.at(-1) ?? row.message).id)}
              userId={userId}
              actions={desk.actions}
              isStarred={(row.album ?? [row.message]).some(({ id }) => source.starred.includes(id))}
              selection={desk.selected && (desk.selected.has(row.message.id) ? 'on' : 'off')}
              onToggle={desk.toggle}
            />
          </>
        )}
        role="log"
        aria-label={props.label}
        tabIndex={0}
      />
      {(!isAtEnd || hasNewer) && !desk.selected && (
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
      {desk.opened}
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

const mostLooks = 12
/** Older messages, heights that were estimated and what comes in below move the list away from where it went. */
const restsAfter = 4

/** Whole, or as much as there is room for. */
const isInSight = (id: string): boolean => {
  const bubble = document.getElementById(`m-${id}`)
  const box = bubble?.getBoundingClientRect()
  const frame = bubble?.closest('[role=log]')?.getBoundingClientRect()
  if (!box || !frame) return false
  const isTall = box.height > frame.height
  return isTall ? box.bottom > frame.top && box.top < frame.bottom : box.top >= frame.top && box.bottom <= frame.bottom
}

const flash = (id: string) => {
  const bubble = document.getElementById(`m-${id}`)
  if (!bubble) return
  bubble.setAttribute('data-flash', '')
  setTimeout(() => bubble.removeAttribute('data-flash'), 1_700)
}
