import { render } from 'preact'
import { readableOn, textOn, toHexColor } from './color.ts'
import { Chat } from './frame/chat.ts'
import { connectHost } from './frame/host.ts'
import { App } from './frame/view/app.tsx'
import './frame/frame.css'

const parameters = new URLSearchParams(location.search)
const channelKey = parameters.get('c') ?? ''
const root = document.getElementById('app')
const host = connectHost(channelKey, parameters.get('o'))
let chat: Chat | undefined

host.begin((message) => {
  if (message.type !== 'host:init') {
    chat?.handleHost(message)
    return
  }
  if (chat || !root) return
  const begun = new Chat(host, channelKey, message.payload)
  chat = begun
  begun.subscribe(() => paint(begun.state.config?.color))
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
