import { type FrameMessage, type HostMessage, readFromHost, seal } from '../protocol.ts'

export type HostState = Extract<HostMessage, { type: 'host:init' }>['payload']

/** The page around us: a customer's site that loaded `/widget.js`, or nobody when the address was opened by itself. */
export type Host = {
  origin: string
  /** False when the chat is its own page and there is nothing to close. */
  isEmbedded: boolean
  begin: (onMessage: (message: HostMessage) => void) => void
  tell: (message: FrameMessage) => void
  readToken: () => Promise<string | null>
}

export const connectHost = (channelKey: string, hostOrigin: string | null): Host =>
  window.parent === window || !hostOrigin ? ownPage(channelKey) : embeddingPage(hostOrigin)

const TOKEN_PATIENCE_MS = 5000

const embeddingPage = (origin: string): Host => {
  let nonce = ''
  const waiting: ((token: string | null) => void)[] = []
  const tell = (message: FrameMessage): void => window.parent.postMessage(seal(message, nonce), origin)

  return {
    origin,
    isEmbedded: true,
    tell,
    begin(onMessage) {
      addEventListener('message', (event: MessageEvent<unknown>) => {
        const message = readFromHost(event, { origin, source: window.parent })
        if (!message) return
        if (message.type === 'host:init') nonce = message.nonce
        else if (message.nonce !== nonce) return
        if (message.type === 'host:token') for (const answer of waiting.splice(0)) answer(message.payload.token)
        else onMessage(message)
      })
      tell({ type: 'frame:ready', payload: {} })
    },
    readToken: () =>
      new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error('the host page did not answer')), TOKEN_PATIENCE_MS)
        waiting.push(resolve)
        tell({ type: 'frame:token-ask', payload: {} })
      }),
  }
}

const ownPage = (channelKey: string): Host => {
  const root = `balcao:${channelKey}`
  const write = (key: string, value: string | null): void => {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  }
  return {
    origin: location.origin,
    isEmbedded: false,
    begin(onMessage) {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(`${root}:`))
      const slots = Object.fromEntries(keys.map((key) => [key.slice(root.length + 1), localStorage.getItem(key) ?? '']))
      const page = { url: location.href, title: document.title }
      onMessage({ type: 'host:init', payload: { slots, identity: null, page, isOpen: true } })
    },
    tell(message) {
      if (message.type === 'frame:token') write(root, message.payload.token)
      if (message.type === 'frame:slot') write(`${root}:${message.payload.name}`, message.payload.value)
    },
    readToken: async () => localStorage.getItem(root),
  }
}
