import { render } from 'preact'
import { readableOn, textOn, toHexColor } from './color.ts'
import { Chat } from './frame/chat.ts'
import { connectHost } from './frame/host.ts'
import { App } from './frame/view/app.tsx'
import { languageOf, speak } from './frame/words.ts'
import './frame/frame.css'

const parameters = new URLSearchParams(location.search)
const channelKey = parameters.get('c') ?? ''
const root = document.getElementById('app')
const host = connectHost(channelKey, parameters.get('o'))
let chat: Chat | undefined
if (!host.isEmbedded) document.documentElement.dataset.alone = ''
speak(languageOf(navigator.language))

host.begin((message) => {
  if (message.type !== 'host:init') {
    if (message.type === 'host:preview') {
      if (host.origin === location.origin) chat?.showPreview(message.payload)
    } else chat?.handleHost(message)
    return
  }
  if (chat || !root) return
  // Only our own page may say how the window looks.
  const preview = host.origin === location.origin ? message.payload.preview : undefined
  const begun = new Chat(host, channelKey, message.payload, preview)
  chat = begun
  begun.subscribe(() => paint(begun.state.config?.color))
  paint(begun.state.config?.color)
  render(<App chat={begun} />, root)
})

let painted: string | undefined

// Through CSSOM, which a strict Content-Security-Policy allows; each scheme gets a shade that reads even on its bubbles.
function paint(configured: string | undefined): void {
  if (configured === undefined || configured === painted) return
  painted = configured
  const accent = toHexColor(configured)
  const { style } = document.documentElement
  style.setProperty('--accent', accent)
  style.setProperty('--on-accent', textOn(accent))
  style.setProperty('--accent-on-light', readableOn('#f1f5f9', accent))
  style.setProperty('--accent-on-dark', readableOn('#1b2733', accent))
}
