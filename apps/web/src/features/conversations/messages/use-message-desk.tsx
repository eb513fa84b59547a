import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import { useCallback, useMemo, useRef, useState } from 'react'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import type { BubbleActions } from './bubble.tsx'
import { MessageMenu } from './message-menu.tsx'
import type { MessageSource } from './message-source.ts'
import type { Outgoing } from './outbox-state.ts'
import { SelectionBar } from './selection-bar.tsx'
import type { TakenBack } from './take-back.ts'

const ResendQuestion = lazyPart(async () => ({ default: (await import('./message-questions.tsx')).ResendQuestion }))
const ForwardDialog = lazyPart(async () => ({ default: (await import('./forward-dialog.tsx')).ForwardDialog }))
const MediaViewer = lazyPart(async () => ({ default: (await import('../../core/media/media-viewer.tsx')).MediaViewer }))

export type MessageHandlers = {
  onReply?: (message: Message) => void
  onEdit?: (message: Message) => void
  onStartChat?: (card: Message['contacts'][number]) => void
  onTalkTo?: (contactId: string) => void
  onTranscribe?: (message: Message) => void
  /** What was not sent is in the composer again: in which mode, and answering what. */
  onTakenBack?: (back: TakenBack) => void
  /** What had not gone is sent once more, and its button with the focus is gone. */
  onSentAgain?: () => void
}
type Given = MessageHandlers & { source: MessageSource; onJump: (messageId: string) => void }

const nothing = () => undefined
const renewedAtMostMs = 60_000

/** What is done with the messages of a list, and what that opens: menu, choice of several, forwarding, files. */
export const useMessageDesk = (given: Given) => {
  const { source } = given
  const [menu, setMenu] = useState<{ message: Message; anchor: HTMLElement } | null>(null)
  const [viewing, setViewing] = useState<Media | null>(null)
  const [doubting, setDoubting] = useState<Message | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const [forwarding, setForwarding] = useState<readonly string[] | null>(null)
  const latest = useRef(given)
  latest.current = given

  const allowedOn = source.work?.allowedOn
  const isRead = source.work === undefined
  const canTalk = given.onTalkTo !== undefined
  const canTranscribe = given.onTranscribe !== undefined
  /** The same as long as rights are: rows are drawn anew only for what changed. */
  const actions = useMemo((): BubbleActions => {
    const work = () => latest.current.source.work
    const retry = (entry: Outgoing, isForced?: boolean) => {
      work()?.retry(entry, isForced)
      latest.current.onSentAgain?.()
    }
    let renewedAt = 0
    return {
      onOpenMedia: setViewing,
      onBroken: () => {
        if (Date.now() - renewedAt < renewedAtMostMs) return
        renewedAt = Date.now()
        latest.current.source.renew?.()
      },
      onJump: (id) => latest.current.onJump(id),
      onResend: (message) => {
        if (message.status === 'uncertain') return setDoubting(message)
        work()?.resend(message)
        latest.current.onSentAgain?.()
      },
      onRetry: (entry) => retry(entry),
      onForce: (entry) => retry(entry, true),
      onWithdraw: (entry) => {
        const back = work()?.takeBack(entry)
        if (back) latest.current.onTakenBack?.(back)
      },
      onStartChat: (card) => latest.current.onStartChat?.(card),
      ...(!isRead && {
        onMenu: (message, anchor) => setMenu({ message, anchor }),
        allowedOn,
        onReply: (message) => latest.current.onReply?.(message),
        onReact: (message, emoji) => work()?.react(message, emoji),
        onFetchFile: (message) => work()?.fetchFile(message),
        ...(canTranscribe && { onTranscribe: (message: Message) => latest.current.onTranscribe?.(message) }),
        ...(canTalk && { onTalkTo: (contactId: string) => latest.current.onTalkTo?.(contactId) }),
      }),
    }
  }, [allowedOn, isRead, canTalk, canTranscribe])
  const toggle = useCallback((id: string) => {
    setSelected((now) => {
      const next = new Set(now)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])

  const pictures = useMemo(
    () =>
      source.conversation.items.flatMap(({ media, isDeleted }) =>
        media && !isDeleted && (media.kind === 'image' || media.kind === 'video') ? [media] : [],
      ),
    [source.conversation.items],
  )
  const { work, starred } = source
  const close = () => {
    setForwarding(null)
    setViewing(null)
    setDoubting(null)
  }
  const opened = (
    <>
      {menu && work && (
        <MessageMenu
          message={menu.message}
          anchor={menu.anchor}
          work={work}
          onReply={given.onReply ?? nothing}
          onEdit={given.onEdit ?? nothing}
          isStarred={starred.includes(menu.message.id)}
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
      <Opened onLost={close}>
        {forwarding && (
          <ForwardDialog
            messageIds={forwarding}
            onClose={(isDone) => {
              setForwarding(null)
              if (isDone) setSelected(null)
            }}
          />
        )}
        {viewing && (
          <MediaViewer
            items={pictures.some((item) => item.id === viewing.id) ? pictures : [viewing]}
            startId={viewing.id}
            onClose={() => setViewing(null)}
          />
        )}
        {doubting && (
          <ResendQuestion
            onClose={() => setDoubting(null)}
            onConfirm={() => {
              setDoubting(null)
              work?.resend(doubting)
              given.onSentAgain?.()
            }}
          />
        )}
      </Opened>
    </>
  )
  return { actions, selected, toggle, opened }
}
