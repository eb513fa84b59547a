import { Fragment } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Chat } from '../chat.ts'
import { formatDay, isSameDay } from '../format.ts'
import { withOffer } from '../offer.ts'
import type { ThreadMessage } from '../thread.ts'
import { say } from '../words.ts'
import { useChat } from './app.tsx'
import { Icon } from './icons.tsx'
import { MessageRow } from './message-row.tsx'
import { RichText } from './rich-text.tsx'

type Props = { chat: Chat; onReply: (message: ThreadMessage) => void; onOpenPicture: (message: ThreadMessage) => void }

const GROUP_MS = 5 * 60_000
const END_SLACK_PX = 60

export const MessageList = ({ chat, onReply, onOpenPicture }: Props) => {
  const state = useChat(chat)
  const { config, ticketStatus, typingAgent, unreadMarkId, hasOlder, isLoadingOlder, isOpen, offer } = state
  const thread = useMemo(() => withOffer(state.thread, offer), [state.thread, offer])
  const box = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const before = useRef<{ firstId?: string; lastId?: string; height: number }>({ height: 0 })
  const [hasNewBelow, setNewBelow] = useState(false)

  const scrollToEnd = (): void => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }

  const handleScroll = (): void => {
    const node = box.current
    if (!node || node.clientHeight === 0) return
    isAtEnd.current = node.scrollHeight - node.scrollTop - node.clientHeight < END_SLACK_PX
    chat.setAtEnd(isAtEnd.current)
    if (isAtEnd.current) setNewBelow(false)
    if (node.scrollTop < 80) void chat.loadOlder()
  }

  // Older messages come in above without moving what is being read; new ones are followed only by who is at the end.
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const firstId = thread[0]?.id
    const last = thread.at(-1)
    const was = before.current
    if (was.firstId && was.firstId !== firstId && was.lastId === last?.id) {
      node.scrollTop += node.scrollHeight - was.height
    } else if (last && was.lastId !== last.id) {
      if (isAtEnd.current || last.delivery) scrollToEnd()
      else if (last.from !== 'visitor') setNewBelow(true)
    }
    before.current = { firstId, lastId: last?.id, height: node.scrollHeight }
  }, [thread])

  // Pictures, the keyboard and the panel's own opening change heights after the messages are drawn.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) scrollToEnd()
    })
    if (box.current) observer.observe(box.current)
    if (content.current) observer.observe(content.current)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (isOpen && isAtEnd.current) scrollToEnd()
  }, [isOpen, typingAgent])

  const lastAccepted = thread.findLastIndex((message) => !message.delivery)
  const isEnded = lastAccepted >= 0 && (ticketStatus === 'closed' || ticketStatus === 'none')
  const lastVisitorIndex = thread.findLastIndex((message) => message.from === 'visitor')

  return (
    <div class="list-holder">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section class="list" ref={box} onScroll={handleScroll} aria-label={say('conversation')} tabIndex={0}>
        <div class="list-content" ref={content}>
          {hasOlder && <p class="line">{say(isLoadingOlder ? 'loadingOlder' : 'scrollOlder')}</p>}
          {config && !config.isOnline && <OfflineNotice text={config.offlineText} />}
          {config?.welcome && !hasOlder && thread[0]?.from !== 'bot' && (
            <div class="welcome">
              <RichText text={config.welcome} />
            </div>
          )}
          <div role="log" aria-live="polite" aria-busy={isLoadingOlder} aria-label={say('messages')} class="log">
            {thread.map((message, index) => {
              const previous = thread[index - 1]
              const next = thread[index + 1]
              const isNewDay = !previous || !isSameDay(previous.createdAt, message.createdAt)
              const isMarked = message.id === unreadMarkId
              return (
                <Fragment key={message.clientId ?? message.id}>
                  {isNewDay && <p class="line day">{formatDay(message.createdAt)}</p>}
                  {isMarked && <p class="line unread">{say('fresh')}</p>}
                  <MessageRow
                    chat={chat}
                    message={message}
                    isFirst={isNewDay || isMarked || !isSameGroup(previous, message)}
                    isLast={!isSameGroup(message, next)}
                    canAnswerButtons={index > lastVisitorIndex && index <= lastAccepted}
                    answer={message.buttons?.length ? answerTo(thread, message) : undefined}
                    onReply={onReply}
                    onOpenPicture={onOpenPicture}
                  />
                  {isEnded && index === lastAccepted && <p class="line ended">{say('ended')}</p>}
                </Fragment>
              )
            })}
          </div>
          {typingAgent && (
            <div class="row team">
              <div class="typing" role="status" aria-label={say('typing', { name: typingAgent })}>
                <span />
                <span />
                <span />
              </div>
            </div>
          )}
        </div>
      </section>
      {hasNewBelow && (
        <button type="button" class="to-end" onClick={scrollToEnd}>
          {say('fresh')} <Icon name="down" size={16} />
        </button>
      )}
    </div>
  )
}

/** What the visitor answered to a message of ours, if anything. */
const answerTo = (thread: ThreadMessage[], { id }: ThreadMessage): string | undefined =>
  thread.find((message) => message.from === 'visitor' && message.replyTo?.id === id)?.text

export const OfflineNotice = ({ text }: { text: string }) => (
  <div class="offline" role="note">
    <Icon name="clock" size={18} />
    <p>
      <RichText text={text || say('offlineText')} />
    </p>
  </div>
)

const isSameGroup = (one: ThreadMessage | undefined, other: ThreadMessage | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.from === other.from &&
  (one.agentName ?? '') === (other.agentName ?? '') &&
  one.type !== 'system' &&
  other.type !== 'system' &&
  one.delivery !== 'failed' &&
  isSameDay(one.createdAt, other.createdAt) &&
  Date.parse(other.createdAt) - Date.parse(one.createdAt) < GROUP_MS
