/** How far the worker has come. `updated` reloads the page by itself. */
type WorkerState = 'none' | 'registered' | 'ready' | 'cached' | 'update found' | 'updated' | 'offline' | 'error'

let state: WorkerState = 'none'

/** A window stays open all day: it asks this often whether there is a new version. */
const lookEveryMs = 60 * 60_000

/** Registers /sw.js; on localhost first makes sure that the file is there and is JavaScript, else removes what is registered. */
export const registerServiceWorker = async () => {
  if (!('serviceWorker' in navigator)) return
  try {
    if (isLocalhost() && !(await isScriptThere())) return
    let isControlled = Boolean(navigator.serviceWorker.controller)
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      // The first worker takes over the page that registered it: both are of one version.
      if (isControlled) {
        setState('updated')
        reloadWhenQuiet()
      }
      isControlled = true
    })
    const registration = await navigator.serviceWorker.register('/sw.js')
    setState('registered')
    registration.addEventListener('updatefound', () => {
      const { installing, active } = registration
      if (active) setState('update found')
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'installed' && !active) setState('cached')
      })
    })
    await navigator.serviceWorker.ready
    if (state === 'registered') setState(whenThere())
    window.addEventListener('offline', () => setState('offline'))
    window.addEventListener('online', () => setState('ready'))
    setInterval(() => void registration.update().catch(() => undefined), lookEveryMs) // without a network the next look will do
  } catch {
    setState(navigator.onLine ? 'error' : 'offline')
  }
}

/** Served from what is kept while there is no network. */
const whenThere = () => (navigator.onLine ? 'ready' : 'offline')

/** The new version takes over at once, but never under someone's fingers, nor with what a form has not saved. */
const reloadWhenQuiet = () => {
  if (!holdsUnsaved() && (!isTyping() || document.hidden)) return window.location.reload()
  setTimeout(reloadWhenQuiet, 5_000)
}

/** Whether somebody would be asked before leaving the page. */
const holdsUnsaved = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

const isTyping = () => {
  const field = document.activeElement
  const text =
    field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
      ? field.value
      : field?.matches('[contenteditable]') && field.textContent
  return Boolean(text)
}

const isLocalhost = () => ['localhost', '127.0.0.1', '[::1]'].includes(window.location.hostname)

const isScriptThere = async () => {
  try {
    const reply = await fetch('/sw.js', { cache: 'no-store' })
    const isScript = reply.headers.get('content-type')?.includes('javascript') ?? false
    if (reply.status !== 404 && isScript) return true
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.unregister()
  } catch {
    return true // no network says nothing about the file
  }
  return false
}

/** Shown on the page's root element, where support and tests can read it. */
const setState = (next: WorkerState) => {
  state = next
  document.documentElement.dataset.worker = next
}
