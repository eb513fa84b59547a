import { useRef } from 'preact/hooks'
import type { Chat } from '../chat.ts'
import { formatMoment, formatTime } from '../format.ts'
import { plainText } from '../text-parts.ts'
import type { ThreadMessage } from '../thread.ts'
import { say } from '../words.ts'
import { Icon } from './icons.tsx'
import { MessageMedia } from './message-media.tsx'
import { RichText } from './rich-text.tsx'

type Props = {
  chat: Chat
  message: ThreadMessage
  isFirst: boolean
  isLast: boolean
  canAnswerButtons: boolean
  /** Which of its buttons was pressed. */
  answer: string | undefined
  onReply: (message: ThreadMessage) => void
  onOpenPicture: (message: ThreadMessage) => void
}

export const MessageRow = (props: Props) =>
  props.message.type === 'system' ? (
    <p class="line">
      <RichText text={props.message.text} />
    </p>
  ) : (
    <BubbleRow {...props} />
  )

const BubbleRow = (props: Props) => {
  const { chat, message, isFirst, isLast, canAnswerButtons, answer, onReply, onOpenPicture } = props

  const isOwn = message.from === 'visitor'
  const { clientId } = message
  const canReply = !message.isDeleted && !message.delivery
  const swipe = useSwipe(() => canReply && onReply(message))
  return (
    <div class={`row ${isOwn ? 'own' : 'team'}${isFirst ? ' first' : ''}${isLast ? ' last' : ''}`} {...swipe}>
      {isFirst && !isOwn && <p class="author">{authorOf(message)}</p>}
      <div class="bubble-line">
        <div class={`bubble${message.isDeleted ? ' deleted' : ''}${isPictureOnly(message) ? ' picture' : ''}`}>
          <span class="sr">{`${authorOf(message)}: `}</span>
          {message.isDeleted ? (
            <em>{say('deleted')}</em>
          ) : (
            <Content chat={chat} message={message} onOpenPicture={onOpenPicture} />
          )}
        </div>
        {canReply && (
          <button
            type="button"
            class="reply-button"
            title={say('reply')}
            aria-label={say('replyTo', { text: summarize(message).slice(0, 60) })}
            onClick={() => onReply(message)}
          >
            <Icon name="reply" size={16} />
          </button>
        )}
      </div>
      {!message.isDeleted && message.buttons && message.buttons.length > 0 && (
        <div class={message.isRating ? 'buttons scale' : 'buttons'}>
          {message.buttons.map(({ id, title, description }) => (
            <button
              key={id}
              type="button"
              class={title === answer ? 'chosen' : undefined}
              aria-pressed={answer === undefined ? undefined : title === answer}
              disabled={!canAnswerButtons}
              onClick={() =>
                chat.send({ buttonId: id, text: title, replyTo: { id: message.id, text: summarize(message) } })
              }
            >
              {message.isRating ? <Grade title={title} /> : title}
              {description && <small>{description}</small>}
            </button>
          ))}
        </div>
      )}
      {message.delivery === 'failed' && clientId ? (
        <div class="failed" role="alert">
          <Icon name="alert" size={16} />
          <span>{[say('notSent'), message.failure].filter(Boolean).join(' ')}</span>
          <button type="button" class="link" onClick={() => chat.retry(clientId)}>
            {say('retry')}
          </button>
          <button type="button" class="link" onClick={() => chat.discard(clientId)}>
            {say('discard')}
          </button>
        </div>
      ) : (
        isLast && (
          <p class="meta">
            <time dateTime={message.createdAt} title={formatMoment(message.createdAt)}>
              {formatTime(message.createdAt)}
            </time>
            {message.editedAt && !message.isDeleted && <span>{say('edited')}</span>}
            {isOwn && !message.isDeleted && <Ticks message={message} />}
          </p>
        )
      )}
    </div>
  )
}

/** "5 – Ótimo": the number large, its words below. */
const Grade = ({ title }: { title: string }) => {
  const [grade, ...words] = title.split(' – ')
  return (
    <>
      <strong>{grade}</strong>
      {words.length > 0 && <span>{words.join(' – ')}</span>}
    </>
  )
}

/** One line that stands for a message in a quotation. */
export const summarize = (message: ThreadMessage): string => {
  if (message.isDeleted) return say('deleted')
  if (message.text) return plainText(message.text)
  if (message.type === 'image') return say('photo')
  if (message.type === 'audio') return say('audio')
  if (message.type === 'video') return say('video')
  if (message.type === 'location') return say('location')
  if (message.type === 'contact') return say('contact')
  return message.media?.name ?? say('file')
}

export const authorOf = ({ from, agentName }: ThreadMessage): string => {
  if (from === 'visitor') return say('you')
  return agentName || say(from === 'bot' ? 'bot' : 'agent')
}

const Content = ({ chat, message, onOpenPicture }: Pick<Props, 'chat' | 'message' | 'onOpenPicture'>) => (
  <>
    {message.replyTo && (
      <blockquote class="quote">
        <span class="quote-text">{plainText(message.replyTo.text) || say('message')}</span>
      </blockquote>
    )}
    {message.media && (
      <MessageMedia
        message={message}
        media={message.media}
        renew={() => chat.renewMedia(message)}
        onOpenPicture={() => onOpenPicture(message)}
      />
    )}
    {message.type === 'location' && <Badge icon="pin" label={say('location')} />}
    {message.type === 'contact' && <Badge icon="person" label={say('contact')} />}
    {message.text && (
      <p class="text">
        <RichText text={message.text} />
      </p>
    )}
  </>
)

const Badge = ({ icon, label }: { icon: 'pin' | 'person'; label: string }) => (
  <p class="kind">
    <Icon name={icon} size={16} /> {label}
  </p>
)

const SWIPE_PX = 60

/** A finger drawn across a message to the right answers it, as in WhatsApp; the button does the same. */
const useSwipe = (onSwipe: () => void) => {
  const start = useRef<Touch>(undefined)
  return {
    onTouchStart: (event: TouchEvent) => {
      start.current = event.touches.length === 1 ? event.touches[0] : undefined
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const [from, to] = [start.current, changedTouches[0]]
      start.current = undefined
      if (!from || !to || Math.abs(to.clientY - from.clientY) > SWIPE_PX / 2) return
      if (to.clientX - from.clientX > SWIPE_PX) onSwipe()
    },
  }
}

const TICKS = { sending: 'clock', sent: 'check', delivered: 'checks', read: 'checks' } as const

const Ticks = ({ message }: { message: ThreadMessage }) => {
  const key = message.delivery === 'sending' ? 'sending' : message.status
  const label = say(key)
  return (
    <span class={`ticks ${key}`} title={label}>
      <Icon name={TICKS[key]} size={16} />
      <span class="sr">{label}</span>
    </span>
  )
}

const isPictureOnly = (message: ThreadMessage): boolean =>
  (message.type === 'image' || message.type === 'video') && !message.text && !message.replyTo && Boolean(message.media)
