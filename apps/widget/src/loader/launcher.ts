import { textOn, toHexColor } from '../color.ts'
import type { Waiting } from '../protocol.ts'
import { launcherCss, PHONE_QUERY } from './launcher.css.ts'

const CHAT_ICON = 'M4 5h16v11H9l-5 4zM8 9h8M8 12.5h5'
const CLOSE_ICON = 'M6 10l6 6l6 -6'

/** Told by our server in the visitor's language (`launcherWords` of the contract, in its order); until then, and in Brazil, these. */
const WORDS = [
  'Abrir chat',
  'Fechar chat',
  '1 mensagem não lida',
  'mensagens não lidas',
  'Dispensar aviso',
  'Não conseguimos abrir o chat agora.',
  'Tentar de novo',
  'Fechar',
  'Chat de atendimento',
]

export type Look = { color: string; position: string; icon: string; label: string; words: string[] }
type Callbacks = {
  onToggle: () => void
  onClose: () => void
  onRetry: () => void
  onFrameLoaded: () => void
  onDismiss: () => void
}

/** The button and the panel in a closed shadow root: the host's styles and scripts do not reach inside. */
export const createLauncher = ({ onToggle, onClose, onRetry, onFrameLoaded, onDismiss }: Callbacks) => {
  const host = document.createElement('div')
  host.id = 'balcao-webchat'
  const shadow = host.attachShadow({ mode: 'closed' })
  applyStyles(shadow)

  const root = document.createElement('div')
  const panel = element('div', 'panel waiting')
  panel.hidden = true
  const notice = element('div', 'notice')
  notice.setAttribute('role', 'alert')
  const noticeText = element('div', '')
  const retry = textButton('', onRetry)
  const dismiss = textButton('', onClose)
  notice.append(noticeText, retry, dismiss)
  panel.append(notice)

  const button = element('button', 'launcher')
  button.type = 'button'
  const badge = element('span', 'badge')
  badge.hidden = true
  const caption = element('b', '')
  button.append(icon(CHAT_ICON), caption, badge)
  button.addEventListener('click', onToggle)
  const peek = element('div', 'peek')
  peek.hidden = true
  const peekOpen = textButton('', onToggle)
  const peekFace = element('i', '')
  peekFace.setAttribute('aria-hidden', 'true')
  const peekWords = element('div', '')
  const peekName = element('strong', '')
  const peekText = element('span', '')
  peekWords.append(peekName, peekText)
  peekOpen.append(peekFace, peekWords)
  const peekClose = textButton('×', () => {
    peek.hidden = true
    onDismiss()
  })
  peek.setAttribute('role', 'status')
  peek.append(peekOpen, peekClose)
  root.append(panel, peek, button)
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !panel.hidden) onClose()
  })
  shadow.append(root)

  let words = WORDS
  let unreadCount = 0
  let drawn = CHAT_ICON
  let frame: HTMLIFrameElement | undefined
  let opener: Element | null = null

  const label = (): void => {
    const isOpen = !panel.hidden
    const [open = '', close = '', one = '', several = '', dismissal = '', failure, again, leave, title = ''] = words
    const waiting = unreadCount === 1 ? one : `${unreadCount} ${several}`
    const said = caption.textContent
    const name = said ? `${said}: ${open.toLowerCase()}` : open
    const text = isOpen ? close : unreadCount > 0 ? `${name}, ${waiting}` : name
    button.setAttribute('aria-label', text)
    button.setAttribute('aria-expanded', String(isOpen))
    button.title = text
    badge.title = waiting
    badge.textContent = unreadCount > 99 ? '99+' : String(unreadCount)
    badge.hidden = unreadCount === 0 || isOpen
    caption.hidden = isOpen || !said
    peekClose.setAttribute('aria-label', dismissal)
    noticeText.textContent = failure ?? ''
    retry.textContent = again ?? ''
    dismiss.textContent = leave ?? ''
    if (frame) frame.title = title
    button.replaceChild(icon(isOpen ? CLOSE_ICON : drawn), button.firstChild ?? badge)
  }
  label()
  followVisualViewport(panel)

  return {
    /** On `<html>`, beside the body, so that body swaps (Turbo, Astro) leave the conversation alone. */
    attach(): void {
      if (!host.isConnected) document.documentElement.append(host)
    },
    setLook({ color, position, icon, label: said, words: told }: Partial<Look>): void {
      const accent = toHexColor(color)
      root.style.setProperty('--accent', accent)
      root.style.setProperty('--on-accent', textOn(accent))
      root.classList.toggle('left', /left|esquerda/i.test(position ?? ''))
      drawn = icon ?? CHAT_ICON
      caption.textContent = said ?? ''
      words = told ?? WORDS
      label()
    },
    setOpen(isOpen: boolean): void {
      panel.hidden = !isOpen
      if (isOpen) peek.hidden = true
      root.classList.toggle('open', isOpen)
      label()
      opener = document.activeElement
      if (isOpen) frame?.focus()
      else button.focus({ preventScroll: true })
    },
    setUnread(count: number): void {
      unreadCount = count
      label()
    },
    /** Who answered while the chat was closed, or has something to say; dismissed, it waits for the next. */
    setPreview(last: Waiting | undefined): void {
      const isNew = last && (peekName.textContent !== last.name || peekText.textContent !== last.text)
      if (last) {
        peekFace.textContent = last.name.charAt(0).toUpperCase()
        peekName.textContent = last.name
        peekText.textContent = last.text
      }
      if (!last || !panel.hidden) peek.hidden = true
      else if (isNew) peek.hidden = false
    },
    setHidden(isHidden: boolean): void {
      host.hidden = isHidden
    },
    setState(state: 'waiting' | 'ready' | 'failed'): void {
      panel.classList.toggle('waiting', state !== 'ready')
      panel.classList.toggle('failed', state === 'failed')
      // Out of sight until now, it could not be given the focus; whoever went on meanwhile keeps theirs.
      if (state === 'ready' && !panel.hidden && document.activeElement === opener) frame?.focus()
    },
    setFull(isFull: boolean): void {
      root.classList.toggle('full', isFull)
    },
    mountFrame(src: string): HTMLIFrameElement {
      frame?.remove()
      frame = document.createElement('iframe')
      frame.allow = 'microphone; clipboard-write'
      frame.src = src
      frame.addEventListener('load', onFrameLoaded)
      panel.prepend(frame)
      label()
      return frame
    },
    unmountFrame(): void {
      frame?.remove()
      frame = undefined
    },
  }
}

// Constructed sheets are not "inline" for a Content-Security-Policy; browsers older than that get a style element.
const applyStyles = (shadow: ShadowRoot): void => {
  if ('adoptedStyleSheets' in shadow && 'replaceSync' in CSSStyleSheet.prototype) {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(launcherCss)
    shadow.adoptedStyleSheets = [sheet]
    return
  }
  const style = document.createElement('style')
  style.textContent = launcherCss
  shadow.append(style)
}

// The on-screen keyboard shrinks only the visual viewport; a full-screen panel must follow it to keep its field in sight.
const followVisualViewport = (panel: HTMLElement): void => {
  const viewport = window.visualViewport
  if (!viewport) return
  const phone = matchMedia(PHONE_QUERY)
  const fit = (): void => {
    const isCovered = phone.matches && viewport.scale === 1 && window.innerHeight - viewport.height > 80
    panel.style.setProperty('height', isCovered ? `${viewport.height}px` : '')
    panel.style.setProperty('top', isCovered ? `${viewport.offsetTop}px` : '')
    panel.style.setProperty('bottom', isCovered ? 'auto' : '')
  }
  viewport.addEventListener('resize', fit)
  viewport.addEventListener('scroll', fit)
}

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag)
  node.className = className
  return node
}

function textButton(text: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', '')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', onClick)
  return button
}

function icon(d: string): SVGSVGElement {
  const svgNamespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(svgNamespace, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(svgNamespace, 'path')
  path.setAttribute('d', d)
  svg.append(path)
  return svg
}
