import { useRef, useState } from 'preact/hooks'
import type { Chat } from '../chat.ts'
import { safeUrl } from '../files.ts'
import { say } from '../words.ts'
import { useChat } from './app.tsx'
import { Icon } from './icons.tsx'
import { TranscriptForm } from './transcript.tsx'

type Props = { chat: Chat; isHelp: boolean; onHelp: () => void }

export const Header = ({ chat, isHelp, onHelp }: Props) => {
  const { config, agent, ticketStatus, phase, thread } = useChat(chat)
  const [step, setStep] = useState<'none' | 'asking' | 'failed' | 'copy'>('none')
  const copyButton = useRef<HTMLButtonElement>(null)
  const canEnd = phase === 'ready' && (ticketStatus === 'open' || ticketStatus === 'pending')
  const canCopy = config?.hasTranscript && thread.some(({ from, delivery }) => from === 'visitor' && !delivery)
  const closeCopy = (): void => {
    setStep('none')
    copyButton.current?.focus()
  }

  const endConversation = async (): Promise<void> => {
    try {
      await chat.endConversation()
      setStep('none')
    } catch {
      setStep('failed')
    }
  }

  return (
    <header class="header">
      <div class="header-row">
        {config && (
          <Avatar name={agent?.name ?? config.name} url={(agent ? agent.avatarUrl : config.logoUrl) ?? undefined} />
        )}
        <div class="header-text">
          <h1>{agent?.name ?? config?.name ?? say('chat')}</h1>
          <p>
            {config && <span class={config.isOnline ? 'dot online' : 'dot'} />}
            {config && (
              <span class="status-text">
                {agent ? `${config.name} · ${presence(config.isOnline)}` : config.subtitle || presence(config.isOnline)}
              </span>
            )}
          </p>
        </div>
        {config?.hasHelp && (
          <button
            type="button"
            class="icon-button on-accent"
            title={say('help')}
            aria-label={say('help')}
            aria-pressed={isHelp}
            onClick={() => {
              setStep('none')
              onHelp()
            }}
          >
            <Icon name="help" />
          </button>
        )}
        {canCopy && (
          <button
            type="button"
            class="icon-button on-accent"
            ref={copyButton}
            title={say('copy')}
            aria-label={say('copy')}
            aria-expanded={step === 'copy'}
            onClick={() => setStep(step === 'copy' ? 'none' : 'copy')}
          >
            <Icon name="mail" />
          </button>
        )}
        {canEnd && (
          <button
            type="button"
            class="icon-button on-accent"
            title={say('end')}
            aria-label={say('end')}
            onClick={() => setStep('asking')}
          >
            <Icon name="end" />
          </button>
        )}
        {chat.host.isEmbedded && (
          <button
            type="button"
            class="icon-button on-accent"
            title={say('close')}
            aria-label={say('close')}
            onClick={() => chat.close()}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      {canCopy && step === 'copy' && <TranscriptForm chat={chat} onClose={closeCopy} />}
      {canEnd && (step === 'asking' || step === 'failed') && (
        <div class="confirm" role="alert">
          <p>{say(step === 'failed' ? 'endFailed' : 'endAsk')}</p>
          <button type="button" class="quiet" onClick={() => setStep('none')}>
            {say('back')}
          </button>
          <button type="button" class="quiet" onClick={() => void endConversation()}>
            {say('endConfirm')}
          </button>
        </div>
      )}
    </header>
  )
}

const presence = (isOnline: boolean): string => say(isOnline ? 'online' : 'offline')

const Avatar = ({ name, url }: { name: string; url?: string }) => {
  const [isBroken, setBroken] = useState(false)
  const src = url && !isBroken ? safeUrl(url) : undefined
  return (
    <span class="avatar" aria-hidden="true">
      {src ? <img src={src} alt="" onError={() => setBroken(true)} /> : initials(name)}
    </span>
  )
}

const initials = (name: string): string => {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => Array.from(word ?? '')[0] ?? '')
  return letters.join('').toLocaleUpperCase('pt-BR')
}
