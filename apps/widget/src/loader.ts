import { createHostStorage, parseLook } from './loader/host-storage.ts'
import { createLauncher, type Look } from './loader/launcher.ts'
import { currentPage, watchPage } from './loader/page-watch.ts'
import type offerInTime from './offers.ts'
import type { SiteOffer } from './offers.ts'
import {
  type FrameMessage,
  type HostMessage,
  type Identity,
  isRecord,
  type Offer,
  readFromFrame,
  seal,
  type Waiting,
} from './protocol.ts'

type Listener = (detail: unknown) => void
type Command = (...args: unknown[]) => void
/** Before we load a page may define `Balcao` as a function that only fills `q`; we answer those calls first. */
type BalcaoGlobal = Command & { q?: ArrayLike<unknown>[]; isLoaded?: boolean }

declare global {
  interface Window {
    Balcao?: BalcaoGlobal
  }
}

const FRAME_PATIENCE_MS = 15_000
const READY_AFTER_LOAD_MS = 1500

start()

function start(): void {
  if (window.Balcao?.isLoaded) return
  const script = findOwnScript()
  const channelKey = script?.dataset.channel
  if (!script || !channelKey) {
    console.error('Balcão: a tag do chat precisa de src e data-channel.')
    return
  }
  const queued = window.Balcao?.q ?? []
  const command = createWidget({
    origin: new URL(script.src).origin,
    nonce: script.nonce,
    channelKey,
    color: script.dataset.color,
    position: script.dataset.position,
  })
  const balcao: BalcaoGlobal = (...args) => command(...args)
  balcao.isLoaded = true
  window.Balcao = balcao
  for (const args of queued) command(...Array.from(args))
}

function findOwnScript(): HTMLScriptElement | undefined {
  const { currentScript } = document
  if (currentScript instanceof HTMLScriptElement && currentScript.src) return currentScript
  return document.querySelector<HTMLScriptElement>('script[data-channel][src*="/widget.js"]') ?? undefined
}

type Options = { origin: string; nonce: string; channelKey: string; color?: string; position?: string }
/** Written by our own server for this chat; the code comes along only where there is something to offer. */
type Site = Look & { name: string; offers: SiteOffer[] }

function createWidget({ origin, nonce: scriptNonce, channelKey, color, position }: Options): Command {
  const storage = createHostStorage(channelKey)
  const listeners = new Map<string, Listener[]>()
  let frame: HTMLIFrameElement | undefined
  let nonce = ''
  let isReady = false
  let isOpen = false
  let unreadCount = 0
  /** A look that is not saved, in a link made for whoever sets it up. */
  const draft = /#balcao-previa=([\w.-]+)/.exec(location.hash)?.[1]
  let identity: Identity | null = null
  let offer: (Offer & Waiting) | undefined
  let sendAway: () => void
  let wasOpened = false
  let patience: ReturnType<typeof setTimeout> | undefined

  const launcher = createLauncher({
    onToggle: toggle,
    onClose: close,
    onRetry: loadFrame,
    onFrameLoaded: expectReady,
    onDismiss() {
      if (offer) sendAway()
      offer = undefined
    },
  })
  showLook(parseLook(storage.readSlots().look))

  function emit(event: string, detail?: unknown): void {
    for (const listener of listeners.get(event) ?? []) {
      try {
        listener(detail)
      } catch (error) {
        console.error(error) // a fault of the page's callback is the page's to see, not ours to die of
      }
    }
  }

  function showLook(look: Partial<Look>): void {
    launcher.setLook({ ...look, color: color ?? look.color, position: position ?? look.position })
  }

  // How the button looks and what it may say: a script, because the policy of the site lets ours in.
  function loadSite(): void {
    const script = document.createElement('script')
    script.src = `${origin}/webchat/site.js?c=${encodeURIComponent(channelKey)}&l=${navigator.language}${draft ? `&p=${draft}` : ''}`
    script.nonce = scriptNonce
    document.head.append(script)
  }

  function showSite({ offers, name, ...look }: Site, startOffers?: typeof offerInTime): void {
    if (!draft) storage.writeSlot('look', JSON.stringify(look))
    showLook(look)
    startOffers?.(offers, {
      channelKey,
      // Nobody who is talking, or has looked in already, is called.
      isFree: () => !wasOpened && !offer && storage.readSlots().talk !== '1',
      show(next, onDismiss) {
        offer = { id: next.id, text: next.text, name }
        sendAway = onDismiss
        launcher.setPreview(offer)
        emit('offer', next.id)
      },
    })
  }

  function tell(message: HostMessage): void {
    if (isReady) frame?.contentWindow?.postMessage(seal(message, nonce), origin)
  }

  function loadFrame(): void {
    isReady = false
    nonce = drawNonce()
    launcher.setState('waiting')
    const address = new URL('/webchat/frame', origin)
    address.searchParams.set('c', channelKey)
    address.searchParams.set('o', location.origin)
    frame = launcher.mountFrame(address.href)
    waitForReady(FRAME_PATIENCE_MS)
  }

  function waitForReady(ms: number): void {
    clearTimeout(patience)
    patience = setTimeout(() => launcher.setState('failed'), ms)
  }

  // The chat speaks before its page has finished loading; silence now means that the site may not show it.
  function expectReady(): void {
    if (!isReady) waitForReady(READY_AFTER_LOAD_MS)
  }

  function hear(message: FrameMessage): void {
    switch (message.type) {
      case 'frame:ready':
        clearTimeout(patience)
        isReady = true
        launcher.setState('ready')
        tell({
          type: 'host:init',
          payload: { slots: storage.readSlots(), identity, page: currentPage(), isOpen, offer, draft },
        })
        offer = undefined
        break
      case 'frame:token-ask':
        tell({ type: 'host:token', payload: { token: storage.readToken() } })
        break
      case 'frame:token':
        storage.writeToken(message.payload.token)
        break
      case 'frame:slot':
        storage.writeSlot(message.payload.name, message.payload.value)
        break
      case 'frame:resize':
        launcher.setFull(message.payload.mode === 'full')
        break
      case 'frame:unread':
        showUnread(message.payload.count, message.payload.last)
        break
      case 'frame:close':
        close()
    }
  }

  function showUnread(count: number, last?: Waiting): void {
    launcher.setPreview(last ?? offer)
    if (count === unreadCount) return
    unreadCount = count
    launcher.setUnread(count)
    emit('unread', count)
  }

  function open(): void {
    if (isOpen) return
    isOpen = wasOpened = true
    if (!frame) loadFrame()
    launcher.setOpen(true)
    if (isReady) {
      tell({ type: 'host:open', payload: { offer } })
      offer = undefined
    }
    emit('open')
  }

  function close(): void {
    if (!isOpen) return
    isOpen = false
    launcher.setFull(false)
    launcher.setOpen(false)
    tell({ type: 'host:close', payload: {} })
    emit('close')
  }

  function toggle(): void {
    if (isOpen) close()
    else open()
  }

  function identify(value: unknown): void {
    const next = parseIdentity(value)
    if (!next) {
      console.error('Balcão: identify({ id }) ou ({ jwt })')
      return
    }
    if (JSON.stringify(next) === JSON.stringify(identity)) return
    identity = next
    tell({ type: 'host:identify', payload: { identity: next } })
  }

  // For the logout of the page: whoever sits down next finds nothing. The iframe goes too, with all it remembers.
  function reset(): void {
    close()
    clearTimeout(patience)
    launcher.unmountFrame()
    frame = undefined
    isReady = false
    identity = null
    offer = undefined
    unreadCount = 0
    launcher.setUnread(0)
    launcher.setPreview(undefined)
    storage.clear()
  }

  const tellPage = (): void => tell({ type: 'host:page', payload: currentPage() })

  addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = readFromFrame(event, { origin, source: frame?.contentWindow })
    if (message && (message.type === 'frame:ready' || hasNonce(event.data, nonce))) hear(message)
  })

  watchPage(tellPage)
  attachForGood(launcher.attach)
  loadSite()
  // A visitor with a conversation sees at once that something arrived; anyone else loads the chat when opening it.
  if (storage.readSlots().talk) whenIdle(() => frame ?? loadFrame())

  return (name, ...args) => {
    if (name === 'open') open()
    else if (name === 'close') close()
    else if (name === 'toggle') toggle()
    else if (name === 'show') launcher.setHidden(false)
    else if (name === 'hide') launcher.setHidden(true)
    else if (name === 'identify') identify(args[0])
    else if (name === 'reset') reset()
    else if (name === 'page') tellPage()
    else if (name === 'site') showSite(args[0] as Site, args[1] as typeof offerInTime | undefined)
    else if (name === 'on') addListener(listeners, args[0], args[1])
    else console.error(`Balcão: comando desconhecido: ${String(name)}`)
  }
}

function addListener(listeners: Map<string, Listener[]>, event: unknown, callback: unknown): void {
  if (typeof event !== 'string' || typeof callback !== 'function') return
  const listener: Listener = (detail) => callback(detail)
  listeners.set(event, [...(listeners.get(event) ?? []), listener])
  if (event === 'ready') listener(undefined)
}

function attachForGood(attach: () => void): void {
  const begin = (): void => {
    attach()
    const observer = new MutationObserver(attach)
    observer.observe(document, { childList: true })
    observer.observe(document.documentElement, { childList: true })
  }
  if (document.body) begin()
  else addEventListener('DOMContentLoaded', begin, { once: true })
}

function parseIdentity(value: unknown): Identity | undefined {
  if (!isRecord(value)) return undefined
  const text = (name: string): string | undefined => {
    const field = value[name]
    return typeof field === 'string' || typeof field === 'number' ? String(field).slice(0, 4000) : undefined
  }
  const [id, jwt] = [text('id'), text('jwt')]
  if (!id && !jwt) return undefined
  return { id, name: text('name'), email: text('email'), phone: text('phone'), hmac: text('hmac'), jwt }
}

function hasNonce(data: unknown, nonce: string): boolean {
  return isRecord(data) && data.nonce === nonce
}

function drawNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
}

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 3000 })
  else setTimeout(work, 500)
}
