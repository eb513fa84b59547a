import { useEffect, useState } from 'preact/hooks'
import type { Chat } from '../chat.ts'
import type { ThreadMessage } from '../thread.ts'
import { say } from '../words.ts'
import { Composer } from './composer.tsx'
import { Header } from './header.tsx'
import { Help } from './help.tsx'
import { ImageViewer } from './image-viewer.tsx'
import { MessageList } from './message-list.tsx'
import { PreChatForm } from './prechat-form.tsx'

export const App = ({ chat }: { chat: Chat }) => {
  const { phase, failure, config, thread, isConnectionLost } = useChat(chat)
  const [replyTo, setReplyTo] = useState<ThreadMessage>()
  const [isHelp, setHelp] = useState(false)
  const [pictureId, setPictureId] = useState<string>()
  const picture = thread.find(({ id }) => id === pictureId)

  const showPicture = (message: ThreadMessage | undefined): void => {
    setPictureId(message?.id)
    chat.host.tell({ type: 'frame:resize', payload: { mode: message ? 'full' : 'panel' } })
  }

  // Escape closes the top thing and only that.
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (picture) showPicture(undefined)
      else if (isHelp) setHelp(false)
      else if (replyTo) setReplyTo(undefined)
      else chat.close()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  })

  const isConversation = phase === 'ready' || thread.length > 0
  return (
    <div
      class="chat"
      role="dialog"
      tabIndex={-1}
      aria-label={config ? say('chatWith', { name: config.name }) : say('chat')}
    >
      <Header chat={chat} isHelp={isHelp} onHelp={() => setHelp(!isHelp)} />
      {chat.isDraft && (
        <p class="banner draft" role="note">
          {say('draft')}
        </p>
      )}
      {isConnectionLost && (
        <p class="banner lost" role="status">
          {say('lost')}
        </p>
      )}
      {phase === 'loading' && !isConversation && <Skeleton />}
      {phase === 'failed' && (
        <div class={isConversation ? 'banner lost' : 'notice'} role="alert">
          <p>{failure}</p>
          <button type="button" class="quiet" onClick={() => void chat.start()}>
            {say('retry')}
          </button>
        </div>
      )}
      {isHelp && <Help chat={chat} onClose={() => setHelp(false)} />}
      {phase === 'prechat' && !isHelp && <PreChatForm chat={chat} />}
      {isConversation && !isHelp && <MessageList chat={chat} onReply={setReplyTo} onOpenPicture={showPicture} />}
      {phase === 'revoked' ? (
        <div class="revoked" role="alert">
          <p>{say('revoked')}</p>
          <button type="button" class="primary" onClick={() => chat.startOver()}>
            {say('startOver')}
          </button>
        </div>
      ) : (
        isConversation && (
          <Composer chat={chat} replyTo={replyTo} isAside={isHelp} onReplyDone={() => setReplyTo(undefined)} />
        )
      )}
      {picture?.media && (
        <ImageViewer
          media={picture.media}
          renew={() => chat.renewMedia(picture)}
          onClose={() => showPicture(undefined)}
        />
      )}
    </div>
  )
}

export const useChat = (chat: Chat) => {
  const [state, setState] = useState(chat.state)
  useEffect(() => {
    setState(chat.state)
    return chat.subscribe(() => setState(chat.state))
  }, [chat])
  return state
}

const Skeleton = () => (
  <div class="skeleton" role="status" aria-label={say('loading')}>
    <span />
    <span />
    <span />
  </div>
)
