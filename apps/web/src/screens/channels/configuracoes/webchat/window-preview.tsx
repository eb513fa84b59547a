import type { Connection } from '@balcao/contract/channels/connections.ts'
import {
  launcherPaths,
  siteLook,
  type WebchatLook,
  windowLook,
  wordsIn,
} from '@balcao/contract/channels/webchat-look.ts'
import { drawnWindow } from '@balcao/contract/intake/webchat.ts'
import { SegmentedControl, Select, Text } from '@mantine/core'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { isHexColor, textOn } from '../../../../ui/color.ts'
import { OwnSite } from './own-site.tsx'
import classes from './webchat.module.css'

type View = 'conversation' | 'prechat' | 'rating' | 'offer'
type Props = {
  chat: Connection
  look: WebchatLook
  initial: View
  /** Which of the messages the site begins with is looked at. */
  offerId: string | undefined
  /** Something in it cannot be saved as it is. */
  isWrong: boolean
}

/** The window itself, fed with what is not saved yet. Nothing written in it leaves it. */
export const WindowPreview = ({ chat, look, initial, offerId, isWrong }: Props) => {
  const [view, setView] = useState<View>(initial)
  const [language, setLanguage] = useState('pt-BR')
  const [isOnline, setOnline] = useState(true)
  const frame = useRef<HTMLIFrameElement>(null)
  const config = drawnWindow(
    windowLook(
      { ...look, color: isHexColor(look.color) ? look.color : '#0b7a75' },
      { wanted: language, logoUrl: null, maxBytes: 10 * 1024 * 1024 },
    ),
    { isOnline, visitor: null },
  )
  const said = view === 'offer' ? (look.proactive.find(({ id }) => id === offerId) ?? look.proactive[0]) : undefined
  const offer = said && { id: said.id, text: wordsIn(config.language, said.text, said.texts) }
  const shown = JSON.stringify({ config, view, offer })
  const latest = useRef(shown)

  useEffect(() => {
    latest.current = shown
    tell(frame.current, 'host:preview', JSON.parse(shown))
  }, [shown])

  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (origin !== location.origin || !frame.current || source !== frame.current.contentWindow) return
      if (data?.ns !== 'balcao' || data.type !== 'frame:ready') return
      const page = { url: location.href, title: document.title }
      tell(frame.current, 'host:init', {
        slots: {},
        identity: null,
        page,
        isOpen: true,
        preview: JSON.parse(latest.current),
      })
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [])

  const address = `/webchat/frame?c=${encodeURIComponent(chat.channelKey ?? '')}&o=${encodeURIComponent(location.origin)}`
  const colors = { '--accent': config.color, '--on-accent': textOn(config.color) } as CSSProperties // custom properties are not in React's type
  return (
    <section className={classes.side} aria-label="Prévia">
      <div className={classes.bar}>
        {initial === 'offer' ? (
          <Text size="sm" fw={600}>
            Balão e conversa
          </Text>
        ) : (
          <SegmentedControl
            size="xs"
            aria-label="O que mostrar"
            value={view}
            onChange={(next) => setView(next as View)} // one of the three below
            data={[
              { value: 'conversation', label: 'Conversa' },
              { value: 'prechat', label: 'Perguntas', disabled: look.preChat.length === 0 },
              { value: 'rating', label: 'Avaliação' },
            ]}
          />
        )}
        <Select
          size="xs"
          w={120}
          aria-label="Idioma do visitante"
          allowDeselect={false}
          disabled={look.language !== 'auto'}
          value={config.language}
          onChange={(next) => next && setLanguage(next)}
          data={[
            { value: 'pt-BR', label: 'Português' },
            { value: 'en', label: 'Inglês' },
            { value: 'es', label: 'Espanhol' },
          ]}
        />
      </div>
      <div className={classes.stage}>
        <iframe ref={frame} title="Prévia do chat" src={address} className={classes.frame} />
        <div className={classes.place} data-side={look.position}>
          {offer && (
            <p className={classes.bubble} style={colors}>
              <i aria-hidden>{config.name.charAt(0).toUpperCase()}</i>
              <span>
                <strong>{config.name}</strong>
                {offer.text || 'Escreva a mensagem ao lado.'}
              </span>
            </p>
          )}
          <span className={classes.launcher} style={colors} aria-hidden>
            <svg
              width="28"
              height="28"
              viewBox="0 0 24 24"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.75"
              aria-hidden="true"
            >
              <path d={launcherPaths[look.launcherIcon]} strokeLinecap="round" strokeLinejoin="round" />
            </svg>
            {siteLook(look, { wanted: config.language, isOnline }).label}
          </span>
        </div>
      </div>
      <SegmentedControl
        mt="xs"
        size="xs"
        aria-label="Horário"
        value={isOnline ? 'on' : 'off'}
        onChange={(next) => setOnline(next === 'on')}
        data={[
          { value: 'on', label: 'Em atendimento' },
          { value: 'off', label: 'Fora do horário' },
        ]}
      />
      <OwnSite chat={chat} look={look} isWrong={isWrong} />
    </section>
  )
}

const tell = (frame: HTMLIFrameElement | null, type: 'host:init' | 'host:preview', payload: object) =>
  frame?.contentWindow?.postMessage({ ns: 'balcao', v: 1, type, nonce: 'preview', payload }, location.origin)
