import type { Message } from '@balcao/contract/conversations/messages.ts'
import { Button, UnstyledButton } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useIsDark } from '../../../kit/session.ts'
import { LongText } from './long-text.tsx'
import { rememberPictures, showsPictures } from './mail-pictures.ts'
import { withoutQuote } from './mail-quote.ts'
import classes from './mail-view.module.css'

/** Taller ones show their beginning: the conversation goes on below. */
const foldedPx = 520
/** What a mail took last time it was drawn: scrolling back to it moves nothing. */
const heights = new Map<string, number>()

/** An e-mail as it was written, in a frame that runs nothing; as its plain text where that cannot be had. */
export const MailView = ({ message, body, className }: { message: Message; body: string; className?: string }) => {
  const [isBroken, setBroken] = useState(false)
  if (message.payload?.mail?.isFormatted && message.seq !== 0 && !isBroken)
    return <Page message={message} onBroken={() => setBroken(true)} />
  return <PlainMail text={body} className={className} />
}

const PlainMail = ({ text, className }: { text: string; className?: string }) => {
  const [isOpen, setOpen] = useState(false)
  const { said, quoted } = withoutQuote(text)
  return (
    <>
      <LongText text={said} className={className} />
      {quoted && (
        <UnstyledButton
          className={classes.dots}
          aria-expanded={isOpen}
          aria-label="Texto citado"
          title={isOpen ? 'Esconder o texto citado' : 'Mostrar o texto citado'}
          onClick={() => setOpen(!isOpen)}
        >
          …
        </UnstyledButton>
      )}
      {quoted && isOpen && <LongText text={quoted} className={className} />}
    </>
  )
}

type Facts = { remote: number; hasMore: boolean; isPlain: boolean }

const pageOf = (frame: RefObject<HTMLIFrameElement | null>) => frame.current?.contentDocument?.documentElement

const Page = ({ message, onBroken }: { message: Message; onBroken: () => void }) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const isDark = useIsDark()
  const [facts, setFacts] = useState<Facts | null>(null)
  const [height, setHeight] = useState(heights.get(message.id) ?? 90)
  const [hasPictures, setPictures] = useState(() => !message.fromMe && showsPictures(message.contactId))
  const [isWhole, setWhole] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [loads, setLoads] = useState(0)
  const query = new URLSearchParams({ ...(hasPictures && { pictures: '1' }), ...(isWhole && { whole: '1' }) })

  useEffect(() => {
    if (loads) pageOf(frame)?.toggleAttribute('data-dark', isDark)
  }, [isDark, loads])
  useEffect(() => {
    const root = pageOf(frame)
    if (!root || !loads) return
    const measure = () => {
      const next = Math.ceil(root.getBoundingClientRect().height)
      heights.set(message.id, next)
      setHeight(next)
    }
    const watch = new ResizeObserver(measure)
    watch.observe(root)
    measure()
    return () => watch.disconnect()
  }, [loads, message.id])

  const handleLoad = () => {
    const root = pageOf(frame)
    if (root?.ownerDocument.contentType !== 'text/html') return onBroken()
    setFacts({
      remote: Number(root.dataset.remote ?? 0),
      hasMore: root.dataset.more !== undefined,
      isPlain: root.dataset.plain !== undefined,
    })
    setLoads((before) => before + 1)
  }
  const isFolded = height > foldedPx && !isOpen

  return (
    <div className={classes.mail} data-paper={facts?.isPlain === false}>
      {facts !== null && facts.remote > 0 && (
        <div className={classes.remote}>
          <IconPhoto size={16} aria-hidden />
          <span>Imagens de fora não foram carregadas.</span>
          <Button size="compact-sm" variant="subtle" onClick={() => setPictures(true)}>
            Mostrar imagens
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={() => {
              rememberPictures(message.contactId)
              setPictures(true)
            }}
          >
            Sempre deste remetente
          </Button>
        </div>
      )}
      <iframe
        ref={frame}
        className={classes.page}
        title={message.payload?.mail?.subject || 'E-mail'}
        src={`/api/media/mails/${message.id}?${query}`}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        style={{ height: isFolded ? foldedPx : height, colorScheme: facts?.isPlain && isDark ? 'dark' : 'light' }}
        data-folded={isFolded}
        onLoad={handleLoad}
      />
      {height > foldedPx && (
        <UnstyledButton className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Ver menos' : 'Ver mais'}
        </UnstyledButton>
      )}
      {facts?.hasMore && !isWhole && (isOpen || !isFolded) && (
        <Button size="compact-sm" variant="light" onClick={() => setWhole(true)}>
          Mostrar o e-mail inteiro
        </Button>
      )}
    </div>
  )
}
